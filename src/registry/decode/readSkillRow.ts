import { withPermissions } from "../../core/skill/permissions";
import type { SkillNumbers, SkillSummary } from "../../core/skill/skill";
import type { JsonObject, JsonValue } from "../../core/text/json";
import { given, listOf, member, numberOf, objectOf, textOf, timeOf, wordOf } from "./field";
import { readPermissions } from "./readPermissions";
import { readAuthor, readPublisher } from "./readPublisher";
import { readSlug } from "./readSlug";

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
