import { mergeSkill } from "../../core/registry/mergeSkill";
import type { Result } from "../../core/registry/registryFailure";
import type { SkillDetail, SkillSummary } from "../../core/skill/skill";
import type { JsonValue } from "../../core/text/json";
import { readFeedback } from "../decode/readFeedback";
import { readPrices } from "../decode/readPrices";
import { readSkillDetail } from "../decode/readSkillDetail";
import { readSkillPage } from "../decode/readSkillPage";
import { readSlug } from "../decode/readSlug";
import type { PublicReader } from "../discover/publicReader";
import type { PublisherList } from "../discover/publisherList";
import { searchRoute } from "../discover/searchRoute";

/** The longest a page waits for prices, feedback and the like. */
const sideSeconds = 5;

/** Where a skill's page gets its answers from. */
export interface SkillRoutes {
  readonly reader: PublicReader;
  readonly publishers: PublisherList;
}

/**
 * Gets everything known about a skill from five routes at once. The skill's own route decides; of
 * the others, one that is missing, late or unreadable leaves its part out.
 */
export async function readSkill(
  { reader, publishers }: SkillRoutes,
  slug: string,
  version: string | undefined,
  signal: AbortSignal,
): Promise<Result<SkillDetail>> {
  if (readSlug(slug) === undefined) return { ok: false, failure: { kind: "notFound" } };
  const route = `/v1/skills/${encodeURIComponent(slug)}`;
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const side = async <Part>(path: string, read: (body: JsonValue) => Part | undefined) => {
    const answer = await reader.read(path, either, sideSeconds);
    return answer.ok ? read(answer.value) : undefined;
  };
  const sides = Promise.all([
    side(searchRoute({ text: slug, filters: {} }), rowOf(slug)),
    side(`${route}/prices`, readPrices),
    side(`${route}/feedback?limit=12`, readFeedback),
    publishers.get(either, sideSeconds),
  ]);
  const asked = version ? `${route}?version=${encodeURIComponent(version)}` : route;
  const answer = await reader.read(asked, signal);
  const own = answer.ok ? readSkillDetail(answer.value, slug, route) : answer;
  if (!own.ok) stop.abort();
  const [row, prices, feedback, list] = await sides;
  if (!own.ok) return own;
  return {
    ok: true,
    value: mergeSkill({ own: own.value, row, prices, feedback, publishers: list }),
  };
}

function rowOf(slug: string): (body: JsonValue) => SkillSummary | undefined {
  return (body) => {
    const page = readSkillPage(body, "/v1/skills/search");
    return page.ok ? page.value.skills.find((skill) => skill.slug === slug) : undefined;
  };
}
