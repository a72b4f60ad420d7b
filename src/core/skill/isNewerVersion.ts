/**
 * Returns whether a semantic version is higher than another (semver 2.0, section 11). False if either is not a semantic
 * version.
 */
export function isNewerVersion(version: string, than: string): boolean {
  const [left, right] = [parts(version), parts(than)];
  if (left === undefined || right === undefined) return false;
  const numbers = compareLists(left.numbers, right.numbers);
  if (numbers !== 0) return numbers > 0;
  // A version without a pre-release is newer than any of its pre-releases.
  if (left.early.length === 0 || right.early.length === 0) {
    return left.early.length === 0 && right.early.length > 0;
  }
  return compareLists(left.early, right.early) > 0;
}

/**
 * Returns whether two texts name the same version. Ignores a leading `v`, and build metadata such as `+5` if only one
 * of them has it. Texts that are no semantic versions are compared as they are. All comparisons of a skill's versions
 * use this rule.
 */
export function isSameVersion(one: string | undefined, other: string | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  if (parts(one) === undefined || parts(other) === undefined) return false;
  const [[core, build], [otherCore, otherBuild]] = [coreAndBuild(one), coreAndBuild(other)];
  return core === otherCore && (!build || !otherBuild || build === otherBuild);
}

function coreAndBuild(version: string): readonly string[] {
  return version.replace(/^v/, "").split("+");
}

interface VersionParts {
  readonly numbers: readonly string[];
  readonly early: readonly string[];
}

function parts(version: string): VersionParts | undefined {
  const [, numbers = "", early] =
    /^v?(\d+(?:\.\d+){0,2})(?:-([^+]+))?(?:\+.*)?$/.exec(version) ?? [];
  if (numbers === "") return undefined;
  return { numbers: numbers.split("."), early: early === undefined ? [] : early.split(".") };
}

function compareLists(left: readonly string[], right: readonly string[]): number {
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [one, other] = [left[at], right[at]];
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    const compared = compareParts(one, other);
    if (compared !== 0) return compared;
  }
  return 0;
}

/** Numbers by value, words alphabetically, numbers before words. */
function compareParts(left: string, right: string): number {
  const [isLeft, isRight] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (isLeft !== isRight) return isLeft ? -1 : 1;
  if (isLeft) return Number(left) - Number(right);
  return left === right ? 0 : left < right ? -1 : 1;
}
