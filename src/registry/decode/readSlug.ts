import type { JsonValue } from "../../core/text/json";

/**
 * Reads a skill's slug. Wider than the manifest's rule, and still safe in a route and a file name.
 * Undefined for anything else.
 */
export function readSlug(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && /^[a-z0-9](?:[a-z0-9._-]{0,126}[a-z0-9])?$/i.test(value)
    ? value
    : undefined;
}
