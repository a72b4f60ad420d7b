import type { Callability } from "../skill/description/callability";
import { pricesOf, pricesText } from "../skill/price";
import type { SkillDetail } from "../skill/skill";
import type { Language } from "../text/language";

/**
 * Lists what is known of an invocation before it is made, in the order it is read: the price, and why the skill is
 * not expected to run. Empty where neither is known.
 */
export function invocationFacts(
  skill: SkillDetail,
  { kind, text }: Callability,
  language: Language,
): readonly string[] {
  const price = pricesText({ prices: pricesOf(skill) }, language, skill.summary.isSample);
  return [price, kind === "no" ? text : ""].filter((fact) => fact !== "");
}
