import { catalogue, findRelease, findSkill } from "../catalogue/catalogue";
import { summarizeFeedback } from "../catalogue/feedbackSummary";
import { searchSkills } from "../catalogue/searchSkills";
import type { Skill } from "../catalogue/skill";
import { skillDetail } from "../catalogue/skillDetail";
import { skillRow } from "../catalogue/skillRow";
import { type Answer, found, refused } from "../http/answer";
import { versionNotFound } from "../runtime/readCall";
import { publisherList } from "./publisherList";
import type { Route, RouteRequest } from "./route";

/** The routes that need no key and say what there is. */
export const publicRoutes: readonly Route[] = [
  { method: "GET", path: "/v1/skills/search", answer: ({ query }) => search(query) },
  { method: "GET", path: "/v1/skills/{slug}", answer: (request) => ofSkill(request, detail) },
  {
    method: "GET",
    path: "/v1/skills/{slug}/prices",
    answer: (request) => ofSkill(request, prices),
  },
  {
    method: "GET",
    path: "/v1/skills/{slug}/feedback",
    answer: (request) => ofSkill(request, feedback),
  },
  { method: "GET", path: "/v1/publishers", answer: () => found({ publishers: publisherList() }) },
];

function search(query: URLSearchParams): Answer {
  const result = searchSkills(catalogue, query);
  if (!result.ok) {
    const { parameter, problem } = result;
    const answer = refused(400, `${parameter} ${problem}.`, "invalid_parameter");
    const errors = [{ parameter, detail: problem }];
    return { ...answer, body: { ...(answer.body as object), errors } };
  }
  const { nextCursor, total, facets } = result;
  return found({ skills: result.skills.map(skillRow), nextCursor, total, facets });
}

function ofSkill(
  { places, query }: RouteRequest,
  answer: (skill: Skill, query: URLSearchParams) => Answer,
): Answer {
  const skill = findSkill(places["slug"] ?? "");
  return skill === undefined ? refused(404, "Skill not found.") : answer(skill, query);
}

function detail(skill: Skill, query: URLSearchParams): Answer {
  const release = findRelease(skill, query.get("version") ?? "");
  return release === undefined ? versionNotFound(skill) : found(skillDetail(skill, release));
}

function prices({ price }: Skill): Answer {
  return found({ prices: [{ ...price, currency: "USD", status: "active" }] });
}

function feedback(skill: Skill, query: URLSearchParams): Answer {
  const limit = Number.parseInt(query.get("limit") ?? "12", 10);
  const newestFirst = [...skill.feedback].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return found({
    feedback: newestFirst.slice(0, Number.isNaN(limit) ? 12 : Math.min(Math.max(limit, 0), 100)),
    summary: summarizeFeedback(skill.feedback),
  });
}
