import type { SamplePayload, SamplePayloadOptions } from "../sampling/samplePayload";
import type { SkillDetail } from "../skill/skill";
import type { JsonValue } from "../text/json";
import type { Language } from "../text/language";
import { labelText } from "../text/plainText";
import { type OpenableInput, withoutSchemaAddress } from "./withoutSchemaAddress";

/** A first input for a skill: only what is required, every property, or an example by its number from 0. */
export type FillingKind = "minimal" | "full" | number;

/** An input that can be written for a skill. */
export interface PayloadFilling extends OpenableInput {
  readonly kind: FillingKind;
  /** What could not be made valid in it, in sentences. */
  readonly notes: readonly string[];
}

/** Makes an input from a skill's schema where that holds nobody up. */
export type MakeSample = (
  skill: SkillDetail,
  options: SamplePayloadOptions,
) => Promise<SamplePayload>;

const maxExamples = 50;

/** Lists what an input for a skill can start from: its examples, what is required, everything. */
export function fillingKinds(skill: SkillDetail): FillingKind[] {
  return [...skill.examples.slice(0, maxExamples).keys(), "minimal", "full"];
}

/** Names what an input can start from, fit for a label. */
export function fillingTitle(skill: SkillDetail, kind: FillingKind, { t }: Language): string {
  if (typeof kind === "number") {
    const name = skill.examples[kind]?.name ?? "";
    return labelText(t("Example {number}: {name}", { number: kind + 1, name }), 80);
  }
  return kind === "full" ? t("Everything the skill takes") : t("What the skill requires");
}

/** Lists the inputs that make sense for a skill. One that says the same as an earlier one is left out. */
export async function payloadFillings(
  skill: SkillDetail,
  makeSample: MakeSample,
): Promise<PayloadFilling[]> {
  const fillings = await Promise.all(
    fillingKinds(skill).map((kind) => payloadFilling(skill, kind, makeSample)),
  );
  const seen = new Set<string>();
  return fillings.flatMap((filling) => {
    const text = JSON.stringify(filling?.value);
    if (filling === undefined || seen.has(text)) return [];
    seen.add(text);
    return [filling];
  });
}

/** Answers one input for a skill; undefined for an example it does not have. */
export async function payloadFilling(
  skill: SkillDetail,
  kind: FillingKind,
  makeSample: MakeSample,
): Promise<PayloadFilling | undefined> {
  if (typeof kind === "number") {
    const example = skill.examples[kind];
    return example && { kind, ...withoutSchemaAddress(example.input), notes: [] };
  }
  return sampleFilling(skill, kind, makeSample);
}

/**
 * Answers an input that is made from a skill's schema with the values of its examples, or with
 * `example` the first of these that the schema accepts.
 */
export async function sampleFilling(
  skill: SkillDetail,
  mode: SamplePayloadOptions["mode"],
  makeSample: MakeSample,
): Promise<PayloadFilling> {
  const examples = skill.examples.slice(0, maxExamples).map(({ input }) => input);
  const { value, notes } = await makeSample(skill, { mode, examples });
  const kind = mode === "full" ? "full" : "minimal";
  return { kind, ...withoutSchemaAddress(value as JsonValue), notes };
}
