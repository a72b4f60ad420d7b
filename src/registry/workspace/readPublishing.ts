import { type JsonValue, optional } from "../../core/json/jsonValue";
import type { OwnSkill, OwnVersion, ReviewCheck } from "../../core/manifest/publishing";
import {
  listOf,
  member,
  numberOf,
  objectOf,
  readSlug,
  textOf,
  timeOf,
  unwrapList,
  versionOf,
  wordOf,
} from "../decode/field";

/** Reads the skills of a publisher. Undefined if there is no list. */
export function readOwnSkills(body: JsonValue): readonly OwnSkill[] | undefined {
  const list = unwrapList(body, "skills");
  return list && listOf([...list.items], readOwnSkill, 1000);
}

function readOwnSkill(value: JsonValue): OwnSkill | undefined {
  const source = objectOf(value);
  const slug = source && readSlug(member(source, "slug"));
  if (source === undefined || slug === undefined) return undefined;
  const review = objectOf(member(source, "review")) ?? {};
  return {
    slug,
    name: textOf(member(source, "displayName", "name")) ?? slug,
    version: versionOf(member(source, "version")) ?? "",
    status: wordOf(member(source, "verificationStatus", "status")) ?? "",
    ...optional("reviewStatus", wordOf(member(review, "status"))),
  };
}

/** Reads the versions of a skill as its publisher sees them. Undefined if there is no list. */
export function readOwnVersions(body: JsonValue): readonly OwnVersion[] | undefined {
  const list = unwrapList(body, "versions");
  return list && listOf([...list.items], readOwnVersion, 1000);
}

function readOwnVersion(value: JsonValue): OwnVersion | undefined {
  const source = objectOf(value);
  const version = source && versionOf(member(source, "version"));
  if (source === undefined || version === undefined) return undefined;
  return {
    version,
    status: wordOf(member(source, "status", "verificationStatus")) ?? "",
    manifest: objectOf(member(source, "manifest")),
    ...optional("reviewStatus", wordOf(member(source, "reviewStatus"))),
    ...optional("notes", textOf(member(source, "reviewNotes"), 2000)),
    ...optional("dueAt", timeOf(member(source, "reviewSlaDueAt"))),
    ...optional("reviewDays", numberOf(member(source, "reviewSlaBusinessDays"))),
    ...optional("installs", numberOf(member(source, "installCount"))),
    checks: listOf(member(source, "runtimeChecks"), readCheck),
  };
}

/** Reads a check. Prefers its next action to its message, because it is more helpful. */
function readCheck(value: JsonValue): ReviewCheck | undefined {
  const source = objectOf(value);
  const text = source && textOf(member(source, "nextAction", "message"), 2000);
  if (source === undefined || text === undefined) return undefined;
  return {
    status: wordOf(member(source, "status")) ?? "",
    text,
    field: textOf(member(source, "targetField")) ?? "",
  };
}
