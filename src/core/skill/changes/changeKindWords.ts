import type { Language } from "../../text/language";
import type { ChangeWords } from "./versionDifference";

/** Names a kind of change. */
export function changeKindWords(
  kind: ChangeWords["kind"],
  { translate }: Language,
): Pick<ChangeWords, "kind" | "word"> {
  const words = {
    added: translate("Added"),
    removed: translate("Removed"),
    tightened: translate("Tightened"),
    loosened: translate("Loosened"),
    changed: translate("Changed"),
  };
  return { kind, word: words[kind] };
}
