import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import { type Permissions, withPermissions } from "../../core/skill/permissions";
import type { Publisher, SkillAuthor, SkillNumbers, SkillSummary } from "../../core/skill/skill";
import {
  booleanOf,
  given,
  listOf,
  member,
  numberOf,
  objectOf,
  readSlug,
  textOf,
  timeOf,
  unwrapList,
  wordOf,
} from "./field";

/** Reads one row of a list. Undefined where it is no object or has no usable slug. */
export function readSkillRow(value: JsonValue): SkillSummary | undefined {
  const source = objectOf(value);
  const slug = source && readSlug(member(source, "slug", "name"));
  if (source === undefined || slug === undefined) return undefined;
  const permissions = readPermissions(member(source, "permissions"));
  const summary = {
    ...readSummary(source, slug),
    ...given("author", readAuthor(member(source, "author"))),
  };
  return permissions === undefined ? summary : withPermissions(summary, permissions);
}

/** Reads the fields that rows and details share, as the registry states them. */
export function readSummary(source: JsonObject, slug: string): SkillSummary {
  return {
    slug,
    displayName: textOf(member(source, "displayName", "title")) ?? slug,
    description: textOf(member(source, "description", "summary"), 10_000) ?? "",
    tags: listOf(member(source, "tags"), (tag) => textOf(tag, 100)),
    version: textOf(member(source, "version", "latestVersion"), 100) ?? "",
    ...given("verificationStatus", wordOf(member(source, "verificationStatus", "verification"))),
    ...given("permissionLevel", wordOf(member(source, "permissionLevel", "permissionProfile"))),
    ...given("runtimeType", readRuntimeType(source)),
    ...given("task", wordOf(member(source, "task", "category"))),
    ...given("billingModel", wordOf(member(source, "billingModel"))),
    ...given("publisher", readPublisher(member(source, "publisher"))),
    numbers: readNumbers(source),
    ...given("updatedAt", timeOf(member(source, "updatedAt"))),
  };
}

function readRuntimeType(source: JsonObject): string | undefined {
  const runtime = member(source, "runtimeType", "runtime");
  const inner = objectOf(runtime);
  return wordOf(inner === undefined ? runtime : member(inner, "type"));
}

function readNumbers(source: JsonObject): SkillNumbers {
  return {
    ...given("installs", count(member(source, "installCount", "installs"))),
    ...given("calls", count(member(source, "invocationCount", "calls"))),
    ...given("successRate", between(member(source, "successRate"), 0, 1)),
    ...given("averageLatencyMs", count(member(source, "avgLatencyMs", "averageLatencyMs"))),
    ...given("averageRating", between(member(source, "averageRating", "avgRating"), 0, 5)),
    ...given("feedbackCount", count(member(source, "feedbackCount"))),
  };
}

function count(value: JsonValue | undefined): number | undefined {
  return between(value, 0, Number.MAX_SAFE_INTEGER);
}

function between(value: JsonValue | undefined, low: number, high: number): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= low && number <= high ? number : undefined;
}

/** Reads a publisher, given as an object or by name alone. */
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
    ...given("slug", slug),
    ...given("verified", verified),
    ...given("status", status),
    ...given("trustLevel", textOf(member(source, "trustLevel"), 60)),
    ...given("url", textOf(member(source, "url"), 2000)),
    ...given("skillSlugs", skillSlugs.length === 0 ? undefined : skillSlugs),
    ...given("skillCount", readSkillCount(source)),
  };
}

/** A registry may list a publisher's first skills alone, and count all. */
function readSkillCount(source: JsonObject): number | undefined {
  const metrics = objectOf(member(source, "metrics")) ?? source;
  return count(member(metrics, "publicSkillCount", "skillCount"));
}

/** Reads a manifest's author, given as an object or by name alone. */
export function readAuthor(value: JsonValue | undefined): SkillAuthor | undefined {
  const source = objectOf(value) ?? {};
  const name = typeof value === "string" ? textOf(value) : textOf(member(source, "name"));
  return name === undefined
    ? undefined
    : { name, ...given("url", textOf(member(source, "url"), 2000)) };
}

/** Reads the registry's list of publishers; undefined where the answer holds none. */
export function readPublishers(body: JsonValue): readonly Publisher[] | undefined {
  const list = unwrapList(body, "publishers");
  return list === undefined ? undefined : listOf([...list.items], readPublisher, 5000);
}

function skillSlug(item: JsonValue): string | undefined {
  const source = objectOf(item);
  return readSlug(source === undefined ? item : member(source, "slug"));
}

/** Reads what a skill may do; undefined where the registry does not say. */
export function readPermissions(value: JsonValue | undefined): Permissions | undefined {
  const source = objectOf(value);
  if (source === undefined) return undefined;
  return {
    network: booleanOf(member(source, "network")) ?? false,
    browser: booleanOf(member(source, "browser")) ?? false,
    filesystem: readFilesystem(member(source, "filesystem", "fileSystem")),
    ...readSecrets(member(source, "secrets")),
  };
}

/** An unknown word is taken for the most a skill could do. */
function readFilesystem(value: JsonValue | undefined): Permissions["filesystem"] {
  if (value === undefined || value === false) return "none";
  const word = typeof value === "string" ? value.toLowerCase() : value;
  return word === "none" || word === "read" ? word : "write";
}

/** Public copies replace the names by one placeholder, such as `[2 secret handles required]`. */
function readSecrets(
  value: JsonValue | undefined,
): Pick<Permissions, "secretCount" | "secretNames"> {
  const count = Array.isArray(value) ? undefined : numberOf(value);
  if (count !== undefined) return { secretCount: Math.max(0, count), secretNames: [] };
  const texts = listOf(value, (item) => textOf(item));
  const counts = texts.map((text) => /^\[(\d{1,4})\b[^\]]*\]$/.exec(text)?.[1]);
  const secretNames = texts.filter((_, index) => counts[index] === undefined);
  const hidden = counts.reduce((sum, redacted) => sum + Number(redacted ?? 0), 0);
  return { secretCount: secretNames.length + hidden, secretNames };
}
