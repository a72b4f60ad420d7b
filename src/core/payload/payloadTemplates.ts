import { isJsonObject, type JsonValue, parsedJson } from "../json/jsonValue";
import type { SamplePayload, SamplePayloadOptions } from "../schema/sample/samplePayload";
import type { SkillDetail } from "../skill/skill";
import { jsonFileEnding } from "../text/jsonFileEnding";
import type { Language } from "../text/language";
import { labelText } from "../text/plainText";
import { type ContainerText, type MemberText, readContainer } from "./fixes/textEdit";

/** What a new payload starts from: only required properties, every property, or an example by its number from 0. */
export type TemplateKind = "minimal" | "full" | number;

/** A payload that can be written for a skill. */
export interface PayloadTemplate extends OpenablePayload {
  readonly kind: TemplateKind;
  /** What could not be made valid in it, in sentences. */
  readonly notes: readonly string[];
}

/** Makes a payload from a skill's schema, off the editor's thread. */
export type MakeSample = (
  skill: SkillDetail,
  options: SamplePayloadOptions,
) => Promise<SamplePayload>;

/** Lists what a payload for a skill can start from: its examples, required properties, all properties. */
export function templateKinds(skill: SkillDetail): TemplateKind[] {
  return [...skill.examples.keys(), "minimal", "full"];
}

/** Names a starting point of a payload, for a label. */
export function templateTitle(skill: SkillDetail, kind: TemplateKind, { t }: Language): string {
  if (typeof kind === "number") {
    const name = skill.examples[kind]?.name ?? "";
    return labelText(t("Example {number}: {name}", { number: kind + 1, name }), 80);
  }
  return kind === "full" ? t("All properties") : t("What the skill requires");
}

/** Names the action that writes a starting point into a payload, for a label. */
export function fillTitle(skill: SkillDetail, kind: TemplateKind, { t }: Language): string {
  if (kind === "minimal") return labelText(t("Fill with required properties"));
  if (kind === "full") return labelText(t("Fill with all properties"));
  const name = skill.examples[kind]?.name ?? "";
  return labelText(t("Fill from example {number}: {name}", { number: kind + 1, name }));
}

/** Lists the templates of a skill. One that equals an earlier one is left out. */
export async function payloadTemplates(
  skill: SkillDetail,
  makeSample: MakeSample,
): Promise<PayloadTemplate[]> {
  const templates = await Promise.all(
    templateKinds(skill).map((kind) => payloadTemplate(skill, kind, makeSample)),
  );
  const seen = new Set<string>();
  return templates.flatMap((template) => {
    const text = JSON.stringify(template?.value);
    if (template === undefined || seen.has(text)) return [];
    seen.add(text);
    return [template];
  });
}

/** Returns one template of a skill; undefined for an example it does not have. */
export async function payloadTemplate(
  skill: SkillDetail,
  kind: TemplateKind,
  makeSample: MakeSample,
): Promise<PayloadTemplate | undefined> {
  if (typeof kind === "number") {
    const example = skill.examples[kind];
    return example && { kind, ...withoutSchemaAddress(example.input), notes: [] };
  }
  return sampleTemplate(skill, kind, makeSample);
}

/**
 * Returns a payload that is made from a skill's schema with the values of its examples, or with
 * `example` the first of these that the schema accepts.
 */
export async function sampleTemplate(
  skill: SkillDetail,
  mode: SamplePayloadOptions["mode"],
  makeSample: MakeSample,
): Promise<PayloadTemplate> {
  const examples = skill.examples.map(({ input }) => input);
  const { value, notes } = await makeSample(skill, { mode, examples });
  const kind = mode === "full" ? "full" : "minimal";
  return { kind, ...withoutSchemaAddress(value as JsonValue), notes };
}

/** A payload that is safe to open, and what its `$schema` named, where that was left out. */
export interface OpenablePayload {
  readonly value: JsonValue;
  /** Undefined where nothing was left out. A `$schema` that is not a string is written as JSON. */
  readonly leftOut: string | undefined;
}

/**
 * Leaves a `$schema` that names something other than the standard's own out of the root of a payload
 * that comes from a registry: the editor's JSON support would fetch it as soon as the payload is open.
 */
export function withoutSchemaAddress(value: JsonValue): OpenablePayload {
  if (!isJsonObject(value) || jsonFileEnding(value) === "json")
    return { value, leftOut: undefined };
  const { $schema: named, ...rest } = value;
  return { value: rest, leftOut: typeof named === "string" ? named : JSON.stringify(named) };
}

/**
 * Leaves it out of a JSON text from elsewhere likewise; everything else stays as it is written. Of several such names the
 * editor may use another one than we do: where one of them names something else, all go.
 */
export function textWithoutSchemaAddress(
  text: string,
): Pick<OpenablePayload, "leftOut"> & { readonly text: string } {
  const { members } = readContainer(text, text.search(/\S/), Number.POSITIVE_INFINITY) ?? noMembers;
  const isNamed = ({ name }: MemberText) => name === "$schema";
  const named = members.filter(isNamed);
  const [leftOut] = named.flatMap(({ start, end }) => {
    const member = parsedJson(`{${text.slice(start, end)}}`) ?? null;
    return withoutSchemaAddress(member).leftOut ?? [];
  });
  const [first, second] = members;
  if (leftOut === undefined || first === undefined) return { text, leftOut };
  const between = text.slice(first.end, second?.start ?? first.end);
  const kept = members
    .filter((member) => !isNamed(member))
    .map(({ start, end }) => text.slice(start, end));
  const rest = text.slice(members.at(-1)?.end);
  const start =
    kept.length === 0 ? text.slice(0, first.start).trimEnd() : text.slice(0, first.start);
  return {
    text: start + kept.join(between) + (kept.length === 0 ? rest.trimStart() : rest),
    leftOut,
  };
}

const noMembers: Pick<ContainerText, "members"> = { members: [] };
