import type { RegistryFailure, Result } from "../registry/registryFailure";
import type { SkillDetail } from "../skill/skill";
import type { SkillAddress } from "../skill/skillAddress";
import type { Suite } from "./suite";

/** A version of a suite's skill, or why it could not be read. */
export interface TestedVersion {
  /** Its name in messages: the version, or the slug for the registry's current one. */
  readonly name: string;
  readonly skill: SkillDetail | undefined;
  readonly reason: string;
}

/** Creates the tested version from a read skill, or for a failure, from the text of `reasonOf`. */
export function testedVersion(
  read: Result<SkillDetail>,
  { slug, version }: SkillAddress,
  reasonOf: (failure: RegistryFailure) => string,
): TestedVersion {
  const name = (read.ok ? read.value.summary.version : "") || version || slug;
  return read.ok
    ? { name, skill: read.value, reason: "" }
    : { name, skill: undefined, reason: reasonOf(read.failure) };
}

/** A suite with the version to test, and others to compare it with. */
export interface ReadySuite {
  /** Relative, with `/` between its parts. */
  readonly file: string;
  readonly text: string;
  readonly suite: Suite;
  readonly own: TestedVersion;
  readonly against: readonly TestedVersion[];
}
