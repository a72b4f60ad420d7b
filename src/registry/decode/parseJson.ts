import type { JsonValue } from "../../core/text/json";

/** Deeper nesting than any real manifest, and shallow enough for whatever walks it by recursion. */
const maxDepth = 1000;

/**
 * Parses a body: UTF-8 with or without a byte order mark, invalid bytes replaced. Undefined where it
 * is not JSON, or nested deeper than 1,000 levels.
 */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as JsonValue;
    return isDeeperThan(value, maxDepth) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Walks level by level: a recursive walk is what deep nesting would break. */
function isDeeperThan(value: JsonValue, limit: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(
  value: JsonValue,
): value is Exclude<JsonValue, string | number | boolean | null> {
  return typeof value === "object" && value !== null;
}
