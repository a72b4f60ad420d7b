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

/** What only a value that is still being written fails. */
const unfinished: readonly FailingKeyword[] = [
  "required",
  "dependentRequired",
  "minProperties",
  "minItems",
  "minContains",
  "contains",
  "minLength",
];

/** As many failures of a branch as decide whether another one is nearer. */
const maxFailures = 20;

/** A value as far as it is written, and the steps from it to where it is being written. */
interface Written {
  readonly value: JsonValue | undefined;
  readonly steps: readonly (string | number)[];
}

/**
 * Lists the branches that a value, as far as it is written, may be meant for: those for its type and its tags that
 * it contradicts least, of `oneOf` those with most names in common. All of them without a value.
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
    // Of `anyOf` several may be meant at once.
    isMet: keyword === "anyOf" && found.failures.length === 0,
    inCommon: namesInCommon(branch, value),
  }));
  const least = Math.min(...scored.map(({ wrong }) => wrong));
  const nearest = scored.filter(({ wrong }) => wrong === least);
  const most = Math.max(...nearest.map(({ inCommon }) => inCommon));
  const meant = nearest.filter(({ isMet, inCommon }) => isMet || inCommon === most);
  return meant.map(({ branch }) => branch);
}

/** Returns whether a failure is one that writing on at these steps may end. */
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

/** What is wrong with a value by a branch; nothing where that takes too long to tell. */
function findingsOf(branch: SchemaRules, value: JsonValue, budget: SampleBudget): Findings {
  const { steps } = budget;
  const verdict = evaluateSchema(budget.schemaAt(branch), value, { limit: maxFailures, steps });
  return verdict.kind === "decided" ? verdict.findings : newFindings(0);
}
