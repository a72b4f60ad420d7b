import type { Language } from "../../text/language";
import type { ChangeWords } from "./versionDifference";

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
