import type { SchemaChange } from "../../schema/compare/schemaChange";
import { schemaChangeWords, schemaPlaceText } from "../../schema/compare/schemaChangeText";
import type { Language } from "../../text/language";
import { priceWords } from "../description/priceWords";
import { permissionSentences } from "../trust/permissionSentences";
import type { PermissionChange, SchemaDifference, SkillChanges } from "./skillChanges";
import { type ChangeGroup, type ChangeWords, changeKindWords } from "./versionDifference";

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

/** Puts a change of price into words. */
export function priceGroup(prices: SkillChanges["prices"], language: Language): ChangeGroup {
  const { t } = language;
  const title = t("Price");
  if (prices === undefined) return { part: "price", title, changes: [], note: "" };
  const words = (side: typeof prices.before) =>
    side.length === 0
      ? t("not given")
      : side
          .slice(0, 20)
          .map((price) => priceWords(price, language))
          .join(", ")
          .slice(0, 500);
  const text = t("{after} (was: {before})", {
    after: words(prices.after),
    before: words(prices.before),
  });
  const changes = [{ ...changeKindWords("changed", language), place: "", text, needsLook: true }];
  return { part: "price", title, changes, note: "" };
}

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
