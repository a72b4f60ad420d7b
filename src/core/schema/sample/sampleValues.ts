import { isJsonObject, type JsonType, type JsonValue, jsonTypeOf } from "../../json/jsonValue";
import { textsForPattern } from "../../linearRegExp/textsForPattern";
import { allowedValues, impliedTypes, likelyTypes, statedTypes } from "../allowedValues";
import { lowerBound, upperBound } from "../bounds";
import type { EvaluationBudget } from "../evaluate/evaluationBudget";
import { formats } from "../evaluate/formats";
import { layersOf, type SchemaRules } from "../schemaRules";
import { everyChoice, sampleArrays, sampleObjects } from "./sampleContainers";

/** A value to sample, and its context. */
export interface SampleTask {
  /** Rules that the value must all satisfy. */
  list: readonly SchemaRules[];
  mode: "minimal" | "full";
  /** Values given for this position, the best first. */
  hints: readonly unknown[];
  /** The rules that are being sampled around this position. If one of them occurs again, it is recursive. */
  around: ReadonlySet<SchemaRules>;
  depth: number;
  budget: EvaluationBudget;
}

/** The maximum number of combinations. Choices multiply, but one of the first combinations nearly always fits. */
const maxCombinations = 48;
/** The maximum depth of a sample. Nobody edits a deeper payload by hand, and rules may contain themselves. */
const maxDepth = 30;
/** The maximum number of branches inside each other in which an empty value is looked for. */
const maxBranches = 2;

/**
 * Returns the first value that satisfies the rules, or else the first candidate. Once the budget is spent, returns the
 * emptiest value of the type.
 */
export function bestSample(task: SampleTask): unknown {
  if (task.depth > maxDepth || !task.budget.spend()) return emptyValue(task.list);
  let first: { readonly value: unknown } | undefined;
  for (const parts of combinations(task)) {
    for (const value of candidates(task, parts)) {
      first ??= { value };
      if (task.budget.isSpent) return first.value;
      if (task.budget.fits(task.list, value)) return value;
    }
  }
  return first === undefined ? emptyValue(task.list) : first.value;
}

/** Creates the plainest value that satisfies all rules, within the budget. */
export function plainSample(list: readonly SchemaRules[], budget: EvaluationBudget): unknown {
  return bestSample(sampleTask(list, budget));
}

/** Creates the task for a minimal value that satisfies all rules. */
export function sampleTask(list: readonly SchemaRules[], budget: EvaluationBudget): SampleTask {
  return { list, mode: "minimal", hints: [], around: new Set(), depth: 0, budget };
}

/** Returns the first value that the rules name, or else the empty value of their type or of their first branch. */
function emptyValue(list: readonly SchemaRules[], depth = 0): unknown {
  const layers = layersOf(list);
  const [allowed] = allowedValues(layers) ?? [];
  if (allowed !== undefined) return allowed;
  const [type] = likelyTypes(layers);
  const branch = layers.flatMap(({ anyOf, oneOf }) => anyOf?.[0] ?? oneOf?.[0] ?? []);
  if (type === undefined && branch.length > 0 && depth < maxBranches) {
    return emptyValue(branch, depth + 1);
  }
  return type === undefined ? null : emptyValues[type];
}

/** The emptiest value of each type. */
export const emptyValues: Readonly<Record<JsonType, JsonValue>> = {
  null: null,
  boolean: false,
  object: {},
  array: [],
  number: 0,
  integer: 0,
  string: "",
};

/** Yields values that satisfy the rules, each checked, until the budget is spent. */
export function* sampleValues(task: SampleTask): Generator<unknown> {
  const { list, budget, depth } = task;
  if (depth > maxDepth) return;
  for (const parts of combinations(task)) {
    for (const candidate of candidates(task, parts)) {
      if (budget.isSpent) return;
      if (budget.fits(list, candidate)) yield candidate;
    }
  }
}

/** Creates the task for a member of a value that `parts` describe. */
export function taskWithin(
  task: SampleTask,
  parts: readonly SchemaRules[],
  inner: Pick<SampleTask, "list" | "hints">,
): SampleTask {
  const around = new Set([...task.around, ...task.list, ...parts]);
  return { ...task, ...inner, around, depth: task.depth + 1 };
}

/**
 * Lists combinations of all choices in the rules. Those that allow only null come late, and recursive ones last.
 */
function combinations({ list, around }: SampleTask): SchemaRules[][] {
  const isOnlyNull = (parts: SchemaRules[]) => statedTypes(parts)?.join() === "null";
  const all = [...everyChoice(list, maxCombinations)].sort(
    (left, right) => Number(isOnlyNull(left)) - Number(isOnlyNull(right)),
  );
  const isRecursive = (parts: SchemaRules[]) => parts.some((rules) => around.has(rules));
  const finite = all.filter((parts) => !isRecursive(parts));
  return [...finite, ...all.filter(isRecursive)];
}

function* candidates(task: SampleTask, parts: readonly SchemaRules[]): Generator<unknown> {
  const examples = parts.flatMap((part) => part.examples?.slice(0, 1) ?? []);
  const defaults = parts.flatMap((part) => (part.default === undefined ? [] : [part.default]));
  const hints = [...task.hints, ...examples, ...defaults];
  // Objects are built property by property, so that they have exactly the requested properties, with values of the
  // given objects. The given objects themselves are tried last.
  yield* hints.filter((hint) => !isJsonObject(hint));
  for (const part of parts) {
    if (part.const !== undefined) yield part.const;
    yield* (part.enum ?? []).slice(0, 200);
  }
  for (const type of typesOf(parts, hints)) {
    if (type === "object") yield* sampleObjects(task, parts, hints.filter(isJsonObject));
    else if (type === "array") yield* sampleArrays(task, parts);
    else if (type === "string") yield* sampleTexts(parts);
    else if (type === "boolean") yield* [false, true];
    else if (type === "null") yield null;
    else yield* [...sampleNumbers(parts)].filter(Number.isFinite);
  }
  yield* hints.filter(isJsonObject);
}

const everyType: readonly JsonType[] = ["object", "string", "number", "array", "boolean", "null"];

/**
 * Lists the types to try. Stated types come in their order. If none is stated, first come the types of the hints and
 * those that keywords imply, then all others. Null is always last.
 */
function typesOf(parts: readonly SchemaRules[], hints: readonly unknown[]): readonly JsonType[] {
  const likely = [...hints.map(jsonTypeOf), ...parts.flatMap((part) => impliedTypes([part]))];
  const allowed = statedTypes(parts) ?? [...new Set([...likely, ...everyType])];
  return [
    ...allowed.filter((type) => type !== "null"),
    ...allowed.filter((type) => type === "null"),
  ];
}

/** Yields strings that may satisfy all of the rules, the plainest first. The caller checks each. */
function* sampleTexts(parts: readonly SchemaRules[]): Generator<string> {
  const [shortest, longest] = [
    Math.max(0, lowerBound("length", parts)),
    upperBound("length", parts),
  ];
  const patterns = parts.flatMap(({ pattern }) => pattern ?? []);
  for (const { format = "" } of parts) yield* formats.get(format)?.samples ?? [];
  for (const pattern of patterns) yield* textsForPattern(pattern, shortest, longest);
  if (shortest > maxLength) return;
  if (patterns.length > 0) {
    for (const length of [shortest, 8, 12, 16, 32])
      yield mixed.repeat(Math.max(shortest, length)).slice(0, Math.max(shortest, length));
  }
  yield fill.repeat(shortest);
  for (const word of ["example", "a", "1", "A", "0"]) yield word.padEnd(shortest, fill);
  for (let count = 1; count < 60; count += 1)
    yield `${fill.repeat(shortest)}${count}`.slice(-Math.max(shortest, 2));
}

const fill = "x";
/** A text with every kind of character, for patterns with lookaheads, such as those for passwords. */
const mixed = "Aa1!";
/** The maximum length of a sampled string, even if the schema requires more. */
const maxLength = 100_000;

/**
 * Yields numbers that may satisfy all of the rules, the plainest first. Some may be infinite. The caller checks each.
 */
function* sampleNumbers(parts: readonly SchemaRules[]): Generator<number> {
  const [low, high] = [lowerBound("number", parts), upperBound("number", parts)];
  const step = parts.reduce((product, { multipleOf }) => leastCommon(product, multipleOf), 0);
  const around = Number.isFinite(low) ? low : Number.isFinite(high) ? high : 0;
  const sign = Number.isFinite(high) && !Number.isFinite(low) ? -1 : 1;
  yield 0;
  yield* [around, around + sign];
  if (step > 0) {
    const first = sign > 0 ? Math.ceil(around / step) : Math.floor(around / step);
    for (let count = 0; count < 50; count += 1) yield rounded((first + sign * count) * step);
  }
  for (let count = 2; count < 50; count += 1) yield around + sign * count;
  yield* [Math.ceil(low), Math.floor(high), (low + high) / 2, -1, -0.5];
  for (const part of [0.5, 0.25, 0.1, 0.01]) yield around + sign * part;
}

function leastCommon(product: number, divisor: number | undefined): number {
  if (divisor === undefined) return product;
  if (product === 0) return divisor;
  for (let count = 1; count <= 1000; count += 1) {
    if (Number.isInteger(rounded((product * count) / divisor))) return rounded(product * count);
  }
  return product * divisor;
}

/** Rounds off errors of binary fractions: 0.1 × 3 becomes 0.3. */
function rounded(value: number): number {
  return Number(value.toPrecision(15));
}
