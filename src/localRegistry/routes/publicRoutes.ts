import { catalog, findRelease, findSkill } from "../catalog/catalog";
import { searchSkills } from "../catalog/searchCatalog";
import { feedbackSummary, publisherList, skillDetail, skillRow } from "../catalog/skillResponses";
import { type Answer, okAnswer, type Route, type RouteRequest, refused } from "../handleRequest";
import type { Workspace } from "../project/workspace";

/** Returns the routes for public data, which need no key. */
export function publicRoutes(workspace: Workspace): readonly Route[] {
  const get = (path: string, answer: Route["answer"]): Route => ({ method: "GET", path, answer });
  return [
    get("/v1/skills/search", search),
    get("/v1/skills/{slug}", detail),
    get("/v1/skills/{slug}/prices", prices),
    get("/v1/skills/{slug}/feedback", feedback),
    get("/v1/publishers", () => okAnswer({ publishers: publisherList() })),
    get("/v1/stats", () => okAnswer(stats(workspace))),
    get("/v1/status", () => okAnswer({ status: status(workspace) })),
    get("/health", () => okAnswer({ status: "ok" })),
  ];
}

function search({ query }: RouteRequest): Answer {
  const page = searchSkills(catalog, query);
  if (page === undefined) return refused(400, "cursor is not one this search gave.");
  const { skills, ...rest } = page;
  return okAnswer({ skills: skills.map(skillRow), ...rest });
}

function detail({ params, query }: RouteRequest): Answer {
  const skill = findSkill(params["slug"]);
  if (skill === undefined) return refused(404, "Skill not found.");
  const version = query.get("version") || skill.releases[0].manifest.version;
  const release = findRelease(skill, version);
  if (release !== undefined) return okAnswer(skillDetail(skill, release));
  const known = skill.releases.map(({ manifest }) => manifest.version).join(", ");
  const error = `${skill.slug} has no such version. Its versions are ${known}.`;
  return refused(404, error, "version_not_found");
}

// An unknown skill has empty prices and feedback; that is not an error.
function prices({ params }: RouteRequest): Answer {
  const skill = findSkill(params["slug"]);
  if (skill === undefined) return okAnswer({ prices: [] });
  const { slug, price, releases } = skill;
  const row = { id: `price_${slug}`, skillSlug: slug, ...price, currency: "USD", status: "active" };
  return okAnswer({ prices: [{ ...row, createdAt: releases[0].publishedAt }] });
}

function feedback({ params, query }: RouteRequest): Answer {
  const skill = findSkill(params["slug"]) ?? { feedback: [] };
  const limit = Number.parseInt(query.get("limit") ?? "12", 10);
  const newestFirst = skill.feedback.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return okAnswer({
    feedback: newestFirst.slice(0, Number.isNaN(limit) ? 12 : Math.min(Math.max(limit, 0), 100)),
    summary: feedbackSummary(skill),
  });
}

function stats({ log }: Workspace) {
  const withStatus = (wanted: string) =>
    catalog.filter(({ verificationStatus }) => verificationStatus === wanted).length;
  return {
    publicSkills: catalog.length,
    callableSkills: catalog.length - withStatus("submitted"),
    publishedSkills: catalog.length - withStatus("submitted"),
    submittedSkills: withStatus("submitted"),
    totalSkillRecords: catalog.length,
    verifiedSkills: withStatus("verified"),
    apiCalls: log.count,
    avgLatencyMs: null,
  };
}

// The gateway reports an installation without payments and email as degraded.
function status({ now, accounts }: Workspace) {
  const service = (key: string, title: string, isActive: boolean) => ({
    key,
    status: isActive ? "operational" : "degraded",
    title,
    description: isActive ? `${title} is active.` : `${title} provider is not active.`,
  });
  return {
    checkedAt: new Date(now()).toISOString(),
    overall: "degraded",
    services: [
      service("web", "Web", true),
      service("database", "Database", true),
      service("payments", "Payment", false),
      service("oauth", "OAuth", false),
      service("email", "Email", accounts.deliver !== undefined),
    ],
  };
}
