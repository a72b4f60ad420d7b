import { randomUUID } from "node:crypto";
import { findSkill } from "../catalog/catalog";
import type { Skill } from "../catalog/sampleSkill";
import type { Session } from "../project/accounts";
import type { Workspace } from "../project/workspace";
import { type Answer, Refusal, type Route, type RouteRequest } from "../server/route";
import { signedIn } from "./accountRoutes";

/** What any signed-in user tells of a skill. It is taken and shown nowhere, as if it waited for review. */
export function feedbackRoutes(workspace: Workspace): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/v1/skills/{slug}/feedback",
      answer: signedIn(workspace, (request, session) => rate(workspace, request, session)),
    },
    {
      method: "POST",
      path: "/v1/skills/{slug}/abuse-reports",
      answer: signedIn(workspace, (request) => report(workspace, request)),
    },
  ];
}

function rate(workspace: Workspace, request: RouteRequest, { user }: Session): Answer {
  const { rating, useCase = null } = request.body.members;
  if (!Number.isInteger(rating) || Number(rating) < 1 || Number(rating) > 5) {
    throw new Refusal(400, "Rating must be an integer between 1 and 5.");
  }
  const title = textOf(request, "title", 140);
  const body = textOf(request, "body", 1800);
  const { slug: skillSlug } = skillOf(request);
  const projectSlug = projectOf(workspace, request);
  const { email } = user;
  const given = { id: randomUUID(), skillSlug, projectSlug, rating, title, body, useCase, email };
  const createdAt = new Date(workspace.now()).toISOString();
  return { status: 201, body: { feedback: { ...given, status: "pending", createdAt } } };
}

const categories = "malicious security privacy copyright spam quality billing other".split(" ");
const severities = ["low", "medium", "high", "critical"];

function report(workspace: Workspace, request: RouteRequest): Answer {
  const { category, severity, evidenceUrl = null } = request.body.members;
  const title = textOf(request, "title", 140);
  const description = textOf(request, "description", 4000);
  const { slug: skillSlug } = skillOf(request);
  const abuseReport = {
    id: randomUUID(),
    skillSlug,
    projectSlug: projectOf(workspace, request),
    title,
    description,
    category: categories.find((one) => one === category) ?? "other",
    severity: severities.find((one) => one === severity) ?? "medium",
    evidenceUrl,
    status: "open",
    createdAt: new Date(workspace.now()).toISOString(),
  };
  return { status: 201, body: { abuseReport } };
}

function skillOf({ params }: RouteRequest): Skill {
  const skill = findSkill(params["slug"]);
  if (skill === undefined) throw new Refusal(400, "Skill not found.");
  return skill;
}

function projectOf({ projects }: Workspace, { body: { members } }: RouteRequest): string | null {
  const { projectSlug = null } = members;
  if (projectSlug === null) return null;
  if (!projects.has(String(projectSlug))) {
    throw new Refusal(400, "Project not found for this organization.");
  }
  return String(projectSlug);
}

function textOf({ body: { members } }: RouteRequest, name: string, longest: number): string {
  const text = String(members[name] ?? "").trim();
  if (text === "") throw new Refusal(400, `${name} is required.`);
  return text.slice(0, longest);
}
