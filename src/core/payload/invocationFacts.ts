import type { Callability } from "../invocation/permission/callabilityFacts";
import { pricesOf, pricesText } from "../skill/price";
import type { SkillDetail } from "../skill/skill";
import type { Language } from "../text/language";

/** The known facts about an invocation before it is made. */
export interface InvocationFacts {
  /** The price in words; empty if unknown. */
  readonly price: string;
  /** Why the skill probably cannot run; empty if no reason is known. */
  readonly obstacle: string;
}

/** Returns the known facts about an invocation before it is made. */
export function invocationFacts(
  skill: SkillDetail,
  { kind, text }: Callability,
  language: Language,
): InvocationFacts {
  const price = pricesText(pricesOf(skill), language, skill.summary.isSample);
  return { price, obstacle: kind === "no" ? text : "" };
}
