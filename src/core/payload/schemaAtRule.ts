import { pointerOf, pointerSteps } from "../json/jsonPointer";
import type { JsonValue } from "../json/jsonValue";
import { readSchema } from "../schema/read/readSchema";
import { SampleBudget } from "../schema/sample/sampleBudget";
import { rulesFor } from "../schema/sample/sampleObjects";
import { pruneSample } from "../schema/sample/samplePayload";
import { bestSample } from "../schema/sample/sampleValues";
import { layersOf } from "../schema/schemaLayers";
import type { SchemaRules } from "../schema/schemaRules";

/** What a schema says of the value that a failed rule is about. */
export interface SchemaAtRule {
  /** Names of the properties in the order the schema gives them, those of a branch behind its own. */
  readonly names: readonly string[];
  /** A value for a property: its constant, default, first value or example, else one made for its type. */
  sampleOf(name: string): PropertySample;
  /** The types an item may have; empty where the schema does not say. */
  readonly itemTypes: readonly string[];
  /** Values for the item at an index, the likeliest first; never empty. */
  itemsAt(index: number): readonly JsonValue[];
  /** All rules that hold for the value, references followed. */
  readonly layers: readonly SchemaRules[];
  /** Tells whether a text has a pattern; no where only a backtracking engine could tell. */
  isFound(pattern: string, text: string): boolean;
}

/** `isGiven` means that the schema itself leaves no other choice, or names this one its default. */
interface PropertySample {
  readonly value: JsonValue;
  readonly isGiven: boolean;
}

/** Answers what a schema says around a failed rule, by the rule's pointer in it. */
export type SchemaLookup = (rulePointer: string | undefined) => SchemaAtRule;

/** All samples together may take so much, some 300 ms; what comes later is the plainest value. */
const bounds = { tries: 20_000, steps: 1_500_000 };

/** Reads a schema for finding what it says around failed rules. Each rule is looked at once. */
export function schemaLookup(schema: JsonValue | undefined): SchemaLookup {
  const read = readSchema(schema ?? true);
  const all = read.kind === "read" ? read.all : [];
  const root = read.kind === "read" ? [read.root] : [];
  const budget = new SampleBudget(all, bounds);
  const byPointer = new Map(all.map((rules) => [rules.pointer, rules]));
  const known = new Map<string, SchemaAtRule>();
  return (rulePointer) => {
    const steps = pointerSteps(rulePointer ?? "").slice(0, -1);
    const pointers = inPlaceAncestors(steps);
    const [innermost = ""] = pointers;
    const before = known.get(innermost);
    if (before !== undefined) return before;
    const found = pointers.flatMap((pointer) => byPointer.get(pointer) ?? []);
    const made = atRules(found.length > 0 ? found : root, budget);
    known.set(innermost, made);
    return made;
  };
}

/** `found` are rules that speak of the same value, innermost first. */
function atRules(found: readonly SchemaRules[], budget: SampleBudget): SchemaAtRule {
  const layers = layersOf(found);
  const outermostFirst = layersOf(found.toReversed());
  const names = outermostFirst.flatMap(({ properties }) => [...(properties?.keys() ?? [])]);
  const samples = new Map<string, PropertySample>();
  return {
    names: [...new Set(names)],
    sampleOf: (name) => {
      const known = samples.get(name);
      if (known !== undefined) return known;
      const sample = sampleFrom(rulesFor(budget, name, layers), budget);
      samples.set(name, sample);
      return sample;
    },
    itemTypes: layersOf(layers.flatMap(({ items }) => items ?? [])).flatMap(
      ({ types }) => types ?? [],
    ),
    itemsAt: (index) => {
      const own = layers.flatMap(({ prefixItems, items }) => prefixItems?.[index] ?? items ?? []);
      const listed = layersOf(own).flatMap((layer) => [
        ...(layer.enum ?? []),
        ...(layer.examples ?? []),
      ]);
      return [sampleFrom(own, budget).value, ...listed];
    },
    layers,
    isFound: (pattern, text) => budget.isFound(pattern, text) === true,
  };
}

const branchLists = ["allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies"];
const branches = ["if", "then", "else", "not"];

/** The schema at these steps and those around it that speak of the same value, innermost first. */
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

function sampleFrom(list: readonly SchemaRules[], budget: SampleBudget): PropertySample {
  const layers = layersOf(list);
  const sample = (value: unknown, isGiven: boolean) => ({ value: value as JsonValue, isGiven });
  const constant = layers.find(({ hasConst }) => hasConst);
  if (constant !== undefined) return sample(constant.const, true);
  const preset = layers.find(({ hasDefault }) => hasDefault);
  if (preset !== undefined) return sample(preset.default, true);
  const values = layers.find((layer) => layer.enum !== undefined)?.enum ?? [];
  if (values.length > 0) return sample(values[0], values.length === 1);
  const [example] = layers.flatMap(({ examples = [] }) => examples.slice(0, 1));
  if (example !== undefined) return sample(example, false);
  if (list.length === 0) return sample(null, false);
  const around = new Set<SchemaRules>();
  const found = bestSample({ list, mode: "minimal", hints: [], around, depth: 0, budget });
  return sample(
    pruneSample(found, (other) => budget.fits(list, other)),
    false,
  );
}
