import { pointerOf } from "../../json/jsonPointer";
import type { RequestedRange } from "../../json/scanJson";
import type { PayloadProblem, PayloadProblemData } from "../../payload/payloadCheck";
import type { Language } from "../../text/language";
import { type BoundKeyword, boundRow, isBound } from "../bounds";
import { allowedBy } from "../evaluate/chooseBranch";
import {
  absentProperties,
  type FailingKeyword,
  type SchemaFailure,
  stepsOf,
} from "../evaluate/evaluation";
import { describeFailure, keywordOf, typesAllowed, valuesAllowed } from "./describeFailure";
import { similarName, similarNames } from "./similarName";

/** Requests the range that a failure should mark. */
export function requestRange(failure: SchemaFailure, root: RequestedRange): RequestedRange {
  const { path, at, name } = failure;
  const requested = stepsOf(path).reduce((above, step) => above.below(step), root);
  const surplus = surplusItem(failure);
  if (surplus !== undefined) requested.below(surplus);
  return at === "key" && name !== undefined ? requested.below(name) : requested;
}

/** Describes a failure as a problem, at the range that the scan of the text found. */
export function problemOfFailure(
  failure: SchemaFailure,
  requested: RequestedRange,
  language: Language,
): PayloadProblem {
  const { keyword, rules, path, at, name } = failure;
  const range = (at === "key" ? requested.key : requested.value) ?? { start: 0, end: 0 };
  const steps = at === "key" && name !== undefined ? [...stepsOf(path), name] : stepsOf(path);
  const code = codeOf(failure);
  const problem: PayloadProblem = {
    code,
    message: describeFailure(failure, language),
    severity: keyword === "format" ? "warning" : "error",
    start: range.start,
    end: at === "brace" ? range.start + 1 : range.end,
    pointer: pointerOf(steps),
  };
  const surplus = requested.children?.get(surplusItem(failure) ?? -1)?.value;
  if (surplus !== undefined) problem.mark = { ...surplus };
  if (rules.pointer !== undefined) {
    const rule = failure.branches ?? code;
    problem.schemaPointer = keyword === "never" ? rules.pointer : `${rules.pointer}/${rule}`;
  }
  const data = dataOf(failure);
  if (data !== undefined) problem.data = data;
  if (failure.guess !== undefined) problem.guess = failure.guess;
  return problem;
}

function surplusItem({ keyword, rules, indexes }: SchemaFailure): number | undefined {
  if (keyword === "uniqueItems") return indexes?.[1];
  return keyword === "maxItems" ? rules.maxItems : undefined;
}

function codeOf({ keyword, rules, because }: SchemaFailure): string {
  // A failure that joins several branches is reported at the schema that has the branches.
  if (because !== undefined && (keyword === "types" || keyword === "enum")) {
    return keyword === "types" ? "type" : "enum";
  }
  return keywordOf(keyword, rules);
}

/** The maximum number of allowed values in the data of a problem. */
const maxListed = 100;

function dataOf(failure: SchemaFailure): PayloadProblemData | undefined {
  const { keyword, rules } = failure;
  if (!isBound(keyword)) return dataByKeyword[keyword]?.(failure);
  const { measures } = boundRow(keyword);
  // A fix of these bounds would add or remove properties, or items that match `contains`. Only the user can choose
  // which.
  if (measures === "properties" || measures === "matches") return undefined;
  return { kind: "limit", limit: rules[keyword] ?? 0 };
}

type DataOf = (failure: SchemaFailure) => PayloadProblemData;

const missingData: DataOf = ({ name = "" }) => ({ kind: "missingProperty", name });
const textData: DataOf = () => ({ kind: "textForm" });

/** The data for a quick fix of each keyword except bounds. Undefined if it has no fix. */
const dataByKeyword: Readonly<Record<Exclude<FailingKeyword, BoundKeyword>, DataOf | undefined>> = {
  required: missingData,
  dependentRequired: missingData,
  additionalProperties: unknownData,
  unevaluatedProperties: unknownData,
  properties: unknownData,
  patternProperties: unknownData,
  propertyNames: unknownData,
  types: (failure) => ({ kind: "wrongType", expected: typesAllowed(failure) }),
  const: allowedData,
  enum: allowedData,
  multipleOf: ({ rules }) => ({ kind: "limit", limit: rules.multipleOf ?? 0 }),
  pattern: textData,
  format: textData,
  uniqueItems: () => ({ kind: "repeatedItem" }),
  contains: undefined,
  items: undefined,
  unevaluatedItems: undefined,
  anyOf: undefined,
  oneOf: undefined,
  not: undefined,
  // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
  then: undefined,
  else: undefined,
  dependentSchemas: undefined,
  never: undefined,
};

function unknownData(failure: SchemaFailure): PayloadProblemData {
  const { name = "", rules } = failure;
  const didYouMean = similarName(name, absentProperties(failure));
  if (didYouMean === undefined) return { kind: "unknownProperty", name };
  // Existing names of the object are candidates too: beside "item1", an unknown "item3" is not clearly a typo of
  // "item2".
  const all = [...(rules.properties?.keys() ?? [])];
  const isSure = similarNames(name, all).length === 1;
  return { kind: "unknownProperty", name, didYouMean, isSure };
}

function allowedData(failure: SchemaFailure): PayloadProblemData {
  const values = valuesAllowed(failure);
  const data = {
    kind: "allowedValues" as const,
    values: values.slice(0, maxListed).map((value) => value.slice(0, 1000)),
    total: values.length,
  };
  if (typeof failure.value !== "string") return data;
  const texts = allowedBy(failure).filter((value) => typeof value === "string");
  const [nearest, ...others] = similarNames(failure.value, [...new Set(texts)]);
  if (nearest === undefined) return data;
  return { ...data, nearest: JSON.stringify(nearest), isSure: others.length === 0 };
}
