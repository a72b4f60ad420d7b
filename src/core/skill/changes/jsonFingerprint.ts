import { isJsonObject, type JsonValue } from "../../text/json";

/** How much may be read of the values that are compared, over all of them. */
export interface ReadingBudget {
  charactersLeft: number;
  /** True once something was too large to be read to its end. */
  exceeded: boolean;
}

/**
 * Writes a JSON value so that two values are equal exactly when their texts are, whatever the order
 * of their members. Where the budget ends or a value is nested too deep, the text ends early.
 */
export function jsonFingerprint(value: JsonValue | undefined, budget: ReadingBudget): string {
  const parts: string[] = [];
  write(value, 0);
  return parts.join("");

  function write(part: JsonValue | undefined, depth: number): void {
    if (budget.charactersLeft <= 0 || depth > maxDepth) {
      budget.exceeded = true;
      return;
    }
    if (Array.isArray(part)) {
      put("[");
      for (const [index, item] of part.entries()) {
        if (budget.exceeded) return;
        if (index > 0) put(",");
        write(item, depth + 1);
      }
      put("]");
    } else if (isJsonObject(part)) {
      put("{");
      for (const [index, name] of Object.keys(part).sort().entries()) {
        if (budget.exceeded) return;
        if (index > 0) put(",");
        putText(name);
        put(":");
        write(part[name], depth + 1);
      }
      put("}");
    } else if (typeof part === "string") {
      putText(part);
    } else {
      put(JSON.stringify(part) ?? "");
    }
  }

  function putText(text: string): void {
    if (text.length > budget.charactersLeft) budget.exceeded = true;
    put(JSON.stringify(text.slice(0, Math.max(0, budget.charactersLeft))));
  }

  function put(text: string): void {
    budget.charactersLeft -= text.length;
    parts.push(text);
  }
}

const maxDepth = 100;

/** Tells whether two JSON values are the same but for the order of members. False beyond `maxCharacters`. */
export function isSameJson(one: JsonValue, other: JsonValue, maxCharacters: number): boolean {
  const budget = { charactersLeft: maxCharacters, exceeded: false };
  const text = jsonFingerprint(one, budget);
  const otherBudget = { charactersLeft: maxCharacters, exceeded: false };
  return text === jsonFingerprint(other, otherBudget) && !budget.exceeded && !otherBudget.exceeded;
}
