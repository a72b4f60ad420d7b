import type { JsonValue } from "../../text/json";
import { jsonFingerprint } from "./jsonFingerprint";

/** Tells whether two JSON values are the same but for the order of members. False beyond `maxCharacters`. */
export function isSameJson(one: JsonValue, other: JsonValue, maxCharacters: number): boolean {
  const budget = { charactersLeft: maxCharacters, exceeded: false };
  const text = jsonFingerprint(one, budget);
  const otherBudget = { charactersLeft: maxCharacters, exceeded: false };
  return text === jsonFingerprint(other, otherBudget) && !budget.exceeded && !otherBudget.exceeded;
}
