import type { Language } from "../../text/language";
import { changeKindWords } from "../changes/changeKindWords";
import type { PermissionChange } from "../changes/skillChanges";
import type { ChangeGroup, ChangeWords } from "../changes/versionDifference";
import { permissionSentences } from "../trust/permissionSentences";

/** Puts changed permissions into words. More power always needs a look. */
export function permissionGroup(
  changes: readonly PermissionChange[],
  language: Language,
): ChangeGroup {
  const { t } = language;
  return {
    part: "permissions",
    title: t("Permissions"),
    note: "",
    changes: changes.map((change) => permissionWords(change, language)),
  };
}

function permissionWords(change: PermissionChange, language: Language): ChangeWords {
  const { t } = language;
  const { permission, kind, before, after } = change;
  if (before === undefined || after === undefined) {
    const text =
      after === undefined
        ? t("This version does not say what it may do; the earlier one did.")
        : t("The earlier version did not say what it may do; this one does.");
    return {
      ...changeKindWords("changed", language),
      place: "",
      text,
      needsLook: after === undefined,
    };
  }
  const sentence = (permissions: typeof after) =>
    permissionSentences(permissions, language).find((it) => it.permission === permission)
      ?.sentence ?? "";
  const text = t("{after} (was: {before})", {
    after: sentence(after),
    before: sentence(before),
  });
  const kinds = { more: "added", less: "removed", other: "changed", unknown: "changed" } as const;
  return { ...changeKindWords(kinds[kind], language), place: "", text, needsLook: kind !== "less" };
}
