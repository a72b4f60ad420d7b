import { type LocalizableText, l10nText } from "../text/language";
import type { Dialect, KeywordValues } from "./schemaRules";

/** The description of one keyword of JSON Schema, for all readers of a schema. */
export type KeywordRow = Annotation | Bound | Assertion | Applicator;

/** How a sentence uses the phrase for a limit: what a value must be, have or match. */
export type LimitShape = "be" | "have" | "match";

/** The phrase for a limit, in the shape that a sentence needs. `{value}` is the value of the keyword. */
type LimitPhrase =
  | { readonly be: NumberTexts }
  | { readonly have: NumberTexts }
  | { readonly match: NumberTexts };

interface EveryRow {
  readonly sort: "annotation" | "bound" | "assertion" | "applicator";
  /** The way in which the value of the keyword is read. It decides the value's type in the model. */
  readonly holds: keyof KeywordValues;
  /** The dialect that introduced the keyword. The default is draft-04. */
  readonly since?: Dialect;
  /** The keyword without which this one has no effect. */
  readonly beside?: "contains" | "if";
  readonly limit?: LimitPhrase | null;
  /**
   * What the keyword states, as a fact. The fact of a flag is shown if the flag is true, that of a subschema if it is
   * `false`. `{value}` is the value of the keyword, or the length of a list.
   */
  readonly states?: LocalizableText;
  /**
   * The name of the subschema in an outline: with `{number}`, `{index}` and `{count}` for a list, with `{name}` for a map. Null if
   * the outline shows the subschema in another form.
   */
  readonly part?: LocalizableText | null;
  /** The name of the keyword, if its value alone is not clear. */
  readonly title?: LocalizableText;
  /** The type of value that the keyword applies to. Absent for annotations. */
  readonly of?: ValueKind;
  readonly compared?: string;
}

/** A keyword that affects no verdict, in any dialect. */
interface Annotation extends EveryRow {
  readonly sort: "annotation";
  /**
   * The effect of a change: other behavior for a caller (`meaning`), a stricter or looser schema (`whole`), or only
   * other texts (`wording`).
   */
  readonly compared: "meaning" | "whole" | "wording";
}

/** A keyword whose number limits a measure of the value. The row defines it completely. */
export interface Bound extends EveryRow {
  readonly sort: "bound";
  readonly holds: "number" | "count";
  readonly of: ValueKind;
  readonly measures: "number" | "length" | "items" | "properties" | "matches";
  /** Whether a larger bound rejects more (`up`) or a smaller one (`down`). */
  readonly narrows: "up" | "down";
  /** For an exclusive bound, the bound that allows the limit itself. */
  readonly exclusiveOf?: "minimum" | "maximum";
  /** The opposite bound, and the phrase for a value whose two bounds are equal. */
  readonly exactly?: readonly ["maxLength" | "maxItems" | "maxProperties", ...NumberTexts];
  /** Null if the keyword is described together with another one. */
  readonly limit: LimitPhrase | null;
  readonly fails: NumberTexts;
}

/** A keyword other than a bound that restricts the value itself. */
interface Assertion extends EveryRow {
  readonly sort: "assertion";
  readonly of: ValueKind;
  /** Null if the keyword has words of its own. */
  readonly limit: LimitPhrase | null;
  /** How the keyword is compared: by its `own` code, or only by presence and value (`whole`). */
  readonly compared: "own" | "whole";
}

/** A keyword that applies subschemas. */
interface Applicator extends EveryRow {
  readonly sort: "applicator";
  readonly holds: "schema" | "schemas" | "schemaMap";
  readonly part: LocalizableText | null;
  readonly of: ValueKind;
  /** Whether its subschemas apply to the value itself (`here`) or to the values in it (`parts`). */
  readonly to: "here" | "parts";
}

type ValueKind = "any" | "number" | "string" | "array" | "object";

/** A text with a number in it, and another text for 1 where that reads better. */
type NumberTexts = readonly [text: LocalizableText, one?: LocalizableText];

const annotation = { sort: "annotation", compared: "wording" } as const;
const hint = { sort: "annotation", holds: "flag", compared: "meaning" } as const;
const content = { sort: "annotation", holds: "text", compared: "whole" } as const;
const allowed = { sort: "assertion", of: "any", compared: "own", limit: null } as const;
const form = { sort: "assertion", holds: "text", of: "string", compared: "whole" } as const;
const ofText = { sort: "bound", holds: "count", of: "string", measures: "length" } as const;
const ofItems = { sort: "bound", holds: "count", of: "array", measures: "items" } as const;
const ofNames = { sort: "bound", holds: "count", of: "object", measures: "properties" } as const;
const ofMatches = {
  sort: "bound",
  holds: "count",
  of: "array",
  measures: "matches",
  since: "2019-09",
  beside: "contains",
  limit: null,
} as const;
const ofNumber = { sort: "bound", holds: "number", of: "number", measures: "number" } as const;
const lower = { ...ofNumber, narrows: "up" } as const;
const upper = { ...ofNumber, narrows: "down" } as const;
const toItems = { sort: "applicator", of: "array", to: "parts" } as const;
const toProperties = { sort: "applicator", of: "object", to: "parts" } as const;
const combining = { sort: "applicator", of: "any", to: "here" } as const;
const branches = { ...combining, holds: "schemas" } as const;
const condition = {
  ...combining,
  holds: "schema",
  since: "draft-07",
  title: l10nText("conditional rules"),
} as const;
const isDependent = {
  of: "object",
  since: "2019-09",
  title: l10nText("dependent properties"),
  part: l10nText("when “{name}” is present"),
} as const;
const unevaluated = {
  sort: "applicator",
  holds: "schema",
  part: null,
  to: "parts",
  since: "2019-09",
} as const;

/**
 * All keywords that have an effect here, in the order in which they are read and shown. For a new row, the compiler
 * lists everything else that is missing.
 */
export const keywords = {
  types: { ...allowed, holds: "types" },
  enum: { ...allowed, holds: "list" },
  const: { ...allowed, holds: "value", since: "draft-06" },

  format: { ...form, limit: { have: [l10nText("format {value}")] } },
  minLength: {
    ...ofText,
    narrows: "up",
    limit: { have: [l10nText("at least {value} characters"), l10nText("at least one character")] },
    exactly: [
      "maxLength",
      l10nText("exactly {value} characters"),
      l10nText("exactly one character"),
    ],
    fails: [l10nText("Must have at least {limit} characters."), l10nText("Must not be empty.")],
  },
  maxLength: {
    ...ofText,
    narrows: "down",
    limit: { have: [l10nText("at most {value} characters"), l10nText("at most one character")] },
    fails: [
      l10nText("Must have at most {limit} characters."),
      l10nText("Must have at most 1 character."),
    ],
  },
  pattern: { ...form, limit: { match: [{ text: "/{value}/" }] } },

  minimum: {
    ...lower,
    limit: { be: [l10nText("{value} or more")] },
    fails: [l10nText("Must be {limit} or more.")],
  },
  exclusiveMinimum: {
    ...lower,
    exclusiveOf: "minimum",
    limit: { be: [l10nText("more than {value}")] },
    fails: [l10nText("Must be more than {limit}.")],
  },
  maximum: {
    ...upper,
    limit: { be: [l10nText("{value} or less")] },
    fails: [l10nText("Must be {limit} or less.")],
  },
  exclusiveMaximum: {
    ...upper,
    exclusiveOf: "maximum",
    limit: { be: [l10nText("less than {value}")] },
    fails: [l10nText("Must be less than {limit}.")],
  },
  multipleOf: {
    sort: "assertion",
    holds: "number",
    of: "number",
    compared: "own",
    limit: { be: [l10nText("a multiple of {value}")] },
  },

  minItems: {
    ...ofItems,
    narrows: "up",
    limit: { have: [l10nText("at least {value} items"), l10nText("at least one item")] },
    exactly: ["maxItems", l10nText("exactly {value} items"), l10nText("exactly one item")],
    fails: [l10nText("Must have at least {limit} items."), l10nText("Must not be empty.")],
  },
  maxItems: {
    ...ofItems,
    narrows: "down",
    limit: { have: [l10nText("at most {value} items"), l10nText("at most one item")] },
    fails: [l10nText("Must have at most {limit} items."), l10nText("Must have at most 1 item.")],
  },
  uniqueItems: {
    sort: "assertion",
    holds: "flag",
    of: "array",
    compared: "own",
    limit: { have: [l10nText("unique items")] },
  },
  prefixItems: { ...toItems, holds: "schemas", part: l10nText("item [{index}]") },
  items: {
    ...toItems,
    holds: "schema",
    part: l10nText("each item"),
    states: l10nText("no further items"),
  },
  contains: {
    ...toItems,
    holds: "schema",
    part: l10nText("at least one item"),
    since: "draft-06",
  },
  minContains: {
    ...ofMatches,
    narrows: "up",
    fails: [
      l10nText('At least {limit} items must match "contains", not {count}.'),
      l10nText('At least one item must match "contains".'),
    ],
  },
  maxContains: {
    ...ofMatches,
    narrows: "down",
    fails: [
      l10nText('At most {limit} items may match "contains", not {count}.'),
      l10nText('At most 1 item may match "contains", not {count}.'),
    ],
  },
  unevaluatedItems: { ...unevaluated, of: "array", title: l10nText("further items") },

  minProperties: {
    ...ofNames,
    narrows: "up",
    limit: { have: [l10nText("at least {value} properties"), l10nText("at least one property")] },
    exactly: [
      "maxProperties",
      l10nText("exactly {value} properties"),
      l10nText("exactly one property"),
    ],
    fails: [
      l10nText("Must have at least {limit} properties."),
      l10nText("Must have at least 1 property."),
    ],
  },
  maxProperties: {
    ...ofNames,
    narrows: "down",
    limit: { have: [l10nText("at most {value} properties"), l10nText("at most one property")] },
    fails: [
      l10nText("Must have at most {limit} properties."),
      l10nText("Must have at most 1 property."),
    ],
  },
  properties: { ...toProperties, holds: "schemaMap", part: null },
  required: { sort: "assertion", holds: "texts", of: "object", compared: "own", limit: null },
  patternProperties: {
    ...toProperties,
    holds: "schemaMap",
    part: l10nText("names that match /{name}/"),
  },
  additionalProperties: {
    ...toProperties,
    holds: "schema",
    part: l10nText("any other property"),
    states: l10nText("no other properties"),
  },
  propertyNames: {
    ...toProperties,
    holds: "schema",
    part: l10nText("every property name"),
    since: "draft-06",
    title: l10nText("property names"),
  },
  unevaluatedProperties: { ...unevaluated, of: "object", states: l10nText("no other properties") },

  allOf: { ...branches, part: null },
  oneOf: {
    ...branches,
    part: l10nText("option {number} of {count}"),
    states: l10nText("exactly one of {value} options"),
  },
  anyOf: {
    ...branches,
    part: l10nText("choice {number} of {count}"),
    states: l10nText("one or more of {value} choices"),
  },
  not: { ...combining, holds: "schema", part: l10nText("not") },
  if: { ...condition, part: l10nText("if") },
  // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
  then: { ...condition, part: l10nText("then"), beside: "if" },
  else: { ...condition, part: l10nText("else"), beside: "if" },
  dependentSchemas: { ...isDependent, sort: "applicator", holds: "schemaMap", to: "here" },
  dependentRequired: {
    ...isDependent,
    sort: "assertion",
    holds: "textsMap",
    compared: "whole",
    limit: null,
  },

  title: { ...annotation, holds: "text" },
  description: { ...annotation, holds: "text" },
  errorMessage: { ...annotation, holds: "messages" },
  default: { ...annotation, holds: "value", compared: "meaning" },
  examples: { ...annotation, holds: "list" },
  /** OpenAPI's keyword for a single example. */
  example: { ...annotation, holds: "value" },
  deprecated: { ...hint },
  contentEncoding: { ...content, states: l10nText("encoding {value}") },
  contentMediaType: { ...content, states: l10nText("content type {value}") },
  readOnly: { ...hint, states: l10nText("set by the skill") },
  writeOnly: { ...hint, states: l10nText("never returned") },
} as const satisfies Record<string, KeywordRow>;

/** The name of a keyword in the model: as in a schema, except for `types`. */
export type Keyword = keyof typeof keywords;

/** All keywords, in the order of the table. */
export const keywordNames = Object.keys(keywords) as readonly Keyword[];

/** The keywords whose row has these members. */
export type KeywordWith<Part> = {
  [Name in Keyword]: (typeof keywords)[Name] extends Part ? Name : never;
}[Keyword];

/** A keyword that can affect whether a value is valid. */
export type DecidingKeyword = Exclude<Keyword, KeywordWith<{ sort: "annotation" }>>;

/** All keywords that can affect a verdict, in the order of the table. */
export const decidingKeywords = keywordNames.filter(
  (keyword) => keywords[keyword].sort !== "annotation",
) as readonly DecidingKeyword[];

/** Returns the row of a keyword. Members that only bounds have are optional. */
export function rowOf(keyword: Keyword): EveryRow & Partial<Omit<Bound, keyof EveryRow>> {
  return keywords[keyword];
}

/** Returns whether the model has a keyword of this name. */
export function isKeyword(name: string): name is Keyword {
  return Object.hasOwn(keywords, name);
}

/** Lists the keywords whose row has these members, in the order of the table. */
export function keywordsWith<const Part extends PartOfRow>(
  part: Part,
): readonly KeywordWith<Part>[] {
  const members = Object.entries(part);
  return (keywordNames as readonly KeywordWith<Part>[]).filter((name) => {
    const row: Readonly<Record<string, unknown>> = { ...keywords[name] };
    return members.every(([key, value]) => row[key] === value);
  });
}

type PartOfRow = Partial<Annotation> | Partial<Bound> | Partial<Assertion> | Partial<Applicator>;
