import { shownJson } from "../../json/printJson";
import { andList, type Language, orList } from "../../text/language";
import { shortened } from "../../text/plainText";
import { allowedValues, statedTypes } from "../allowedValues";
import { decidingKeywords, type Keyword, type LimitShape, rowOf } from "../keywords";
import { requiredNames } from "../objectNames";
import { limitPhrases } from "../schemaLimits";
import { type SchemaRules, schemaLayers } from "../schemaRules";
import { typeName } from "./typeName";

/**
 * What a schema requires of a value, in words: what it must be, have and match, and the members it must have. It is
 * complete, so that its opposite is true as well.
 */
interface Requirement extends Readonly<Record<LimitShape, readonly string[]>> {
  readonly members: readonly MemberRequirement[];
}

interface MemberRequirement {
  readonly name: string;
  /** What the member must be, as a noun. Absent if any value is allowed. */
  readonly value?: string;
}

/** Says that a value must match a schema, the one under `keyword`. */
export function mustText(
  rules: SchemaRules | undefined,
  keyword: Keyword,
  language: Language,
): string {
  const { t } = language;
  const [shape, form] = phraseOf(requirementOf(rules, language), memberText, language);
  if (shape === "be") return t("Must be {wanted}.", { wanted: form });
  if (shape === "have") return t("Must have {names}.", { names: form });
  return shape === "match"
    ? t("Must match {form}.", { form })
    : t("Must match the schema under {keyword}.", { keyword: `"${keyword}"` });
}

/** Says that a value must not match a schema, the one under `keyword`. */
export function mustNotText(
  rules: SchemaRules | undefined,
  keyword: Keyword,
  language: Language,
): string {
  const { t } = language;
  const found = requirementOf(rules, language);
  const [shape, form] = phraseOf(found, memberWithText, language);
  if (shape === "be") return t("Must not be {form}.", { form });
  if (shape === "have") {
    const isOne = found !== undefined && found.have.length + found.members.length === 1;
    return isOne
      ? t("Must not have {names}.", { names: form })
      : t("Must not have {names} together.", { names: form });
  }
  return shape === "match"
    ? t("Must not match {form}.", { form })
    : t("Must not match the schema under {keyword}.", { keyword: `"${keyword}"` });
}

/** Says that at least one item must match a schema. */
export function containsText(rules: SchemaRules | undefined, language: Language): string {
  const { t } = language;
  const [shape, form] = phraseOf(requirementOf(rules, language), memberText, language);
  if (shape === "be") return t("At least one item must be {form}.", { form });
  if (shape === "have") return t("At least one item must have {names}.", { names: form });
  return shape === "match"
    ? t("At least one item must match {form}.", { form })
    : t('At least one item must match "contains".');
}

/** Says that nothing is allowed where a condition holds. A condition on a member also holds without that member. */
export function notAllowedWhereText(rules: SchemaRules | undefined, language: Language): string {
  const { t } = language;
  const found = requirementOf(rules, language, true);
  const hasOthers = found !== undefined && [...found.be, ...found.have, ...found.match].length > 0;
  if (found === undefined || hasOthers || found.members.length === 0) {
    return mustNotText(rules, "if", language);
  }
  const conditions = found.members.map(({ name, value }) =>
    value === undefined
      ? t("“{name}” is present", { name: shortName(name) })
      : t("“{name}” is {value}", { name: shortName(name), value }),
  );
  return t("Not allowed where {conditions}.", { conditions: andList(conditions, language) });
}

type MemberText = (member: MemberRequirement, language: Language) => string;

const memberText: MemberText = ({ name, value }, { t }) =>
  value === undefined
    ? t("“{name}”", { name: shortName(name) })
    : t("“{name}”: {value}", { name: shortName(name), value });

const memberWithText: MemberText = ({ name, value }, language) => {
  const text = memberText({ name }, language);
  return value === undefined ? text : language.t("{name} with {value}", { name: text, value });
};

/** Returns the shape of the sentence for a requirement, and its words. Without a shape, there are no words for it. */
function phraseOf(
  requirement: Requirement | undefined,
  textOf: MemberText,
  language: Language,
): [shape: LimitShape | undefined, words: string] {
  if (requirement === undefined) return [undefined, ""];
  const { be, match, members } = requirement;
  const have = [...requirement.have, ...members.map((member) => textOf(member, language))];
  const shapes = { be, have, match };
  const [shape, ...others] = (["be", "have", "match"] as const).filter(
    (name) => shapes[name].length > 0,
  );
  if (shape === undefined) return [undefined, ""];
  if (others.length > 0) return ["be", nounOf(shapes, language)];
  return [shape, shape === "be" ? be.join(", ") : andList(shapes[shape], language)];
}

function nounOf(
  { be, have, match }: Readonly<Record<LimitShape, readonly string[]>>,
  language: Language,
): string {
  const { t } = language;
  let noun = be.length > 0 ? be.join(", ") : t("a value");
  if (have.length > 0) noun = t("{noun} with {names}", { noun, names: andList(have, language) });
  if (match.length > 0) {
    noun = t("{noun} that matches {form}", { noun, form: andList(match, language) });
  }
  return noun;
}

/** The maximum depth of members in a sentence. */
const maxDepth = 2;
/** The maximum number of parts and members in a sentence. */
const maxParts = 10;

/** Returns the requirement of a schema; undefined if words cannot say all of it. */
function requirementOf(
  rules: SchemaRules | undefined,
  language: Language,
  mayLack = false,
  depth = 0,
): Requirement | undefined {
  if (rules === undefined || depth > maxDepth) return undefined;
  const { layers, impossible, repeated, unresolved, isComplete } = schemaLayers([rules]);
  if (impossible || repeated.length > 0 || unresolved.length > 0 || !isComplete) return undefined;
  if (!layers.every((layer) => decidingKeywords.every((keyword) => hasWords(keyword, layer)))) {
    return undefined;
  }
  const members = membersOf(layers, language, mayLack, depth);
  const choices = layers.flatMap((layer) => choicesOf(layer, language, depth));
  if (members === undefined || choices.includes(undefined)) return undefined;
  const phrases = layers.flatMap((layer) => limitPhrases(layer, language));
  const textsOf = (shape: LimitShape) => [
    ...new Set(phrases.filter((phrase) => phrase.shape === shape).map(({ text }) => text)),
  ];
  const values = allowedValues(layers);
  // Only an object has members, so its type goes without saying.
  const types = (statedTypes(layers) ?? []).filter(
    (type) => type !== "object" || members.length === 0,
  );
  const own =
    values === undefined
      ? alternatives(
          types.map((type) => typeName(type, language)),
          language,
        )
      : alternatives(
          values.map((value) => shownJson(value, 60)),
          language,
        );
  const be = [own, ...choices, ...textsOf("be")].filter((text) => text !== undefined);
  const found = {
    be: be.filter((text) => text !== ""),
    have: textsOf("have"),
    match: textsOf("match"),
    members,
  };
  const count = found.be.length + found.have.length + found.match.length + members.length;
  return count > 0 && count <= maxParts ? found : undefined;
}

const inWords: readonly Keyword[] = [
  "types",
  "enum",
  "const",
  "required",
  "properties",
  "allOf",
  "anyOf",
  "oneOf",
];

/** Returns whether a layer lacks a keyword, or there are words for it. */
function hasWords(keyword: Keyword, layer: SchemaRules): boolean {
  const value = layer[keyword];
  if (value === undefined || inWords.includes(keyword)) return true;
  if (typeof value === "object" && value !== null && "source" in value) {
    return allowsAny(value as SchemaRules);
  }
  return (rowOf(keyword).limit ?? undefined) !== undefined;
}

function allowsAny({ source }: SchemaRules): boolean {
  return source === true || Object.keys(Object(source)).length === 0;
}

function membersOf(
  layers: readonly SchemaRules[],
  language: Language,
  mayLack: boolean,
  depth: number,
): readonly MemberRequirement[] | undefined {
  const values = new Map<string, string | undefined>();
  const required = requiredNames(layers);
  for (const name of required) values.set(name, undefined);
  for (const [name, rules] of layers.flatMap(({ properties }) => [...(properties ?? [])])) {
    if (!rules.never && allowsAny(rules)) continue;
    const found = requirementOf(rules, language, false, depth + 1);
    // "Must have" would be wrong for a member that may be missing.
    const isSaid = found !== undefined && values.get(name) === undefined;
    if (!isSaid || !(mayLack || required.has(name))) return undefined;
    const have = [...found.have, ...found.members.map((member) => memberText(member, language))];
    values.set(name, nounOf({ ...found, have }, language));
  }
  return [...values].map(([name, value]) => (value === undefined ? { name } : { name, value }));
}

/** Names what the branches of a layer allow. Undefined for branches that no list of nouns can say. */
function choicesOf(
  { anyOf, oneOf }: SchemaRules,
  language: Language,
  depth: number,
): readonly (string | undefined)[] {
  return [anyOf, oneOf].flatMap((branches) => {
    if (branches === undefined) return [];
    const texts = branches.map((branch) => {
      const { layers } = schemaLayers([branch]);
      if (branches === oneOf && allowedValues(layers) === undefined) return undefined;
      const found = requirementOf(branch, language, false, depth + 1);
      const [shape, text] = phraseOf(found, memberText, language);
      return shape === "be" ? text : undefined;
    });
    const nouns = texts.filter((text) => text !== undefined);
    return [nouns.length === texts.length ? alternatives(nouns, language) : undefined];
  });
}

/** Joins alternatives: `a, b or c`. Names at most ten and counts the others. */
export function alternatives(words: readonly string[], language: Language): string {
  if (words.length <= 10) return orList(words, language);
  const shown = words.slice(0, 10);
  const count = words.length - shown.length;
  return language.t("{values} or {count} more", { values: shown.join(", "), count });
}

function shortName(name: string): string {
  return shortened(name, 60);
}
