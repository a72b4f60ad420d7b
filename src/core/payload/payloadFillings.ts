import { samplePayload } from "../sampling/samplePayload";
import type { SkillDetail } from "../skill/skill";
import type { JsonValue } from "../text/json";
import { labelText } from "../text/plainText";

/** A first input for a skill: only what is required, every property, or an example by its number from 0. */
export type FillingKind = "minimal" | "full" | number;

/** An input that can be written for a skill, with what could not be made valid in it. */
export interface PayloadFilling {
  readonly kind: FillingKind;
  /** Fit for a label. */
  readonly title: string;
  readonly value: JsonValue;
  readonly notes: readonly string[];
}

const maxExamples = 50;

/**
 * Lists the inputs that make sense for a skill: its examples, then what the schema requires, then all
 * the schema names. One that says the same as an earlier one is left out.
 */
export function payloadFillings(skill: SkillDetail): PayloadFilling[] {
  const examples = skill.examples.slice(0, maxExamples).keys();
  const kinds: FillingKind[] = [...examples, "minimal", "full"];
  const seen = new Set<string>();
  return kinds.flatMap((kind) => {
    const filling = payloadFilling(skill, kind);
    const text = JSON.stringify(filling?.value);
    if (filling === undefined || seen.has(text)) return [];
    seen.add(text);
    return [filling];
  });
}

/** Answers one input for a skill; undefined for an example it does not have. */
export function payloadFilling(skill: SkillDetail, kind: FillingKind): PayloadFilling | undefined {
  if (typeof kind === "number") {
    const example = skill.examples[kind];
    if (example === undefined) return undefined;
    const title = labelText(`Example ${kind + 1}: ${example.name}`, 80);
    return { kind, title, value: example.input, notes: [] };
  }
  const title = kind === "full" ? "Everything the skill takes" : "What the skill requires";
  const { value, notes } = samplePayload(skill.inputSchema, { mode: kind });
  return { kind, title, value: value as JsonValue, notes };
}
