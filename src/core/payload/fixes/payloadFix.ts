import { checkSyntax } from "../../json/checkSyntax";
import { pointerOf, pointerSteps } from "../../json/jsonPointer";
import { type JsonValue, jsonEqual } from "../../json/jsonValue";
import { isConstant, knownValues } from "../../schema/complete/valueSnippets";
import { EvaluationBudget } from "../../schema/evaluate/evaluationBudget";
import { fitsFormat } from "../../schema/evaluate/formats";
import { keywordsWith } from "../../schema/keywords";
import { describedNames } from "../../schema/objectNames";
import { type TestableSchema, testableSchema } from "../../schema/read/testableSchema";
import { rulesBelow } from "../../schema/rulesBelow";
import { pruneSample } from "../../schema/sample/samplePayload";
import { plainSample } from "../../schema/sample/sampleValues";
import {
  type GivenValues,
  givenValues,
  type UnfilledValue,
  unfilledValue,
} from "../../schema/sample/unfilledValue";
import { firstOf, layersOf, type SchemaRules } from "../../schema/schemaRules";
import { type LocalizableText, l10nText } from "../../text/language";
import { shortened } from "../../text/plainText";
import type { PayloadProblem, PayloadProblemData } from "../payloadCheck";
import { type TextEdit, type TextStyle, textStyle } from "./textEdit";

/** One quick fix. */
export interface PayloadFix {
  /** The effect in a few words. It may quote the payload and the schema. */
  readonly title: LocalizableText;
  readonly edits: readonly TextEdit[];
  /** Whether it is the most likely fix, which the editor offers first. */
  readonly isPreferred: boolean;
  /** Whether no other fix is possible. Then it may be applied together with others, unseen. */
  readonly isUnambiguous: boolean;
}

/** The maximum number of allowed values that fixes offer. The editor offers the others in a list. */
export const maxOfferedValues = 10;

/** The input for fixes: a text, all its problems, and its schema. */
export interface FixInput {
  readonly text: string;
  /** The text with spaces for comments, trailing commas and a byte order mark, if it is JSON without these. */
  readonly readable: string;
  readonly style: TextStyle;
  readonly problems: readonly PayloadProblem[];
  readonly schemaAt: SchemaLookup;
}

/** A request for the fixes of some problems of a text, by their index among all of them. */
export interface FixesRequest {
  readonly text: string;
  readonly problems: readonly PayloadProblem[];
  readonly indexes: readonly number[];
  /** One level of indentation, for a text without any. */
  readonly indent: string;
  /** Whether to collect the unambiguous fixes of the whole text. */
  readonly includesAll: boolean;
}

/** The fixes of each requested problem, in order, and those of the whole text if requested. */
export interface FixesResult {
  readonly fixes: readonly (readonly PayloadFix[])[];
  readonly all: FixAll;
}

/** The unambiguous fixes of a whole text: their edits and the number of solved problems. */
export interface FixAll {
  readonly edits: readonly TextEdit[];
  readonly count: number;
}

/** Prepares the input for fixes of a checked text. */
export function fixInput(
  { text, problems, indent }: Pick<FixesRequest, "text" | "problems" | "indent">,
  schema: TestableSchema | undefined,
): FixInput {
  const hasMore = problems.some(({ data }) => removableKinds.includes(data?.kind));
  const readable = hasMore ? checkSyntax(text, 1).readable : undefined;
  return {
    text,
    readable: readable ?? text,
    style: textStyle(text, indent),
    problems,
    schemaAt: schemaLookup(schema),
  };
}

const removableKinds: readonly (PayloadProblemData["kind"] | undefined)[] = [
  "byteOrderMark",
  "comment",
  "trailingComma",
];

/** Creates a fix that a person chooses. A fix without an edit is dropped later. */
export function offeredFix(title: LocalizableText, ...edits: (TextEdit | undefined)[]): PayloadFix {
  const real = edits.filter((edit) => edit !== undefined);
  return { title, edits: real, isPreferred: false, isUnambiguous: false };
}

/** Creates an unambiguous fix. */
export function unambiguousFix(title: LocalizableText, ...edits: TextEdit[]): PayloadFix {
  return { title, edits, isPreferred: true, isUnambiguous: true };
}

/** A fix with the problems that offer it, by their position. */
export interface FoldedFix {
  readonly fix: PayloadFix;
  readonly of: readonly number[];
}

/**
 * Lists the fixes of several problems, each once: a fix of a whole object is offered by each of its problems. Two fixes
 * are the same if they have the same title and edits.
 */
export function foldedFixes(each: readonly (readonly PayloadFix[])[]): readonly FoldedFix[] {
  const folded = new Map<string, { readonly fix: PayloadFix; readonly of: number[] }>();
  for (const [index, fixes] of each.entries()) {
    for (const fix of fixes) {
      const key = JSON.stringify([fix.title, fix.edits]);
      const same = folded.get(key);
      if (same === undefined) folded.set(key, { fix, of: [index] });
      else same.of.push(index);
    }
  }
  return [...folded.values()];
}

/** Returns the title for changing a value into another one (a JSON text). */
export function changeTo(value: string): LocalizableText {
  return l10nText("Change to {value}", { value: titleText(value) });
}

/** Shortens text for a title. */
export function titleText(text: string): string {
  return shortened(text.replaceAll(/\s+/g, " "), 40);
}

/** The part of a schema that applies to the value of a failed rule. */
export interface SchemaAtRule {
  /** Names of the properties in the schema's order, those of a branch after the object's own. */
  readonly names: readonly string[];
  /**
   * Returns a value for a property: its constant, default or example. If it has none, the value is made for its type,
   * with empty texts.
   */
  sampleOf(name: string): PropertySample;
  /** The types that an item may have; empty if the schema does not restrict them. */
  readonly itemTypes: readonly string[];
  /** Values for the item at an index, the likeliest first; never empty. */
  itemsAt(index: number): readonly JsonValue[];
  /** All rules that apply to the value, with references resolved. */
  readonly layers: readonly SchemaRules[];
  /** Returns whether a value certainly satisfies these rules, formats included. */
  fits(value: JsonValue): boolean;
}

/** A value for a property. `isGiven`: the schema allows no other value, or this is its default. */
interface PropertySample extends UnfilledValue {
  readonly isGiven: boolean;
}

/** Returns the part of a schema around a failed rule, by the rule's JSON pointer. */
type SchemaLookup = (rulePointer: string | undefined) => SchemaAtRule;

/** The budget for all samples together. Beyond it, samples are the plainest value. */
const sampleLimits = { tries: 20_000, steps: 1_500_000 };

/** Returns a lookup of the part of a schema around a failed rule. Caches each part. */
function schemaLookup(schema: TestableSchema = testableSchema(true)): SchemaLookup {
  const { all } = schema;
  const root = [schema.root];
  const budget = new EvaluationBudget(schema, sampleLimits);
  const byPointer = new Map(all.map((rules) => [rules.pointer, rules]));
  const cache = new Map<string, SchemaAtRule>();
  const given = givenValues(all);
  return (rulePointer) => {
    const steps = pointerSteps(rulePointer ?? "").slice(0, -1);
    const pointers = inPlaceAncestors(steps);
    const [innermost = ""] = pointers;
    const cached = cache.get(innermost);
    if (cached !== undefined) return cached;
    const found = pointers.flatMap((pointer) => byPointer.get(pointer) ?? []);
    const created = schemaAtRules(found.length > 0 ? found : root, budget, given);
    cache.set(innermost, created);
    return created;
  };
}

/** Combines rules that apply to the same value. They are listed innermost first. */
function schemaAtRules(
  found: readonly SchemaRules[],
  budget: EvaluationBudget,
  given: GivenValues,
): SchemaAtRule {
  const layers = layersOf(found);
  const outermostFirst = layersOf(found.toReversed());
  const samples = new Map<string, PropertySample>();
  return {
    names: describedNames(outermostFirst),
    sampleOf: (name) => {
      const cached = samples.get(name);
      if (cached !== undefined) return cached;
      const made = sampleFrom(rulesBelow(layers, name, budget), budget);
      const sample = { ...made, ...unfilledValue(made.value, given) };
      samples.set(name, sample);
      return sample;
    },
    itemTypes: layersOf(layers.flatMap(({ items }) => items ?? [])).flatMap(
      ({ types }) => types ?? [],
    ),
    itemsAt: (index) => {
      const itemRules = rulesBelow(layers, index, budget);
      const listed = layersOf(itemRules).flatMap((layer) => [
        ...(layer.enum ?? []),
        ...(layer.examples ?? []),
      ]);
      return [sampleFrom(itemRules, budget).value, ...listed];
    },
    layers,
    fits: (value) =>
      budget.fits(found, value) &&
      (typeof value !== "string" ||
        layers.every(({ format }) => format === undefined || fitsFormat(format, value))),
  };
}

const branches: readonly string[] = keywordsWith({ to: "here", holds: "schema" });
const branchLists: readonly string[] = [
  ...keywordsWith({ to: "here", holds: "schemas" }),
  ...keywordsWith({ to: "here", holds: "schemaMap" }),
  "dependencies",
];

/** Lists the pointer of the schema at these steps, and of the enclosing schemas for the same value, innermost first. */
function inPlaceAncestors(steps: readonly string[]): string[] {
  const pointer = pointerOf(steps);
  if (branchLists.includes(steps.at(-2) ?? "")) {
    return [pointer, ...inPlaceAncestors(steps.slice(0, -2))];
  }
  if (branches.includes(steps.at(-1) ?? "")) {
    return [pointer, ...inPlaceAncestors(steps.slice(0, -1))];
  }
  return [pointer];
}

function sampleFrom(
  list: readonly SchemaRules[],
  budget: EvaluationBudget,
): Pick<PropertySample, "value" | "isGiven"> {
  const layers = layersOf(list);
  const fits = (other: unknown) => budget.fits(list, other);
  const named = knownValues(layers);
  const namedValue = named.find(fits) ?? named[0];
  if (namedValue !== undefined) {
    const isGiven = isConstant(layers) || jsonEqual(namedValue, firstOf(layers, "default"));
    return { value: namedValue, isGiven };
  }
  if (list.length === 0) return { value: null, isGiven: false };
  const value = pruneSample(plainSample(list, budget), fits) as JsonValue;
  return { value, isGiven: false };
}
