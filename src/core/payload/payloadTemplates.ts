import { isJsonObject, type JsonValue, parsedJson } from "../json/jsonValue";
import { jsonFileEnding } from "../schema/read/jsonFileEnding";
import type { SamplePayload, SamplePayloadOptions } from "../schema/sample/samplePayload";
import type { ValueSteps } from "../schema/sample/unfilledValue";
import type { SkillDetail } from "../skill/skill";
import type { Language } from "../text/language";
import { labelText } from "../text/plainText";
import { type ContainerText, type MemberText, readContainer } from "./fixes/textEdit";

/** The content of a new payload: only required properties, every property, or an example by its index. */
export type TemplateKind = "minimal" | "full" | number;

/** A payload that can be written for a skill. */
export interface PayloadTemplate extends OpenablePayload {
  readonly kind: TemplateKind;
  /** Sentences about parts that could not be made valid. */
  readonly notes: readonly string[];
  /** The steps to each value that was left to the user. */
  readonly empty: readonly ValueSteps[];
}

/** Creates a payload from a skill's schema, in the language thread. */
export type MakeSample = (
  skill: SkillDetail,
  options: SamplePayloadOptions,
) => Promise<SamplePayload>;

/** Lists the possible contents of a payload: the examples, required properties, all properties. */
export function templateKinds(skill: SkillDetail): TemplateKind[] {
  return [...skill.examples.keys(), "minimal", "full"];
}

/** Names the content of a payload, for a label. */
export function templateTitle(skill: SkillDetail, kind: TemplateKind, { t }: Language): string {
  if (typeof kind === "number") {
    const name = skill.examples[kind]?.name ?? "";
    return labelText(t("Example {number}: {name}", { number: kind + 1, name }), 80);
  }
  return kind === "full" ? t("All properties") : t("What the skill requires");
}

/** Names the action that writes a payload, for a label. */
export function fillTitle(skill: SkillDetail, kind: TemplateKind, { t }: Language): string {
  if (kind === "minimal") return labelText(t("Fill with required properties"));
  if (kind === "full") return labelText(t("Fill with all properties"));
  const name = skill.examples[kind]?.name ?? "";
  return labelText(t("Fill from example {number}: {name}", { number: kind + 1, name }));
}

/** Lists the templates of a skill. Omits one that equals an earlier one. */
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

/** Returns one template of a skill; undefined for a missing example. */
export async function payloadTemplate(
  skill: SkillDetail,
  kind: TemplateKind,
  makeSample: MakeSample,
): Promise<PayloadTemplate | undefined> {
  if (typeof kind === "number") {
    const example = skill.examples[kind];
    return example && { kind, ...withoutSchemaAddress(example.input), notes: [], empty: [] };
  }
  return sampleTemplate(skill, kind, makeSample);
}

/**
 * Creates a payload from a skill's schema, with values of its examples. In the mode `example`, it is the first example
 * that the schema accepts. Values that nobody gave are left to the user.
 */
export async function sampleTemplate(
  skill: SkillDetail,
  mode: SamplePayloadOptions["mode"],
  makeSample: MakeSample,
): Promise<PayloadTemplate> {
  const examples = skill.examples.map(({ input }) => input);
  const options = { mode, examples, leavesTexts: true };
  const { value, notes, empty = [] } = await makeSample(skill, options);
  const kind = mode === "full" ? "full" : "minimal";
  return { kind, ...withoutSchemaAddress(value as JsonValue), notes, empty };
}

/** A payload that is safe to open, and its removed `$schema`, if any. */
export interface OpenablePayload {
  readonly value: JsonValue;
  /** The removed `$schema`; undefined if there was none. If it was not a string, it is written as JSON. */
  readonly removedSchema: string | undefined;
}

/**
 * Removes a non-standard `$schema` from the root of a registry's payload, since the editor's JSON support would fetch
 * it as soon as the payload is open.
 */
export function withoutSchemaAddress(value: JsonValue): OpenablePayload {
  if (!isJsonObject(value) || jsonFileEnding(value) === "json")
    return { value, removedSchema: undefined };
  const { $schema: named, ...rest } = value;
  return { value: rest, removedSchema: typeof named === "string" ? named : JSON.stringify(named) };
}

/**
 * Removes a non-standard `$schema` from a JSON text, and keeps everything else as written. If the text has several, the
 * editor may use another one than we do, so all are removed if any is non-standard.
 */
export function textWithoutSchemaAddress(
  text: string,
): Pick<OpenablePayload, "removedSchema"> & { readonly text: string } {
  const { members } = readContainer(text, text.search(/\S/), Number.POSITIVE_INFINITY) ?? noMembers;
  const isNamed = ({ name }: MemberText) => name === "$schema";
  const named = members.filter(isNamed);
  const [removedSchema] = named.flatMap(({ start, end }) => {
    const member = parsedJson(`{${text.slice(start, end)}}`) ?? null;
    return withoutSchemaAddress(member).removedSchema ?? [];
  });
  const [first, second] = members;
  if (removedSchema === undefined || first === undefined) return { text, removedSchema };
  const between = text.slice(first.end, second?.start ?? first.end);
  const otherMembers = members
    .filter((member) => !isNamed(member))
    .map(({ start, end }) => text.slice(start, end));
  const rest = text.slice(members.at(-1)?.end);
  const start =
    otherMembers.length === 0 ? text.slice(0, first.start).trimEnd() : text.slice(0, first.start);
  return {
    text:
      start + otherMembers.join(between) + (otherMembers.length === 0 ? rest.trimStart() : rest),
    removedSchema,
  };
}

const noMembers: Pick<ContainerText, "members"> = { members: [] };
