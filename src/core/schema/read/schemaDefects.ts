import { pointerStep } from "../../json/jsonPointer";
import { type LocalizableText, l10nText } from "../../text/language";
import { shortened } from "../../text/plainText";
import { keywordsWith } from "../keywords";
import { type SchemaRules, schemasOf } from "../schemaRules";

/** An omitted part of a schema, which cannot be applied. */
export interface SchemaDefect {
  readonly why: RefusalCause;
  /** A plain sentence that names the part. */
  readonly reason: LocalizableText;
  /** The JSON pointer in the skill's schema. Undefined in another document. */
  readonly pointer: string | undefined;
}

/** Collects the defects of one schema: the first one, and the number of all. */
export class SchemaDefects {
  first: SchemaDefect | undefined;
  count = 0;
  /** The first defect that makes the whole schema ambiguous. */
  refusal: SchemaRefusal | undefined;

  /** Records that no verdict may depend on the schema. */
  refuse(why: RefusalCause, reason: LocalizableText): void {
    this.refusal ??= { why, reason };
  }

  /** Records that the value at a path below a schema is omitted. The path "" is the schema itself. */
  add(
    rules: SchemaRules,
    path: string,
    reason: LocalizableText,
    why: RefusalCause = "malformed",
  ): void {
    const [keyword = ""] = path.split("/");
    rules.omitted ??= new Set();
    rules.omitted.add(keyword);
    this.count += 1;
    const pointer = path === "" ? rules.pointer : `${rules.pointer}/${path}`;
    this.first ??= { why, reason, pointer: rules.pointer === undefined ? undefined : pointer };
  }

  /** Records a malformed keyword and the form that the schema's dialect requires. */
  addMalformed(rules: SchemaRules, path: string, expected: LocalizableText): void {
    const reason = l10nText(
      "The skill's schema is malformed at {place}: {keyword} must be {expected} in {dialect}.",
      {
        place: rules.pointer?.slice(0, 200) || l10nText("the schema root"),
        keyword: `"${path.slice(0, 100)}"`,
        expected,
        dialect: rules.resource.dialect,
      },
    );
    this.add(rules, path, reason);
  }
}

/** Why a schema cannot be applied, such as that it refers to something outside or is malformed. */
export type RefusalCause = "outside" | "dialect" | "malformed" | "ambiguous" | "asynchronous";

/** Why a schema as a whole cannot be applied. */
export interface SchemaRefusal {
  readonly why: RefusalCause;
  /** A plain sentence for the author of a payload. */
  readonly reason: LocalizableText;
}

/** Thrown for a reference that leads nowhere. The rest of the schema can be read without it. */
export class UnresolvedReference extends Error implements SchemaRefusal {
  readonly why: RefusalCause;
  readonly reason: LocalizableText;

  constructor(why: RefusalCause, reason: LocalizableText) {
    super(reason.text);
    this.name = "UnresolvedReference";
    this.why = why;
    this.reason = reason;
  }
}

/**
 * Removes keywords whose failure may be due to an omitted part, so that every failure of the remaining rules is a
 * failure of the schema. Rules that lack a part accept more values, and so do the rules that contain them. Three kinds
 * of keywords are exceptions: those that invert the verdict (`not`, `if`, `oneOf`, `contains`), those that apply to the
 * members that others did not match (`additionalProperties`, `items`, `unevaluated…`), and `anyOf`, whose failures for
 * one branch may depend on what another branch lacks.
 */
export function dropUncertainKeywords(all: readonly SchemaRules[]): void {
  const uncertain = uncertainAmong(all);
  for (const rules of uncertain) dropFrom(rules, uncertain);
}

function dropFrom(rules: SchemaRules, uncertain: ReadonlySet<SchemaRules>): void {
  const { omitted: leftOut = new Set<string>(), not, contains, anyOf, oneOf } = rules;
  const isUncertain = (below: SchemaRules | undefined) =>
    below !== undefined && uncertain.has(below);
  delete rules.unevaluatedItems;
  delete rules.unevaluatedProperties;
  if (isUncertain(not)) delete rules.not;
  if (anyOf?.some(isUncertain)) delete rules.anyOf;
  if (oneOf?.some(isUncertain)) delete rules.oneOf;
  if (isUncertain(rules.if)) {
    delete rules.if;
    delete rules.then;
    delete rules.else;
  }
  if (isUncertain(contains) || leftOut.has("minContains")) {
    delete rules.contains;
    delete rules.minContains;
    delete rules.maxContains;
  }
  if (leftOut.has("properties") || leftOut.has("patternProperties")) {
    delete rules.additionalProperties;
  }
  if (leftOut.has("prefixItems") || leftOut.has("items")) delete rules.items;
}

/** Returns the rules that lack a part, and all rules that contain them or refer to them. */
function uncertainAmong(all: readonly SchemaRules[]): Set<SchemaRules> {
  const above = new Map<SchemaRules, SchemaRules[]>();
  const seen = new Set(all);
  // Some rules are not in `all`, so the set grows during the iteration.
  for (const rules of seen) {
    for (const below of rulesBelow(rules)) {
      seen.add(below);
      const rulesAbove = above.get(below);
      if (rulesAbove === undefined) above.set(below, [rules]);
      else rulesAbove.push(rules);
    }
  }
  const uncertain = new Set([...seen].filter(({ omitted: leftOut }) => leftOut !== undefined));
  for (const rules of uncertain)
    for (const container of above.get(rules) ?? []) uncertain.add(container);
  return uncertain;
}

const applicators = keywordsWith({ sort: "applicator" });

function rulesBelow(rules: SchemaRules): SchemaRules[] {
  const { target, overrides } = rules.reference ?? {};
  return [
    ...(target === undefined ? [] : [target]),
    ...(overrides?.values() ?? []),
    ...applicators.flatMap((keyword) => schemasOf(rules[keyword])),
  ];
}

/**
 * Removes and records patterns that are not regular expressions. Also removes keywords whose failure may be due to
 * that.
 */
export function removePatterns(
  all: readonly SchemaRules[],
  malformed: ReadonlySet<string>,
  defects: SchemaDefects,
): void {
  for (const rules of all) {
    const { pattern, patternProperties } = rules;
    if (pattern !== undefined && malformed.has(pattern)) {
      delete rules.pattern;
      recordPattern(rules, "pattern", pattern, defects);
    }
    for (const broken of [...(patternProperties?.keys() ?? [])].filter((it) => malformed.has(it))) {
      patternProperties?.delete(broken);
      recordPattern(rules, `patternProperties/${pointerStep(broken)}`, broken, defects);
    }
  }
  dropUncertainKeywords(all);
}

function recordPattern(
  rules: SchemaRules,
  path: string,
  pattern: string,
  defects: SchemaDefects,
): void {
  const reason = l10nText(
    "The skill's schema has a pattern that is not a regular expression: {pattern}",
    {
      pattern: shortened(pattern, 100),
    },
  );
  defects.add(rules, path, reason);
}
