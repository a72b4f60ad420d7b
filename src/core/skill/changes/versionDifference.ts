import type { Language } from "../../text/language";

/** How two versions of a skill differ, in words for its page. */
export interface VersionDifference {
  readonly before: string;
  readonly after: string;
  /** Says in a sentence whether a caller of the earlier version has to look closer. */
  readonly summary: string;
  /** True where at least one change may break a caller or gives the skill more power. */
  readonly needsLook: boolean;
  /** Only parts that differ, or could not be compared. */
  readonly groups: readonly ChangeGroup[];
}

/** The changes of one part of a skill. */
export interface ChangeGroup {
  readonly part: "permissions" | "input" | "output" | "runtime" | "price";
  readonly title: string;
  readonly changes: readonly ChangeWords[];
  /** What is left out or could not be compared; empty otherwise. */
  readonly note: string;
}

/** One change in words. */
export interface ChangeWords {
  readonly kind: "added" | "removed" | "tightened" | "loosened" | "changed";
  /** The kind in a word. */
  readonly word: string;
  /** Where in a schema it is, such as `columns[].name`; empty elsewhere and for the whole. */
  readonly place: string;
  readonly text: string;
  /** True where it may break a caller or gives the skill more power. */
  readonly needsLook: boolean;
}

/** Names a kind of change. */
export function changeKindWords(
  kind: ChangeWords["kind"],
  { t }: Language,
): Pick<ChangeWords, "kind" | "word"> {
  const words = {
    added: t("Added"),
    removed: t("Removed"),
    tightened: t("Tightened"),
    loosened: t("Loosened"),
    changed: t("Changed"),
  };
  return { kind, word: words[kind] };
}
