import type { JsonValue } from "../../json/jsonValue";
import { evaluateSchema } from "../evaluate/evaluateSchema";
import {
  type FailingKeyword,
  type Findings,
  newFindings,
  type SchemaFailure,
  stepsOf,
} from "../evaluate/evaluation";
import type { SampleBudget } from "../sample/sampleValues";
import { layersOf, type SchemaRules } from "../schemaRules";
import { failedTag, isOfOtherKind, propertiesInCommon, tagNames } from "./chooseBranch";

/** The keywords that a value may violate only because it is unfinished. */
const unfinished: readonly FailingKeyword[] = [
  "required",
  "dependentRequired",
  "minProperties",
  "minItems",
  "minContains",
  "contains",
  "minLength",
];

/** The failures that are counted of a branch to find the nearest. */
const maxFailures = 20;

/** A value as far as it is written, and the steps from it to the cursor. */
interface Written {
  readonly value: JsonValue | undefined;
  readonly steps: readonly (string | number)[];
}

/**
 * Lists the branches that an unfinished value may be intended for: those for its type and tags that it violates least,
 * and of `oneOf` those with the most names in common. All of them without a value.
 */
export function likelyBranches(
  keyword: "anyOf" | "oneOf",
  rules: SchemaRules,
  { value, steps }: Written,
  budget: SampleBudget,
): readonly SchemaRules[] {
  const branches = rules[keyword] ?? [];
  if (value === undefined || branches.length < 2) return branches;
  const attempts = branches.map((branch) => ({ branch, found: findingsOf(branch, value, budget) }));
  const sameType = attempts.filter(
    ({ found }) => !isOfOtherKind(found, { value, path: undefined }),
  );
  const tags = tagNames(sameType.map(({ branch }) => branch));
  const tagged = sameType.filter(({ found }) => failedTag(found, undefined, tags) === undefined);
  const candidates = tagged.length > 0 ? tagged : sameType;
  const scored = candidates.map(({ branch, found }) => ({
    branch,
    wrong: found.failures.filter((failure) => !isUnfinished(failure, steps)).length,
    // For `anyOf` several may be intended at once.
    isMet: keyword === "anyOf" && found.failures.length === 0,
    inCommon: namesInCommon(branch, value),
  }));
  const least = Math.min(...scored.map(({ wrong }) => wrong));
  const nearest = scored.filter(({ wrong }) => wrong === least);
  const most = Math.max(...nearest.map(({ inCommon }) => inCommon));
  const likely = nearest.filter(({ isMet, inCommon }) => isMet || inCommon === most);
  return likely.map(({ branch }) => branch);
}

/** Returns whether a failure may end with further typing at these steps. */
function isUnfinished(
  { keyword, path }: SchemaFailure,
  steps: readonly (string | number)[],
): boolean {
  return (
    unfinished.includes(keyword) && stepsOf(path).every((step, index) => step === steps[index])
  );
}

/** Counts the properties of a value that a branch or one of its own branches names. */
function namesInCommon(branch: SchemaRules, value: JsonValue): number {
  const nested = layersOf([branch]).flatMap(({ anyOf = [], oneOf = [] }) => [...anyOf, ...oneOf]);
  const counts = [branch, ...nested].map((one) => propertiesInCommon(one, value));
  return Math.max(...counts);
}

/** The findings for a value and a branch; none where that takes too long. */
function findingsOf(branch: SchemaRules, value: JsonValue, budget: SampleBudget): Findings {
  const { steps } = budget;
  const verdict = evaluateSchema(budget.schemaAt(branch), value, { limit: maxFailures, steps });
  return verdict.kind === "decided" ? verdict.findings : newFindings(0);
}
