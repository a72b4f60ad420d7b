import { canonicalText, isJsonObject, jsonTypeOf } from "../../json/jsonValue";
import { allowedValues } from "../allowedValues";
import { layersOf, type SchemaRules } from "../schemaRules";
import { type Findings, type InstancePath, newFindings, type SchemaFailure } from "./evaluation";

/** A value that matches no branch, and the findings of each branch in order. */
export interface BranchChoice {
  keyword: "anyOf" | "oneOf";
  rules: SchemaRules;
  branches: readonly SchemaRules[];
  attempts: readonly Findings[];
  value: unknown;
  path: InstancePath | undefined;
}

interface Attempt {
  branch: SchemaRules;
  found: Findings;
}

/**
 * Chooses the failures to report for a value that matches no branch: those of the most likely branch. The criteria in
 * order: the branch is for this type of value, its tag (a property that distinguishes branches) matches, it names a
 * property of the value, it has the fewest failures, it names the most properties of the value. Branches that differ
 * only in the allowed type or value, in the tag or in one missing property are reported together. Failures that are
 * only true if this branch is intended are marked with `guess`.
 */
export function chooseBranch(choice: BranchChoice): Findings {
  const chosen = mostLikely(choice);
  if (chosen.guess === undefined) return chosen.findings;
  const { guess } = chosen;
  const mark = (failure: SchemaFailure) => ({ ...failure, guess: strongest(failure.guess, guess) });
  const { failures, warnings } = chosen.findings;
  return { ...chosen.findings, failures: failures.map(mark), warnings: warnings.map(mark) };
}

function strongest(left: SchemaFailure["guess"], right: Guess): Guess {
  return left === "branch" ? left : right;
}

type Guess = NonNullable<SchemaFailure["guess"]>;

/** The findings to report, and what they guess about the intended branch. */
interface Chosen {
  readonly findings: Findings;
  readonly guess?: Guess | undefined;
}

function mostLikely(choice: BranchChoice): Chosen {
  const { branches, path, value } = choice;
  const all: Attempt[] = branches.map((branch, index) => ({
    branch,
    found: choice.attempts[index] ?? newFindings(0),
  }));
  const { sameType, tags, tagged: candidates } = narrowBranches(all, choice);
  if (sameType.length === 0) return { findings: combinedFindings(path, all, choice) };
  // Another type may be intended: if 5 or "auto" is allowed, the text "5" may mean 5.
  const isScalar = typeof value !== "object" || value === null;
  const guess = isScalar && sameType.length < all.length ? "value" : undefined;
  const singleFailures = sameType.map(({ found }) => onlyFailureAt(found, path));
  if (singleFailures.length > 1 && singleFailures.every((it) => it && isAllowedKeyword(it))) {
    return { findings: combinedFindings(path, sameType, choice), guess };
  }
  const missingTag = tagMissingInAll(sameType, path, tags);
  if (missingTag !== undefined) {
    return { findings: { ...newFindings(1), failures: [missingTag] }, guess: "branch" };
  }
  if (candidates.length === 0) {
    const failed = sameType.map(({ found }) => failedTag(found, path, tags));
    if (failed.every((tag) => tag?.path?.key === failed[0]?.path?.key)) {
      return { findings: tagFindings(failed, choice), guess };
    }
  }
  const missing = singleFailures.filter((failure) => failure?.keyword === "required");
  if (missing.length > 1 && missing.length === candidates.length) {
    return { findings: missingPropertyFindings(missing, choice), guess: "branch" };
  }
  const [only, ...others] = candidates.length > 0 ? candidates : sameType;
  if (only !== undefined && others.length === 0) return { findings: only.found, guess };
  return {
    findings: closest(candidates.length > 0 ? candidates : sameType, value),
    guess: "branch",
  };
}

/** Selects the branches for the type of a value (`sameType`), and of these the branches whose tags match (`tagged`). */
export function narrowBranches(attempts: Attempt[], at: Pick<BranchChoice, "value" | "path">) {
  const sameType = attempts.filter(({ found }) => !isOfOtherKind(found, at));
  const tags = tagNames(sameType.map(({ branch }) => branch));
  const tagged = sameType.filter(({ found }) => failedTag(found, at.path, tags) === undefined);
  return { sameType, tags, tagged };
}

/** Returns whether a failure at the value itself shows that the branch is for another type of value. */
function isOfOtherKind(
  { failures }: Findings,
  { value, path }: Pick<BranchChoice, "value" | "path">,
): boolean {
  return failures.some((failure) => {
    if (failure.path !== path || failure.at !== "value") return false;
    if (failure.keyword === "types" || failure.keyword === "never") return true;
    if (failure.keyword === "anyOf" || failure.keyword === "oneOf") return "because" in failure;
    return (
      isAllowedKeyword(failure) && !allowedBy(failure).some((allowed) => isSameKind(allowed, value))
    );
  });
}

/** Returns the only failure if it is reported at the value itself. */
function onlyFailureAt(
  { failures, hidden }: Findings,
  path: InstancePath | undefined,
): SchemaFailure | undefined {
  const [only] = failures;
  return failures.length === 1 && hidden === 0 && only?.path === path ? only : undefined;
}

/** Finds the failed `const` or `enum` of a property that distinguishes branches. */
function failedTag(
  { failures }: Findings,
  path: InstancePath | undefined,
  tags: ReadonlySet<string>,
): SchemaFailure | undefined {
  return failures.find(
    (failure) =>
      isAllowedKeyword(failure) &&
      failure.path !== undefined &&
      failure.path.parent === path &&
      tags.has(String(failure.path.key)),
  );
}

/**
 * Returns the failure for a tag that every branch requires and the value lacks. Without the tag, the intended branch is
 * unknown.
 */
function tagMissingInAll(
  attempts: Attempt[],
  path: InstancePath | undefined,
  tags: ReadonlySet<string>,
): SchemaFailure | undefined {
  const missingIn = ({ found }: Attempt) =>
    found.failures.filter(
      ({ keyword, name, path: at }) =>
        keyword === "required" && at === path && name !== undefined && tags.has(name),
    );
  const [first, ...others] = attempts.map(missingIn);
  return first?.find(({ name }) =>
    others.every((missing) => missing.some((failure) => failure.name === name)),
  );
}

/** Creates one failure for branches that each require one property that the value lacks. It names these properties. */
function missingPropertyFindings(
  missing: (SchemaFailure | undefined)[],
  { rules, keyword: branches }: BranchChoice,
): Findings {
  const because = missing.filter((failure) => failure !== undefined);
  const names = new Set(because.map(({ name }) => name));
  const failures = because
    .slice(0, 1)
    .map((first) => (names.size > 1 ? { ...first, rules, because, branches } : first));
  return { ...newFindings(1), failures };
}

function tagFindings(
  tags: (SchemaFailure | undefined)[],
  { rules, keyword: branches }: BranchChoice,
): Findings {
  const because = tags.filter((tag) => tag !== undefined);
  const [first] = because;
  if (first === undefined) return newFindings(0);
  const failure: SchemaFailure = { ...first, keyword: "enum", rules, because, branches };
  return { ...newFindings(1), failures: [failure] };
}

/** Creates one failure that lists everything the branches allow. */
function combinedFindings(
  path: InstancePath | undefined,
  attempts: Attempt[],
  { keyword, rules, value }: BranchChoice,
): Findings {
  const because = attempts.flatMap(({ found }) =>
    found.failures.filter((failure) => failure.path === path && failure.keyword !== "never"),
  );
  const isEvery = (fits: (failure: SchemaFailure) => boolean) => because.every(fits);
  // Without a failure other than `never`, each branch is the schema `false`.
  const reportedAs =
    because.length === 0
      ? keyword
      : isEvery(({ keyword: failed }) => failed === "types")
        ? "types"
        : isEvery(isAllowedKeyword)
          ? "enum"
          : keyword;
  const reported = { keyword: reportedAs, rules, path, value, at: "value", because } as const;
  const failure: SchemaFailure = { ...reported, branches: keyword };
  return { ...newFindings(1), failures: [failure] };
}

function closest(attempts: Attempt[], value: unknown): Findings {
  const failuresOf = ({ found }: Attempt) => found.failures.length + found.hidden;
  const inCommon = new Map(attempts.map((it) => [it, propertiesInCommon(it.branch, value)]));
  const commonOf = (attempt: Attempt) => inCommon.get(attempt) ?? 0;
  // A branch that names none of the value's properties may have the fewest failures, but is not intended. An example is
  // a branch for a reference to an object if the value is the object itself.
  const [best] = attempts.toSorted(
    (left, right) =>
      Number(commonOf(right) > 0) - Number(commonOf(left) > 0) ||
      failuresOf(left) - failuresOf(right) ||
      commonOf(right) - commonOf(left),
  );
  return best?.found ?? newFindings(0);
}

/** Counts the properties of a value that a branch names. */
export function propertiesInCommon(branch: SchemaRules, value: unknown): number {
  if (!isJsonObject(value)) return 0;
  const names = propertiesOf(branch);
  return Object.keys(value).filter((name) => names.has(name)).length;
}

function isAllowedKeyword({ keyword }: SchemaFailure): boolean {
  return keyword === "const" || keyword === "enum";
}

/** Lists the values that a failed `const` or `enum` allows, including those reported together. */
export function allowedBy({ keyword, rules, because }: SchemaFailure): unknown[] {
  if (because !== undefined) return because.filter(isAllowedKeyword).flatMap(allowedBy);
  return keyword === "const" ? [rules.const] : (rules.enum ?? []);
}

function isSameKind(left: unknown, right: unknown): boolean {
  const kindOf = (value: unknown) => (typeof value === "number" ? "number" : jsonTypeOf(value));
  return kindOf(left) === kindOf(right);
}

/**
 * Lists the properties that distinguish branches: at least two branches restrict them to different values, by `const`
 * or `enum`.
 */
export function tagNames(branches: readonly SchemaRules[]): Set<string> {
  const lists = new Map<string, Set<string>>();
  for (const branch of branches) {
    for (const [name, rules] of propertiesOf(branch)) {
      const values = allowedValues(layersOf([rules]));
      if (values === undefined) continue;
      lists.set(name, (lists.get(name) ?? new Set()).add(canonicalText(values)));
    }
  }
  return new Set([...lists].filter(([, different]) => different.size > 1).map(([name]) => name));
}

/** Returns the properties that a branch names, itself or through references and `allOf`. */
function propertiesOf(branch: SchemaRules): Map<string, SchemaRules> {
  return new Map(layersOf([branch]).flatMap(({ properties = [] }) => [...properties]));
}
