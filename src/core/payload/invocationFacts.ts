import type { Callability } from "../skill/description/callability";
import { pricesOf, pricesText } from "../skill/price";
import type { SkillDetail } from "../skill/skill";
import type { Language } from "../text/language";

/** What is known of an invocation before it is made. */
export interface InvocationFacts {
  /** Empty where it is not known. */
  readonly price: string;
  /** Why the skill is not expected to run; empty where nothing says so. */
  readonly hindrance: string;
}

/** Determines what is known of an invocation before it is made. */
export function invocationFacts(
  skill: SkillDetail,
  { kind, text }: Callability,
  language: Language,
): InvocationFacts {
  const price = pricesText({ prices: pricesOf(skill) }, language, skill.summary.isSample);
  return { price, hindrance: kind === "no" ? text : "" };
}
