import type { Language } from "../../text/language";
import { changeKindWords } from "../changes/changeKindWords";
import type { SkillChanges } from "../changes/skillChanges";
import type { ChangeGroup } from "../changes/versionDifference";

/** Puts a change of where a skill runs into words. */
export function runtimeGroup(runtime: SkillChanges["runtime"], language: Language): ChangeGroup {
  const { t } = language;
  const title = t("Where it runs");
  if (runtime === undefined) return { part: "runtime", title, changes: [], note: "" };
  const words = (side: typeof runtime.before) =>
    side === undefined
      ? t("not given")
      : [side.type, side.entry ?? ""]
          .filter((text) => text !== "")
          .join(", ")
          .slice(0, 500);
  const text = t("{after} (was: {before})", {
    after: words(runtime.after),
    before: words(runtime.before),
  });
  const changes = [{ ...changeKindWords("changed", language), place: "", text, needsLook: true }];
  return { part: "runtime", title, changes, note: "" };
}
