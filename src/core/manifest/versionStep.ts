import { jsonEqual } from "../json/jsonValue";
import { declarationOf } from "../skill/compare/contract";
import { type Change, difference } from "../skill/difference";
import { changeLine, mostSerious } from "../skill/differenceText";
import { isNewerVersion, isSameVersion } from "../skill/isNewerVersion";
import type { SkillDetail } from "../skill/skill";
import { type Language, type LocalizableText, l10nText } from "../text/language";
import { oneLine } from "../text/plainText";
import type { ManifestFinding } from "./manifestRules";

/** The changes of a new version for the users of a skill, and the version number that these changes require. */
export interface ReleaseChanges {
  /** The part of the version to raise. A breaking change requires a major version. `none` if nothing differs. */
  readonly step: "major" | "minor" | "patch" | "none";
  /** The lowest version number that may have these changes. */
  readonly next: string;
  /** One line per change, the most serious first. */
  readonly lines: readonly string[];
}

/** The parts of a skill that its manifest sets. */
const parts = ["permissions", "runtime", "inputSchema", "outputSchema"] as const;

/**
 * Compares a manifest with the newest approved version in everything that callers depend on. Below 1.0.0 a minor
 * version may break callers.
 */
export function releaseChanges(
  approved: SkillDetail,
  local: SkillDetail,
  language: Language,
): ReleaseChanges {
  const sides = { before: declarationOf(approved), after: declarationOf(local) };
  const changes = difference(sides.before, sides.after, parts).filter(
    (change) => change.kind !== "unknown" && !(isHidden(approved) && change.keyword === "entry"),
  );
  const step = stepOf(changes, approved, local);
  const lines = mostSerious(changes).slice(0, maxLines);
  return {
    step,
    next: nextVersion(approved.summary.version, step),
    lines: lines.map((change) => oneLine(changeLine(change, sides, language), 300)),
  };
}

/** Returns whether a manifest is a public copy, in which a placeholder replaces the command. */
function isHidden({ runtime }: SkillDetail): boolean {
  return runtime?.type === "local" && /^\[.*\]$/.test(runtime.entry ?? "");
}

/** The maximum number of lines in a dialog. The skill's page has all. */
const maxLines = 100;

function stepOf(
  changes: readonly Change[],
  { summary: before }: SkillDetail,
  { summary: after }: SkillDetail,
): ReleaseChanges["step"] {
  if (changes.some(({ impact }) => impact === "breaking")) return "major";
  if (changes.length > 0) return "minor";
  const isSame =
    before.displayName === after.displayName &&
    before.description === after.description &&
    jsonEqual(before.tags, after.tags);
  return isSame ? "none" : "patch";
}

/** Raises a version. Returns it unchanged if it is not a semantic version. */
function nextVersion(version: string, step: ReleaseChanges["step"]): string {
  const numbers = coreOf(version);
  if (numbers === undefined || step === "none") return version;
  const [major, minor, patch] = numbers;
  if (step === "major" && major > 0) return `${major + 1}.0.0`;
  const isMinor = step === "minor" && major > 0;
  if (isMinor || step === "major") return `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${patch + 1}`;
}

/** Returns the three numbers of a semantic version. */
function coreOf(version: string): readonly [number, number, number] | undefined {
  const [, ...numbers] = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$/.exec(version) ?? [];
  return numbers.length < 3 ? undefined : (numbers.map(Number) as [number, number, number]);
}

/**
 * Reports that a manifest's version is too low for its changes since the newest approved version; at most one finding.
 */
export function versionFindings(
  approved: SkillDetail,
  local: SkillDetail,
  { step, next, lines }: ReleaseChanges,
): readonly ManifestFinding[] {
  const [before, version] = [approved.summary.version, local.summary.version];
  const core = coreOf(version);
  if (core === undefined || coreOf(before) === undefined) return [];
  const least = step === "none" ? nextVersion(before, "patch") : next;
  const finding = (
    code: string,
    severity: ManifestFinding["severity"],
    message: LocalizableText,
  ): readonly ManifestFinding[] => {
    const pointer = "/version";
    return [{ code, severity, pointer, message, fix: { pointer, value: least } }];
  };
  const values = { before, next: least, change: lines[0] ?? l10nText("other texts") };
  if (isSameVersion(version, before)) {
    const message = l10nText(
      "{before} is approved and can no longer be changed. Raise it to {next}: {change}",
      values,
    );
    return step === "none" ? [] : finding("version-locked", "error", message);
  }
  if (isNewerVersion(before, version)) {
    const message = l10nText(
      "The approved version is {before}, which is newer. Raise this one to {next}.",
      values,
    );
    return finding("version-older", "warning", message);
  }
  if (step === "none" || !isNewerVersion(next, core.join("."))) return [];
  const message =
    step === "major"
      ? l10nText("This breaks callers of {before}, so it requires version {next}: {change}", values)
      : l10nText("The changes since {before} require version {next}: {change}", values);
  return finding("version-step", "warning", message);
}
