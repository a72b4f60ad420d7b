import { isJsonObject, type JsonType, jsonTypeOf } from "../../json/jsonValue";
import type { SchemaRules } from "../schemaRules";
import { everyChoice } from "./gatherParts";
import { sampleArrays } from "./sampleArrays";
import type { SampleBudget } from "./sampleBudget";
import { sampleObjects } from "./sampleObjects";
import { sampleNumbers, sampleTexts } from "./sampleScalars";

/** What is sampled at one place, and what is known about how. */
export interface SampleTask {
  /** Rules to keep, all of them. */
  list: readonly SchemaRules[];
  mode: "minimal" | "full";
  /** Values that somebody gave for this place, the best first. */
  hints: readonly unknown[];
  /** The rules that are being sampled around this place: what is among them again is a circle. */
  around: ReadonlySet<SchemaRules>;
  depth: number;
  budget: SampleBudget;
}

const maxCombinations = 48;
const maxDepth = 30;
/** How deep a circle of rules is followed where another way exists. */
const maxCircles = 2;

/** Gives the first value found that keeps the rules, else the most promising one. */
export function bestSample(task: SampleTask): unknown {
  if (task.depth > maxDepth || !task.budget.spend()) return null;
  const { value, done } = sampleValues(task).next();
  if (!done) return value;
  for (const parts of combinations(task)) {
    for (const candidate of candidates(task, parts)) return candidate;
  }
  return null;
}

/** Gives values that keep the rules, each checked, until the budget is spent. */
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

/** The task of sampling something inside of what `parts` describe. */
export function taskWithin(
  task: SampleTask,
  parts: readonly SchemaRules[],
  inner: Pick<SampleTask, "list" | "hints">,
): SampleTask {
  const around = new Set([...task.around, ...task.list, ...parts]);
  return { ...task, ...inner, around, depth: task.depth + 1 };
}

/** Ways to make every choice in the rules, those that lead into a circle last or not at all. */
function combinations({ list, around, depth }: SampleTask): SchemaRules[][] {
  const all = [...everyChoice(list, maxCombinations)];
  const isCircle = (parts: SchemaRules[]) => parts.some((rules) => around.has(rules));
  const straight = all.filter((parts) => !isCircle(parts));
  return depth > maxCircles && straight.length > 0
    ? straight
    : [...straight, ...all.filter(isCircle)];
}

function* candidates(task: SampleTask, parts: readonly SchemaRules[]): Generator<unknown> {
  const examples = parts.flatMap((part) => part.examples?.slice(0, 1) ?? []);
  const defaults = parts.flatMap((part) => (part.hasDefault ? [part.default] : []));
  const hints = [...task.hints, ...examples, ...defaults];
  // An object is built field by field, so that it has the fields that were asked for; what was given
  // as a whole supplies the values of the fields, and is tried as it is at the end.
  yield* hints.filter((hint) => !isJsonObject(hint));
  for (const part of parts) {
    if (part.hasConst) yield part.const;
    yield* (part.enum ?? []).slice(0, 200);
  }
  for (const type of typesOf(parts, hints)) {
    if (type === "object") yield* sampleObjects(task, parts, hints.filter(isJsonObject));
    else if (type === "array") yield* sampleArrays(task, parts);
    else if (type === "string") yield* sampleTexts(parts);
    else if (type === "boolean") yield* [false, true];
    else if (type === "null") yield null;
    else yield* sampleNumbers(parts);
  }
  yield* hints.filter(isJsonObject);
}

const everyType: readonly JsonType[] = ["object", "string", "number", "array", "boolean", "null"];

/** The kinds to try, the most likely first: as listed, but null last; else by what is asked. */
function typesOf(parts: readonly SchemaRules[], hints: readonly unknown[]): readonly JsonType[] {
  const given = parts.flatMap(({ types }) => (types === undefined ? [] : [types]));
  const likely = [...hints.map(jsonTypeOf), ...parts.flatMap(impliedTypes)];
  const [first] = given;
  const all: readonly JsonType[] = first ?? [...likely, ...everyType];
  const allowed = [...new Set(all)].filter((type) => given.every((types) => allows(types, type)));
  return [
    ...allowed.filter((type) => type !== "null"),
    ...allowed.filter((type) => type === "null"),
  ];
}

function allows(types: readonly JsonType[], type: JsonType): boolean {
  if (types.includes(type)) return true;
  return type === "number"
    ? types.includes("integer")
    : type === "integer" && types.includes("number");
}

function impliedTypes(rules: SchemaRules): JsonType[] {
  const { properties, required, additionalProperties, items, prefixItems, minItems } = rules;
  if (properties ?? required ?? additionalProperties) return ["object"];
  if (items ?? prefixItems ?? minItems) return ["array"];
  if (rules.minLength ?? rules.maxLength ?? rules.pattern ?? rules.format) return ["string"];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules;
  return (minimum ?? maximum ?? exclusiveMinimum ?? exclusiveMaximum ?? multipleOf) === undefined
    ? []
    : ["number"];
}
