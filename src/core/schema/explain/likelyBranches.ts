import type { JsonValue } from "../../json/jsonValue";
import { narrowBranches, propertiesInCommon } from "../evaluate/chooseBranch";
import { evaluateSchema } from "../evaluate/evaluateSchema";
import {
  type FailingKeyword,
  type Findings,
  newFindings,
  type SchemaFailure,
  stepsOf,
} from "../evaluate/evaluation";
import type { EvaluationBudget } from "../evaluate/evaluationBudget";
import { layersOf, type SchemaRules } from "../schemaRules";

/** Keywords that a value may violate only because it is incomplete. */
const incompleteKeywords: readonly FailingKeyword[] = [
  "required",
  "dependentRequired",
  "minProperties",
  "minItems",
  "minContains",
  "contains",
  "minLength",
];

/** The maximum number of counted failures per branch when finding the nearest branch. */
const maxFailures = 20;

/** The written part of a value, and the steps from it to the cursor. */
export interface WrittenValue {
  readonly value: JsonValue | undefined;
  readonly steps: readonly (string | number)[];
}

/**
 * Lists the branches that may be intended for an incomplete value. They are for its type, and their tags match. Of
 * these, keeps the branches with the fewest failures that further typing cannot fix, and of these the branches that
 * name the most of its properties. For `anyOf`, also keeps branches that are already valid. Without a value, lists all
 * branches.
 */
export function likelyBranches(
  keyword: "anyOf" | "oneOf",
  rules: SchemaRules,
  { value, steps }: WrittenValue,
  budget: EvaluationBudget,
): readonly SchemaRules[] {
  const branches = rules[keyword] ?? [];
  if (value === undefined || branches.length < 2) return branches;
  const attempts = branches.map((branch) => ({ branch, found: findingsOf(branch, value, budget) }));
  const { sameType, tagged } = narrowBranches(attempts, { value, path: undefined });
  const candidates = tagged.length > 0 ? tagged : sameType;
  const scored = candidates.map(({ branch, found }) => ({
    branch,
    wrong: found.failures.filter((failure) => !mayBeIncomplete(failure, steps)).length,
    // For `anyOf`, several branches may be intended at once.
    isMet: keyword === "anyOf" && found.failures.length === 0,
    inCommon: namesInCommon(branch, value),
  }));
  const fewestWrong = Math.min(...scored.map(({ wrong }) => wrong));
  const nearest = scored.filter(({ wrong }) => wrong === fewestWrong);
  const mostInCommon = Math.max(...nearest.map(({ inCommon }) => inCommon));
  const likely = nearest.filter(({ isMet, inCommon }) => isMet || inCommon === mostInCommon);
  return likely.map(({ branch }) => branch);
}

/** Returns whether further typing at these steps may fix a failure. */
function mayBeIncomplete(
  { keyword, path }: SchemaFailure,
  steps: readonly (string | number)[],
): boolean {
  return (
    incompleteKeywords.includes(keyword) &&
    stepsOf(path).every((step, index) => step === steps[index])
  );
}

/** Counts the properties of a value that a branch, or a branch inside it, names. */
function namesInCommon(branch: SchemaRules, value: JsonValue): number {
  const nested = layersOf([branch]).flatMap(({ anyOf = [], oneOf = [] }) => [...anyOf, ...oneOf]);
  const counts = [branch, ...nested].map((rules) => propertiesInCommon(rules, value));
  return Math.max(...counts);
}

/** Returns the findings for a value and a branch. Empty if the evaluation takes too long. */
function findingsOf(branch: SchemaRules, value: JsonValue, budget: EvaluationBudget): Findings {
  const { steps } = budget;
  const verdict = evaluateSchema(budget.schemaAt(branch), value, { limit: maxFailures, steps });
  return verdict.kind === "decided" ? verdict.findings : newFindings(0);
}
