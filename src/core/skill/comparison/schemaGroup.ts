import type { Language } from "../../text/language";
import { changeKindWords } from "../changes/changeKindWords";
import type { SchemaChange } from "../changes/schemaChange";
import { schemaChangeWords } from "../changes/schemaChangeWords";
import { schemaPlaceText } from "../changes/schemaPlaceText";
import type { SchemaDifference } from "../changes/skillChanges";
import type { ChangeGroup } from "../changes/versionDifference";

/** Puts the differences of an input or output schema into words, at most 200. */
export function schemaGroup(
  part: "input" | "output",
  difference: SchemaDifference,
  language: Language,
): ChangeGroup {
  const { t } = language;
  const title = part === "input" ? t("Input") : t("Output");
  if (difference.kind === "neverGiven") return { part, title, changes: [], note: "" };
  if (difference.kind !== "compared") {
    const note =
      difference.kind === "gone"
        ? t("This version provides no schema; the earlier one did.")
        : t("The earlier version provided no schema; this one does.");
    return { part, title, changes: [], note };
  }
  const { changes, complete } = difference;
  const shown = changes.slice(0, maxShown);
  const leftOut = changes.length - shown.length;
  return {
    part,
    title,
    note:
      complete && leftOut === 0
        ? ""
        : t("The schemas are too large to compare in full; there may be more."),
    changes: shown.map((change) => ({
      ...changeKindWords(change.kind, language),
      place: schemaPlaceText(change.path.slice(0, 20)),
      text: schemaChangeWords(change, language),
      needsLook: part === "input" ? mayRefuse(change) : maySurprise(change),
    })),
  };
}

const maxShown = 200;

const annotations = ["deprecated", "readOnly", "writeOnly", "format"];

/** Tells whether an input that was valid may not be now, or may mean something else. */
function mayRefuse({ kind, keyword, required }: SchemaChange): boolean {
  if (annotations.includes(keyword) || kind === "loosened") return false;
  return kind !== "added" || required === true;
}

/** Tells whether an output may hold what its readers have not met, or lack what they go by. */
function maySurprise({ kind, keyword, required }: SchemaChange): boolean {
  if (annotations.includes(keyword) || keyword === "default") return false;
  if (kind === "added") return keyword === "oneOf";
  return kind !== "tightened" && !(kind === "loosened" && required === true);
}
