import type { Language } from "../../text/language";
import type { Change } from "../difference";
import { isSameVersion } from "../isNewerVersion";
import type { SkillVersion } from "../skill";

/** How two versions of a skill differ, as text for its page. */
export interface VersionDifference {
  readonly before: string;
  readonly after: string;
  /** Whether callers of the earlier version must review the changes, and which parts were not compared. */
  readonly summary: string;
  /** Whether a change may break a caller or gives the skill more permissions. */
  readonly needsLook: boolean;
  /** Only parts that differ, or could not be compared. */
  readonly groups: readonly ChangeGroup[];
}

/** The changes of one part of a skill. */
export interface ChangeGroup {
  readonly part: Change["part"];
  readonly title: string;
  readonly changes: readonly ChangeText[];
  /** How many changes are omitted; empty for none. */
  readonly note: string;
}

/** One change as text. */
export interface ChangeText {
  readonly kind: Change["kind"];
  /** The kind in a word. */
  readonly word: string;
  /** Its path in a schema, such as `columns[].name`; empty outside schemas and for a whole schema. */
  readonly path: string;
  readonly text: string;
  readonly impact: Change["impact"];
}

/** Names a kind of change. */
export function changeKindText(
  kind: ChangeText["kind"],
  { t }: Language,
): Pick<ChangeText, "kind" | "word"> {
  const words = {
    added: t("Added"),
    removed: t("Removed"),
    tightened: t("Tightened"),
    loosened: t("Loosened"),
    changed: t("Changed"),
    unknown: t("Not compared"),
  };
  return { kind, word: words[kind] };
}

/**
 * Chooses the versions to compare at first: the shown one and the one before it, or for the oldest, the one after it.
 * `versions` is newest first. Undefined for a single version.
 */
export function versionPair(
  versions: readonly Pick<SkillVersion, "version">[],
  shown: string,
): { readonly before: string; readonly after: string } | undefined {
  const at = Math.max(
    0,
    versions.findIndex(({ version }) => isSameVersion(version, shown)),
  );
  const [after, before] = [versions[at], versions[at + 1]];
  if (after !== undefined && before !== undefined) return pair(before, after);
  const newer = versions[at - 1];
  return after !== undefined && newer !== undefined ? pair(after, newer) : undefined;
}

function pair(
  { version: before }: Pick<SkillVersion, "version">,
  { version: after }: Pick<SkillVersion, "version">,
) {
  return { before, after };
}
