import type { SkillDetail } from "../../skill/skill";
import type { JsonValue } from "../../text/json";

/**
 * Names what a caller agrees to when calling a skill: its permissions, input schema and runtime. Two
 * skills that differ in none of them, whatever the order of members, have the same name. `digest`
 * makes a short text of a long one, such as SHA-256 in hex.
 */
export function contractHash(skill: SkillDetail, digest: (text: string) => string): string {
  const { permissions, inputSchema, runtime } = skill;
  const parts = { permissions, inputSchema, runtime };
  return digest(canonicalJson(parts as unknown as JsonValue));
}

/** Writes a value as JSON with sorted members. What the decoder lets through is at most 1,000 deep. */
export function canonicalJson(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(",")}}`;
}
