import { type Findings, newFindings, type ValuePlace } from "./evaluation";
import { isJsonObject, jsonTypeOf } from "./jsonValue";
import type { SchemaFailure } from "./schemaFailure";
import type { SchemaRules } from "./schemaRules";

/** A value that fits no branch, and what each branch says of it, in the order of the branches. */
export interface BranchChoice {
  keyword: "anyOf" | "oneOf";
  rules: SchemaRules;
  branches: readonly SchemaRules[];
  attempts: readonly Findings[];
  value: unknown;
  place: ValuePlace | undefined;
}

interface Attempt {
  branch: SchemaRules;
  found: Findings;
}

/**
 * Picks what to tell of a value that fits no branch: the failures of the branch that was meant. That
 * is one for this kind of value, with a matching `const` or `enum` among its properties, with the
 * fewest failures, with the most properties in common. Branches that differ in the allowed kind or
 * value alone are told as one.
 */
export function chooseBranch(choice: BranchChoice): Findings {
  const all: Attempt[] = choice.branches.map((branch, index) => ({
    branch,
    found: choice.attempts[index] ?? newFindings(0),
  }));
  const ofThisKind = all.filter(({ found }) => !isOfOtherKind(found, choice));
  if (ofThisKind.length === 0) return togetherAt(choice.place, all, choice);
  const allowed = ofThisKind.filter(({ found }) => onlyAllowedFails(found, choice.place));
  if (allowed.length === ofThisKind.length && allowed.length > 1) {
    return togetherAt(choice.place, allowed, choice);
  }
  const meant = ofThisKind.filter(({ found }) => failedTag(found, choice.place) === undefined);
  if (meant.length === 0) {
    const tags = ofThisKind.map(({ found }) => failedTag(found, choice.place));
    if (tags.every((tag) => tag?.place?.key === tags[0]?.place?.key)) return tagAmong(tags, choice);
  }
  return closest(meant.length > 0 ? meant : ofThisKind, choice.value);
}

/** The failure at the value itself that shows a branch to be for another kind of value. */
function isOfOtherKind({ failures }: Findings, { value, place }: BranchChoice): boolean {
  return failures.some((failure) => {
    if (failure.place !== place || failure.at !== "value") return false;
    if (failure.keyword === "types" || failure.keyword === "never") return true;
    if (failure.keyword === "anyOf" || failure.keyword === "oneOf") return "because" in failure;
    return isAllowedKeyword(failure) && !allowedBy(failure).some((one) => isSameKind(one, value));
  });
}

function onlyAllowedFails({ failures, hidden }: Findings, place: ValuePlace | undefined): boolean {
  const [only] = failures;
  if (only === undefined || failures.length > 1 || hidden > 0) return false;
  return only.place === place && isAllowedKeyword(only);
}

/** The failing `const` or `enum` of a direct property: what tells one form of an object from others. */
function failedTag(
  { failures }: Findings,
  place: ValuePlace | undefined,
): SchemaFailure | undefined {
  return failures.find(
    (failure) =>
      isAllowedKeyword(failure) &&
      failure.place !== undefined &&
      failure.place.parent === place &&
      typeof failure.place.key === "string",
  );
}

function tagAmong(tags: (SchemaFailure | undefined)[], { rules }: BranchChoice): Findings {
  const because = tags.filter((tag) => tag !== undefined);
  const [first] = because;
  if (first === undefined) return newFindings(0);
  const failure: SchemaFailure = { ...first, keyword: "enum", rules, because };
  return { ...newFindings(1), failures: [failure] };
}

/** One failure that names everything the branches allow. */
function togetherAt(
  place: ValuePlace | undefined,
  attempts: Attempt[],
  { keyword, rules, value }: BranchChoice,
): Findings {
  const because = attempts.flatMap(({ found }) =>
    found.failures.filter((failure) => failure.place === place && failure.keyword !== "never"),
  );
  const isEvery = (fits: (failure: SchemaFailure) => boolean) => because.every(fits);
  const told = isEvery(({ keyword: failed }) => failed === "types")
    ? "types"
    : isEvery(isAllowedKeyword)
      ? "enum"
      : keyword;
  const failure: SchemaFailure = { keyword: told, rules, place, value, at: "value", because };
  return { ...newFindings(1), failures: [failure] };
}

function closest(attempts: Attempt[], value: unknown): Findings {
  const failuresOf = ({ found }: Attempt) => found.failures.length + found.hidden;
  const [best] = attempts.toSorted(
    (left, right) =>
      failuresOf(left) - failuresOf(right) ||
      propertiesInCommon(right.branch, value) - propertiesInCommon(left.branch, value),
  );
  return best?.found ?? newFindings(0);
}

function propertiesInCommon(branch: SchemaRules, value: unknown): number {
  if (!isJsonObject(value)) return 0;
  let rules = branch;
  // References in a circle would have ended the evaluation before; a few steps are enough here.
  for (let step = 0; step < 8 && rules.properties === undefined && rules.reference; step += 1) {
    rules = rules.reference.target;
  }
  return Object.keys(value).filter((name) => rules.properties?.has(name)).length;
}

function isAllowedKeyword({ keyword }: SchemaFailure): boolean {
  return keyword === "const" || keyword === "enum";
}

/** The values a failed `const` or `enum` allows, those told together included. */
export function allowedBy({ keyword, rules, because }: SchemaFailure): unknown[] {
  if (because !== undefined) return because.filter(isAllowedKeyword).flatMap(allowedBy);
  return keyword === "const" ? [rules.const] : (rules.enum ?? []);
}

function isSameKind(left: unknown, right: unknown): boolean {
  const kindOf = (value: unknown) => (typeof value === "number" ? "number" : jsonTypeOf(value));
  return kindOf(left) === kindOf(right);
}
