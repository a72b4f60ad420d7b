import { type JsonObject, type JsonValue, optional } from "../../core/json/jsonValue";
import { hasPlaceholder } from "../../core/registry/redactSecrets";
import type { Result } from "../../core/registry/registryFailure";
import { type Permissions, withPermissions } from "../../core/skill/permissions";
import type { Publisher, SkillAuthor, SkillNumbers, SkillSummary } from "../../core/skill/skill";
import {
  type SkillFacets,
  type SkillFilterName,
  skillFilterNames,
} from "../../core/skillList/skillQuery";
import {
  booleanOf,
  countItems,
  listOf,
  member,
  numberOf,
  objectOf,
  readSlug,
  redactedCount,
  textOf,
  timeOf,
  unwrapList,
  versionOf,
  wordOf,
} from "./field";
import { unreadable } from "./readErrorBody";

/** A page of the list as the registry returned it. */
export interface WirePage {
  readonly skills: readonly SkillSummary[];
  /** How many rows the registry returned, including dropped ones. */
  readonly returnedRows: number;
  readonly nextCursor?: string;
  readonly total?: number;
  readonly facets?: SkillFacets;
}

/** The maximum number of rows in one response. A page has 100 rows, but some registries return everything at once. */
export const maxRows = 1000;

/** Longer than any legitimate cursor, and short enough for a URL. */
const maxCursorLength = 2000;

/** Reads a page. Drops unreadable rows and duplicate slugs. Fails if it has rows, but none is readable. */
export function readListPage(body: JsonValue): Result<WirePage> {
  const route = "/v1/skills/search";
  const list = unwrapList(body, "skills");
  if (list === undefined) return unreadable(route, "skills");
  const skills = distinct(listOf([...list.items], readSkillRow, maxRows));
  if (skills.length === 0 && list.items.length > 0) return unreadable(route, "skills[0].slug");
  const { holder } = list;
  const paging = objectOf(member(holder, "pagination", "paging", "page", "meta")) ?? holder;
  return {
    ok: true,
    value: {
      skills,
      returnedRows: list.items.length,
      ...optional("nextCursor", readCursor(holder) ?? readCursor(paging)),
      ...optional("total", numberOf(member(holder, "total") ?? member(paging, "total"))),
      ...optional("facets", readFacets(objectOf(member(holder, "facets")))),
    },
  };
}

function distinct(skills: readonly SkillSummary[]): readonly SkillSummary[] {
  const bySlug = new Map<string, SkillSummary>();
  for (const skill of skills) if (!bySlug.has(skill.slug)) bySlug.set(skill.slug, skill);
  return [...bySlug.values()];
}

function readCursor(source: JsonObject): string | undefined {
  const cursor = textOf(member(source, "nextCursor"), maxCursorLength + 1);
  if (cursor === undefined || cursor.length > maxCursorLength) return undefined;
  // A cursor that contains a key is useless once redacted, and the original must not be sent back.
  return hasPlaceholder(cursor) ? undefined : cursor;
}

/** The names of each filter's facet in responses. */
const facetNames: Readonly<Record<SkillFilterName, readonly string[]>> = {
  task: ["task", "category"],
  runtime: ["runtime", "runtimeType"],
  verification: ["verification", "verificationStatus"],
  permissionProfile: ["permissionProfile", "permissionLevel"],
  billingModel: ["billingModel"],
  publisher: ["publisher", "publishers"],
  tags: ["tags", "tag"],
};

function readFacets(source: JsonObject | undefined): SkillFacets | undefined {
  if (source === undefined) return undefined;
  const facets: { [name in SkillFilterName]?: SkillFacets[SkillFilterName] } = {};
  for (const filter of skillFilterNames) {
    const values = listOf(member(source, ...facetNames[filter]), readFacetValue);
    if (values.length > 0) facets[filter] = values;
  }
  return Object.keys(facets).length === 0 ? undefined : (facets as SkillFacets);
}

function readFacetValue(item: JsonValue): { value: string; count: number } | undefined {
  const source = objectOf(item);
  const value = source && textOf(member(source, "value", "name"), 60);
  const count = source && numberOf(member(source, "count"));
  return value === undefined || count === undefined ? undefined : { value, count };
}

/** Reads one row of a list. Undefined if it is not an object or has no usable slug. */
export function readSkillRow(value: JsonValue): SkillSummary | undefined {
  const source = objectOf(value);
  const slug = source && readSlug(member(source, "slug", "name"));
  if (source === undefined || slug === undefined) return undefined;
  const permissions = readPermissions(member(source, "permissions"));
  const summary = {
    ...readSummary(source, slug),
    ...optional("author", readAuthor(member(source, "author"))),
  };
  return permissions === undefined ? summary : withPermissions(summary, permissions);
}

/** Reads the fields that rows and details share. */
export function readSummary(source: JsonObject, slug: string): SkillSummary {
  return {
    slug,
    displayName: textOf(member(source, "displayName", "title")) ?? slug,
    description: textOf(member(source, "description", "summary"), 10_000) ?? "",
    tags: listOf(member(source, "tags"), (tag) => textOf(tag, 100)),
    version: versionOf(member(source, "version", "latestVersion")) ?? "",
    ...optional("verificationStatus", wordOf(member(source, "verificationStatus", "verification"))),
    ...optional("permissionLevel", wordOf(member(source, "permissionLevel", "permissionProfile"))),
    ...optional("runtimeType", readRuntimeType(source)),
    ...optional("task", wordOf(member(source, "task", "category"))),
    ...optional("billingModel", wordOf(member(source, "billingModel"))),
    ...optional("publisher", readPublisher(member(source, "publisher"))),
    numbers: readNumbers(source),
    ...optional("updatedAt", timeOf(member(source, "updatedAt"))),
  };
}

function readRuntimeType(source: JsonObject): string | undefined {
  const runtime = member(source, "runtimeType", "runtime");
  const inner = objectOf(runtime);
  return wordOf(inner === undefined ? runtime : member(inner, "type"));
}

function readNumbers(source: JsonObject): SkillNumbers {
  return {
    ...optional("installs", count(member(source, "installCount", "installs"))),
    ...optional("calls", count(member(source, "invocationCount", "calls"))),
    ...optional("successRate", upTo(1, member(source, "successRate"))),
    ...optional("averageLatencyMs", count(member(source, "avgLatencyMs", "averageLatencyMs"))),
    ...optional("averageRating", upTo(5, member(source, "averageRating", "avgRating"))),
    ...optional("feedbackCount", count(member(source, "feedbackCount"))),
  };
}

function count(value: JsonValue | undefined): number | undefined {
  return upTo(Number.MAX_SAFE_INTEGER, value);
}

function upTo(high: number, value: JsonValue | undefined): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 0 && number <= high ? number : undefined;
}

/** Reads a publisher, an object or a bare name. */
function readPublisher(value: JsonValue | undefined): Publisher | undefined {
  if (typeof value === "string") return value === "" ? undefined : { name: textOf(value) ?? value };
  const source = objectOf(value);
  if (source === undefined) return undefined;
  const slug = textOf(member(source, "slug"));
  const name = textOf(member(source, "displayName", "name")) ?? slug;
  if (name === undefined) return undefined;
  const status = textOf(member(source, "status"), 60);
  const isVerified = status?.toLowerCase() === "verified" || undefined;
  const verified = booleanOf(member(source, "verified")) ?? isVerified;
  const skillSlugs = listOf(member(source, "skills"), skillSlug, 10_000);
  return {
    name,
    ...optional("slug", slug),
    ...optional("verified", verified),
    ...optional("status", status),
    ...optional("trustLevel", textOf(member(source, "trustLevel"), 60)),
    ...optional("url", textOf(member(source, "url"), 2000)),
    ...optional("skillSlugs", skillSlugs.length === 0 ? undefined : skillSlugs),
    ...optional("skillCount", readSkillCount(source)),
  };
}

/** Reads the number of all skills of a publisher, since a registry may list only the first ones. */
function readSkillCount(source: JsonObject): number | undefined {
  const metrics = objectOf(member(source, "metrics")) ?? source;
  return count(member(metrics, "publicSkillCount", "skillCount"));
}

/** Reads a manifest's author, an object or a bare name. */
export function readAuthor(value: JsonValue | undefined): SkillAuthor | undefined {
  const source = objectOf(value) ?? {};
  const name = typeof value === "string" ? textOf(value) : textOf(member(source, "name"));
  return name === undefined
    ? undefined
    : { name, ...optional("url", textOf(member(source, "url"), 2000)) };
}

/** Reads the registry's list of publishers; undefined for none. */
export function readPublishers(body: JsonValue): readonly Publisher[] | undefined {
  const list = unwrapList(body, "publishers");
  return list === undefined ? undefined : listOf([...list.items], readPublisher, 5000);
}

function skillSlug(item: JsonValue): string | undefined {
  const source = objectOf(item);
  return readSlug(source === undefined ? item : member(source, "slug"));
}

/**
 * Reads a skill's permissions; undefined if there are none. Unknown permissions count as granted, and so do unreadable
 * ones, such as a list of hosts instead of a boolean.
 */
export function readPermissions(value: JsonValue | undefined): Permissions | undefined {
  const source = objectOf(value);
  if (source === undefined) return undefined;
  const others = Object.keys(source)
    .filter((name) => !permissionNames.has(name) && isGranted(source[name] ?? undefined))
    .sort();
  return {
    network: isGranted(member(source, "network")),
    browser: isGranted(member(source, "browser")),
    filesystem: readFilesystem(source),
    ...readSecrets(member(source, "secrets")),
    ...optional("others", others.length === 0 ? undefined : readOthers(others)),
  };
}

const filesystemNames = ["filesystem", "fileSystem", "file_system"];
const permissionNames = new Set(["network", "browser", "secrets", ...filesystemNames]);
/** The maximum number of unknown permissions that are stored by name. Further ones are only counted. */
const maxOthers = 100;

/** Returns the first names and the number of further ones, so that none is ignored. */
function readOthers(names: readonly string[]): readonly string[] {
  const shown = names.slice(0, maxOthers).map((name) => textOf(name) ?? '""');
  return names.length > maxOthers ? [...shown, `+${names.length - maxOthers}`] : shown;
}

function isGranted(value: JsonValue | undefined): boolean {
  return value !== undefined && booleanOf(value) !== false;
}

/** Returns the broader of the values under either name; an unknown word counts as the broadest. */
function readFilesystem(source: JsonObject): Permissions["filesystem"] {
  const accesses = filesystemNames.map((name) => fileAccess(source[name] ?? undefined));
  return accesses.includes("write") ? "write" : accesses.includes("read") ? "read" : "none";
}

function fileAccess(value: JsonValue | undefined): Permissions["filesystem"] {
  if (value === undefined || value === false) return "none";
  const word = typeof value === "string" ? value.toLowerCase() : value;
  return word === "none" || word === "read" ? word : "write";
}

/** Counts all items of a list, but stores only the first 100 names. */
function readSecrets(
  value: JsonValue | undefined,
): Pick<Permissions, "secretCount" | "secretNames"> {
  if (!Array.isArray(value)) return { secretCount: readSecretCount(value), secretNames: [] };
  const nameOf = (item: JsonValue) =>
    redactedCount(item) === undefined ? textOf(item) : undefined;
  return { secretCount: countItems(value), secretNames: listOf(value, nameOf) };
}

/**
 * Reads the number of secrets that a skill needs, if they are not listed. Anything but a number counts as at least one.
 */
export function readSecretCount(value: JsonValue | undefined): number {
  const count = numberOf(value);
  if (count === undefined) return isGranted(value) ? 1 : 0;
  return Math.min(Math.max(0, Math.ceil(count)), Number.MAX_SAFE_INTEGER);
}
