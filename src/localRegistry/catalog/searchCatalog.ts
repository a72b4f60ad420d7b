import { createHash } from "node:crypto";
import { levelRank } from "../../core/skill/permissions";
import { practiceTag } from "../../core/skillList/rows/skillRows";
import type { Skill } from "./catalog";
import { feedbackSummary, levelOf } from "./skillResponses";

const defaultLimit = 20;
/** The public gateway's limit. */
const maxLimit = 100;

/** A page of a search; undefined if the cursor did not come from this search. */
interface SearchPage {
  readonly skills: readonly Skill[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** The number of matching skills on all pages. */
  readonly total: number;
  /** The values of each filter, each with the number of skills that match if it is selected; most skills first. */
  readonly facets: Readonly<Record<string, readonly { value: string; count: number }[]>>;
}

/**
 * Searches the skills by the query of the search route. Like the public gateway, ignores an unknown order, limit or
 * filter value, caps the limit at 100, and reads a negative limit as 1.
 */
export function searchSkills(
  all: readonly Skill[],
  query: URLSearchParams,
): SearchPage | undefined {
  const limit = readLimit(query.get("limit"));
  const order = orders.get(normalizedOrder(query.get("sort") ?? "")) ?? recommended;
  const text = (query.get("q") ?? "").trim().toLowerCase();
  const chosen = readFilters(query, all);
  const withText = all.filter((skill) => matchesText(skill, text));
  const matching = withText
    .filter((skill) => passes(skill, chosen))
    .map((skill) => ({ skill, score: order(skill) }))
    // Sort equal skills by slug, so that pages never overlap.
    .sort((a, b) => b.score - a.score || (a.skill.slug < b.skill.slug ? -1 : 1))
    .map(({ skill }) => skill);

  const mark = markOf([query.get("sort"), text, [...chosen]]);
  const start = readCursor(matching, mark, query.get("cursor") ?? "");
  if (start === undefined) return undefined;
  const skills = matching.slice(start, start + limit);
  const last = skills.at(-1);
  const isLast = start + skills.length >= matching.length || last === undefined;
  return {
    skills,
    nextCursor: isLast ? null : Buffer.from(`${mark} ${last.slug}`).toString("base64url"),
    total: matching.length,
    facets: Object.fromEntries(
      filters.map((filter) => [filter.name, countValues(filter, withText, chosen)]),
    ),
  };
}

function readLimit(text: string | null): number {
  const limit = Math.trunc(Number(text ?? 0));
  if (!(limit < 0 || limit > 0)) return defaultLimit;
  return Math.min(Math.max(limit, 1), maxLimit);
}

// `sort` may be low_risk, low-risk or lowRisk.
function normalizedOrder(order: string): string {
  return order.toLowerCase().replaceAll(/[-_]/g, "");
}

const statusRank = { verified: 2, deprecated: 1, submitted: 0 };

// Skills that succeed come before those for practicing a refusal or failure. The status always outweighs the rest: a
// rating is at most 5, and the logarithm of installs is below 7.
const recommended = (skill: Skill) =>
  (isPractice(skill) ? 0 : 1000) +
  statusRank[skill.verificationStatus] * 100 +
  (feedbackSummary(skill).averageRating ?? 0) * Math.log10(1 + skill.counts.installCount);

const isPractice = ({ releases }: Skill) => releases[0].manifest.tags.includes(practiceTag);

const orders = new Map<string, (skill: Skill) => number>([
  ["recommended", recommended],
  ["adoption", ({ counts }) => counts.installCount],
  ["success", ({ counts }) => counts.successRate ?? -1],
  ["lowrisk", ({ releases }) => -levelRank(levelOf(releases[0].manifest))],
  ["recent", ({ releases }) => Date.parse(releases[0].publishedAt)],
]);

interface SearchFilter {
  readonly name: string;
  /** The parameters of the query that set this filter. */
  readonly parameters: readonly string[];
  readonly valuesOf: (skill: Skill) => readonly string[];
}

const filters: readonly SearchFilter[] = [
  { name: "task", parameters: ["category"], valuesOf: ({ category }) => [category] },
  {
    name: "runtime",
    parameters: ["runtimeType", "runtime"],
    valuesOf: ({ releases }) => [releases[0].manifest.runtime.type],
  },
  {
    name: "verification",
    parameters: ["verificationStatus", "verification"],
    valuesOf: ({ verificationStatus }) => [verificationStatus],
  },
  {
    name: "permissionProfile",
    parameters: ["permissionLevel"],
    valuesOf: ({ releases }) => [levelOf(releases[0].manifest)],
  },
  {
    name: "billingModel",
    parameters: ["billingModel", "pricing"],
    valuesOf: ({ price }) => [price.billingModel],
  },
  { name: "tags", parameters: ["tags"], valuesOf: ({ releases }) => releases[0].manifest.tags },
];

/** A skill must have all of the selected `tags`, but only one of the values of any other filter. */
const needsAll = ({ name }: SearchFilter) => name === "tags";

type Chosen = ReadonlyMap<string, readonly string[]>;

/** Reads comma-separated and repeated parameters. Ignores values that no skill has, except tags. */
function readFilters(query: URLSearchParams, all: readonly Skill[]): Chosen {
  const chosen = new Map<string, readonly string[]>();
  for (const filter of filters) {
    const known = new Set(all.flatMap(filter.valuesOf));
    const values = filter.parameters
      .flatMap((parameter) => query.getAll(parameter))
      .flatMap((list) => list.split(","))
      .map((value) => value.trim())
      .map((value) => (filter.name === "task" && value === "support" ? "ops" : value))
      .filter((value) => value !== "" && (needsAll(filter) || known.has(value)));
    if (values.length > 0) chosen.set(filter.name, [...new Set(values)]);
  }
  return chosen;
}

function passes(skill: Skill, chosen: Chosen): boolean {
  return filters.every((filter) => {
    const wanted = chosen.get(filter.name);
    const has = (value: string) => filter.valuesOf(skill).includes(value);
    if (wanted === undefined) return true;
    return needsAll(filter) ? wanted.every(has) : wanted.some(has);
  });
}

function matchesText({ slug, releases }: Skill, text: string): boolean {
  const { displayName, description, tags } = releases[0].manifest;
  const searched = [slug, displayName, description, ...tags].join("\n").toLowerCase();
  return text.split(/\s+/).every((word) => searched.includes(word));
}

function countValues(filter: SearchFilter, skills: readonly Skill[], chosen: Chosen) {
  // Count without a filter's own values, because selecting another value would add skills. Tags are different: another
  // tag would narrow the list further.
  const others = new Map(chosen);
  if (!needsAll(filter)) others.delete(filter.name);
  const counts = new Map<string, number>();
  for (const value of skills.filter((skill) => passes(skill, others)).flatMap(filter.valuesOf)) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function readCursor(skills: readonly Skill[], mark: string, cursor: string): number | undefined {
  if (cursor === "") return 0;
  const [search, slug] = Buffer.from(cursor, "base64url").toString("utf8").split(" ");
  const index = search === mark ? skills.findIndex((skill) => skill.slug === slug) : -1;
  return index === -1 ? undefined : index + 1;
}

function markOf(search: unknown): string {
  return createHash("sha256").update(JSON.stringify(search)).digest("base64url").slice(0, 12);
}
