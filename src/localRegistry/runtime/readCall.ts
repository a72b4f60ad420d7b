import { isJsonObject, type JsonValue } from "../../core/text/json";
import { findRelease, findSkill } from "../catalogue/catalogue";
import type { Release, Skill } from "../catalogue/skill";
import { type Answer, refused } from "../http/answer";

/** What a call asks for. */
export interface Call {
  readonly skill: Skill;
  readonly release: Release;
  readonly input: JsonValue | undefined;
}

/** Reads the body of a call. Without a version, or with null for it, the current one is meant. */
export function readCall(
  body: unknown,
): ({ readonly ok: true } & Call) | { readonly ok: false; readonly answer: Answer } {
  const { skillSlug, version: asked, input } = isJsonObject(body) ? body : {};
  const version = asked ?? "";
  const refuse = (answer: Answer) => ({ ok: false, answer }) as const;
  if (typeof skillSlug !== "string" || skillSlug === "") {
    return refuse(refused(400, "skillSlug is missing.", "missing_skill_slug"));
  }
  if (typeof version !== "string") {
    return refuse(refused(400, "version must be a text.", "invalid_version"));
  }
  const skill = findSkill(skillSlug);
  if (skill === undefined) return refuse(refused(404, "Skill not found.", "skill_not_found"));
  const release = findRelease(skill, version);
  if (release === undefined) return refuse(versionNotFound(skill));
  return { ok: true, skill, release, input };
}

/** Answers that a skill has no such version, and which ones it has. */
export function versionNotFound({ displayName, releases }: Skill): Answer {
  const known = releases.map(({ version }) => version).join(", ");
  const error = `${displayName} has no such version. Its versions are ${known}.`;
  return refused(404, error, "version_not_found");
}
