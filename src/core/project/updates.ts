import { errorCount, type PayloadCheck } from "../payload/payloadCheck";
import { declarationOf } from "../skill/compare/contract";
import { difference } from "../skill/difference";
import { changeLine, mostSerious, summaryText } from "../skill/differenceText";
import { isNewerVersion, isSameVersion } from "../skill/isNewerVersion";
import { mergeSkill, type OwnDetail } from "../skill/mergeSkill";
import type { SkillDetail, SkillVersion } from "../skill/skill";
import type { Language } from "../text/language";
import { type ChangeQuestion, renameWarning } from "./changes";
import type { InstalledSkill, ProjectSummary } from "./project";

/** The changes of an update for callers of the skill. */
interface UpdateDifference {
  /** One line per change, the most serious first. */
  readonly changes: readonly { readonly text: string; readonly needsLook: boolean }[];
  /** The summary of the changes, and the parts that were not compared. */
  readonly note: string;
}

/**
 * Compares a project's pinned version with that of an update. `offered` is the registry's public version; if it differs
 * from the update's, the result is unknown.
 */
export function updateDifference(
  pinned: OwnDetail | undefined,
  offered: SkillDetail | undefined,
  targetVersion: string,
  language: Language,
): UpdateDifference {
  const { t } = language;
  if (pinned === undefined || offered === undefined) {
    return {
      changes: [],
      note: t("The changes are unknown: the registry returned only one version."),
    };
  }
  const { version } = offered.summary;
  if (!isSameVersion(version, targetVersion)) {
    const values = { version: targetVersion, given: version };
    const note = t(
      "The changes are unknown: the registry returned {given} instead of {version}.",
      values,
    );
    return { changes: [], note };
  }
  const sides = { before: declarationOf(toSkillDetail(pinned)), after: declarationOf(offered) };
  const changes = mostSerious(difference(sides.before, sides.after));
  return {
    changes: changes.map((change) => ({
      text: changeLine(change, sides, language),
      needsLook: change.impact !== "safe",
    })),
    note: summaryText(changes, sides, language),
  };
}

/** Builds a complete skill from a project's copy of it. */
export function toSkillDetail(own: OwnDetail): SkillDetail {
  const none = { row: undefined, prices: undefined, feedback: undefined, publisher: undefined };
  return mergeSkill({ own, ...none });
}

/**
 * Lists the versions to roll back to: first those that the project pinned earlier, the latest first, then older ones of
 * the registry's list.
 */
export function earlierVersions(
  { version }: InstalledSkill,
  pinnedBefore: readonly string[],
  listed: readonly SkillVersion[],
): readonly string[] {
  const closed = listed.filter(({ status = "" }) => closedStates.has(status.toLowerCase()));
  const older = listed.map((item) => item.version).filter((item) => isNewerVersion(version, item));
  const newestFirst = older.sort((one, other) => (isNewerVersion(one, other) ? -1 : 1));
  const all = new Set([...pinnedBefore, ...newestFirst]);
  for (const pinned of [version, ...closed.map((entry) => entry.version)]) all.delete(pinned);
  return [...all];
}

/** The states of versions that cannot be installed or were never reviewed. */
const closedStates: ReadonlySet<string> = new Set([
  "draft",
  "submitted",
  "queued",
  "in_review",
  "rejected",
  "blocked",
  "suspended",
]);

/** Builds the question whether to pin another version, which installs that version. */
export function rollBackQuestion(
  { slug, version, permissionLevel }: InstalledSkill,
  target: string,
  project: ProjectSummary,
  language: Language,
): ChangeQuestion {
  const { t } = language;
  return {
    message: t("Roll back {skill} to {version} in {project}?", {
      skill: slug,
      version: target,
      project: project.name,
    }),
    detail: [
      t("Replaces the installed version {version}.", { version }),
      permissionLevel === "high" ? t("With high permissions it has to be approved again.") : "",
      renameWarning(project, language),
    ].filter((line) => line !== ""),
    agree: t("Roll Back"),
  };
}

/** Adds the versions that a project had pinned before a change. The last pinned version comes first. */
export function withPinned(
  before: readonly InstalledSkill[],
  now: readonly InstalledSkill[],
  known: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
  const moved = before.flatMap(({ slug, version }) => {
    const after = now.find((skill) => skill.slug === slug)?.version;
    if (version === "" || after === undefined || isSameVersion(after, version)) return [];
    const earlier = [
      version,
      ...(known[slug] ?? []).filter((item) => !isSameVersion(item, version)),
    ];
    return [[slug, earlier.slice(0, maxRemembered)] as const];
  });
  return moved.length === 0 ? known : { ...known, ...Object.fromEntries(moved) };
}

/** The maximum number of remembered versions. Older ones can be chosen from the registry's list. */
const maxRemembered = 5;

/** A payload that fits the project's version but not the new one. */
export interface BrokenPayload {
  readonly path: string;
  /** The number of its problems, and the first one. */
  readonly count: number;
  readonly first: string;
}

/**
 * Returns how an update breaks a payload, from its checks against both versions. Undefined unless the payload is
 * invalid for the new version and was not invalid before.
 */
export function brokenBy(
  path: string,
  before: PayloadCheck,
  after: PayloadCheck,
): BrokenPayload | undefined {
  if (after.state !== "invalid" || before.state === "invalid") return undefined;
  const first = after.problems.find(({ severity }) => severity === "error");
  return { path, count: errorCount(after), first: first?.message ?? "" };
}

/** Describes on one line which payload breaks, and how. */
export function brokenText({ path, count, first }: BrokenPayload, { t }: Language): string {
  return count === 1
    ? t("{path} would no longer be valid: {problem}", { path, problem: first })
    : t("{path} would no longer be valid: {problem} And {count} more.", {
        path,
        problem: first,
        count: count - 1,
      });
}

/** Describes how many files an adopted update made invalid; empty for none. */
export function brokenCountText(count: number, { t }: Language): string {
  if (count === 0) return "";
  return count === 1
    ? t("1 file of this workspace is no longer valid.")
    : t("{count} files of this workspace are no longer valid.", { count });
}
