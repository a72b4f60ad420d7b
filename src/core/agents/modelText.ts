import type { JsonObject } from "../json/jsonValue";
import { assumedLevel, levelBasis, type PermissionLevel } from "../skill/permissions";
import { listedPriceText, pricesOf, skillPriceText } from "../skill/price";
import type { SkillDetail, SkillSummary } from "../skill/skill";
import { versionOfStatus } from "../skill/verification";
import { english } from "../text/language";
import { shortened } from "../text/plainText";

/**
 * Makes a registry's text safe for a model: removes control, zero-width and bidirectional characters, collapses spaces,
 * and truncates to `maxLength` characters. The model still must treat the text as a claim.
 */
export function modelText(text: string, maxLength: number): string {
  const visible = text
    .slice(0, maxLength * 4)
    .replace(/[\p{Zs}\t\n\r\u2028\u2029]+/gu, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu, "");
  return shortened(visible.trim(), maxLength);
}

/**
 * Describes a listed skill for a model by its facts alone, without its texts. For a skill that agents may invoke, the
 * level is the agreed one; for others it is the listed one, which may be too low.
 */
export function listedFacts(summary: SkillSummary, agreed?: PermissionLevel): JsonObject {
  const { billingModel = "", permissionLevel } = summary;
  const isKnown = billingModel !== "" && isWord(billingModel);
  const price = isKnown ? listedPriceText(summary, english) : "";
  return agreed === undefined
    ? factsWith(summary, price, permissionLevel, levelBasis(summary))
    : factsWith(summary, price, agreed, "agreement");
}

/**
 * Describes a skill that was read from the registry by its facts alone: the level that the gates use, and its prices.
 */
export function readFacts(skill: SkillDetail): JsonObject {
  const words = pricesOf(skill).flatMap(({ billingModel, currency = "" }) => [
    billingModel,
    currency,
  ]);
  const price = words.every(isWord) ? modelText(skillPriceText(skill, english), 200) : "";
  const of = versionOfStatus(skill);
  return {
    ...factsWith(skill.summary, price, assumedLevel(skill), basisOf(skill)),
    ...(of !== undefined && { verificationOf: wordOf(of) }),
  };
}

/**
 * Names the basis of the level. If the permissions are unknown, the level is that of a skill that may do anything, even
 * if the list states a lower one.
 */
function basisOf({ permissions }: SkillDetail): string {
  return permissions === undefined ? "unknownPermissions" : "permissions";
}

function factsWith(
  summary: SkillSummary,
  price: string,
  permissionLevel = "",
  basis: string | undefined,
): JsonObject {
  const { slug, task = "", verificationStatus = "" } = summary;
  return {
    skill: modelText(slug, 130),
    task: task === "" ? "" : wordOf(task),
    permissionLevel: wordOf(permissionLevel),
    ...(basis !== undefined && { permissionLevelFrom: basis }),
    price: price || "unknown",
    verification: wordOf(verificationStatus),
  };
}

/** Returns a fact that is a single word. A sentence could instruct the model, and nobody agreed to it. */
function wordOf(fact: string): string {
  return fact !== "" && isWord(fact) ? fact : "unknown";
}

function isWord(fact: string): boolean {
  return /^[\p{L}\p{N}_.-]{0,40}$/u.test(fact);
}
