import { type Result, registryFailureText } from "../../core/registry/registryFailure";
import { describeChanges } from "../../core/skill/compare/describeChanges";
import type { SkillDetail } from "../../core/skill/skill";
import type { Language } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import type { ComparedVersions, VersionPair } from "../../protocol/skillPage";
import type { SkillDetails } from "./skillDetails";

/** Reads two versions of a skill and says how they differ. Never rejects. */
export async function compareVersions(
  details: SkillDetails,
  slug: string,
  pair: VersionPair,
  language: Language,
): Promise<ComparedVersions> {
  const { before, after } = pair;
  const [old, now] = await Promise.all([
    findVersion(details, slug, before, language),
    findVersion(details, slug, after, language),
  ]);
  if (!old.ok) return { kind: "failed", ...pair, message: old.message };
  if (!now.ok) return { kind: "failed", ...pair, message: now.message };
  return { kind: "ready", ...pair, difference: describeChanges(old.skill, now.skill, language) };
}

/** One version of a skill, or why it is not to be had, in words. */
export type FoundVersion =
  | { readonly ok: true; readonly skill: SkillDetail }
  | { readonly ok: false; readonly message: string };

/**
 * Reads the very version that is asked for: a registry may ignore the wish and answer with another. An
 * empty version is that of a skill whose registry names none.
 */
export async function findVersion(
  details: SkillDetails,
  slug: string,
  version: string,
  language: Language,
): Promise<FoundVersion> {
  const found: Result<SkillDetail> = await details.find(slug, version === "" ? undefined : version);
  if (!found.ok)
    return { ok: false, message: oneLine(registryFailureText(found.failure, language), 1000) };
  const given = found.value.summary.version;
  if (given === version) return { ok: true, skill: found.value };
  const words = { version: oneLine(version, 100), given: oneLine(given, 100) };
  const message = language.t("This registry returned {given} instead of version {version}.", words);
  return { ok: false, message };
}
