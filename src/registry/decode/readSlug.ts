import { isSlug } from "../../core/skill/slug";
import type { JsonValue } from "../../core/text/json";

/** Reads a skill's slug. Undefined for anything that cannot be one. */
export function readSlug(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && isSlug(value) ? value : undefined;
}
