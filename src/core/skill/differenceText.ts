import { schemaChangeText, schemaPathText } from "../schema/compare/schemaChange";
import type { Language } from "../text/language";
import type { ContractPart, Declaration } from "./compare/contract";
import { type Change, type ChangeImpact, hasUnknownSecrets, unknownParts } from "./difference";
import { type Permissions, permissionSentences } from "./permissions";
import { priceText } from "./price";

/** The two readings that were compared. */
export interface Sides {
  readonly before: Declaration;
  readonly after: Declaration;
}

/** Describes a changed version in one line; none if the version is the same. */
export function versionLines(before: string, now: string, { t }: Language): readonly string[] {
  if (before === now) return [];
  const none = t("(none)");
  return [t("Version {now} instead of {before}.", { now: now || none, before: before || none })];
}

/** Describes changes in a line each, the most serious first. */
export function changeLines(
  changes: readonly Change[],
  sides: Sides,
  language: Language,
): readonly string[] {
  return mostSerious(changes).map((change) => changeLine(change, sides, language));
}

/** Describes a change in one line, such as "Where it runs: a.example (was: b.example)". */
export function changeLine(change: Change, sides: Sides, language: Language): string {
  return [partTitle(change.part, language), changePath(change), changeText(change, sides, language)]
    .filter((text) => text !== "")
    .join(": ");
}

/** Sorts changes by their effect on a caller, the most serious first. Known changes come before unknown ones. */
export function mostSerious(changes: readonly Change[]): readonly Change[] {
  const rank = ({ impact, kind }: Change) =>
    impacts.indexOf(impact) + (kind === "unknown" ? 0.5 : 0);
  return changes.toSorted((one, other) => rank(one) - rank(other));
}

const impacts: readonly ChangeImpact[] = ["breaking", "check", "safe"];

/** Formats the path of a change in a schema, such as `columns[].name`; empty outside schemas and for a whole schema. */
export function changePath({ path }: Change): string {
  return schemaPathText(path.slice(0, 20));
}

/** Describes a change without its part and path. */
export function changeText(change: Change, { before, after }: Sides, language: Language): string {
  const { part, kind, keyword } = change;
  if (kind !== "unknown" && (part === "inputSchema" || part === "outputSchema")) {
    return schemaChangeText(change, language);
  }
  const { t } = language;
  if (keyword === "part" && (part === "inputSchema" || part === "outputSchema")) {
    return after[part] === null
      ? t("no schema is provided now, so it was not compared")
      : t("no schema was provided before, so it was not compared");
  }
  if (part === "inputSchema" || part === "outputSchema") return schemaChangeText(change, language);
  const words = (side: Declaration) => sideText(change, side, language) || t("not provided");
  const values = { after: words(after), before: words(before) };
  return kind === "unknown"
    ? t("{after} (was: {before}), not compared", values)
    : t("{after} (was: {before})", values);
}

/** Describes the changed part as one reading declares it; empty if unknown. */
function sideText({ part, keyword }: Change, side: Declaration, language: Language): string {
  const { permissions, runtime, publisher, prices } = side;
  switch (part) {
    case "permissions":
      return permissions === null ? "" : permissionText(keyword, permissions, language);
    case "runtime":
      if (keyword === "type") return runtime?.type ?? "";
      if (keyword === "entry") return side.entry ?? "";
      return runtime?.host ?? (keyword === "part" ? (runtime?.type ?? "") : "");
    case "publisher":
      return publisher ?? "";
    case "prices":
      return prices
        .slice(0, maxPrices)
        .map((price) => priceText(price, language))
        .join(", ");
    default:
      return "";
  }
}

/** The maximum number of prices in one line. The page lists all. */
const maxPrices = 20;

function permissionText(keyword: string, permissions: Permissions, language: Language): string {
  const sentences = permissionSentences(permissions, language);
  if (keyword === "part") {
    const granted = sentences.filter((item) => item.granted).map(({ sentence }) => sentence);
    return granted.join("; ") || language.t("compute only");
  }
  return (
    sentences.find(({ permission }) => permission === keyword)?.sentence ??
    language.t("no unknown permissions")
  );
}

/** Summarizes changes: how many need a review, or which parts are the same, and which were not compared. */
export function summaryText(changes: readonly Change[], sides: Sides, language: Language): string {
  const { t } = language;
  const count = (impact: ChangeImpact) =>
    changes.filter((change) => change.impact === impact).length;
  const [breaking, check, safe] = [count("breaking"), count("check"), count("safe")];
  const counts = [
    breaking === 0 ? "" : t("{count} breaking", { count: breaking }),
    check === 0 ? "" : t("{count} to check", { count: check }),
    safe === 0 ? "" : t("{count} safe", { count: safe }),
  ];
  const found =
    breaking + check > 0
      ? `${counts.filter((text) => text !== "").join(", ")}.`
      : changes.length > 0
        ? t("No breaking changes found.")
        : sameText(changes, sides, language);
  return [found, notComparedText(sides, language)].filter((text) => text !== "").join(" ");
}

/**
 * Lists as text the parts that were not compared because one reading does not know them; empty if all were compared.
 */
function notComparedText({ before, after }: Sides, language: Language): string {
  const parts = unknownParts(before, after).map((part) => contractPartTitle(part, language));
  const secrets = hasUnknownSecrets(before, after) ? [language.t("names of secrets")] : [];
  const all = [...parts, ...secrets];
  return all.length === 0 ? "" : language.t("Not compared: {parts}.", { parts: all.join(", ") });
}

/** Lists as text the parts that both readings know and that did not change; empty for none. */
function sameText(changes: readonly Change[], sides: Sides, language: Language): string {
  const unchanged = new Set([
    ...unknownParts(sides.before, sides.after),
    ...changes.map(({ part }) => part),
  ]);
  const parts = contractParts.filter((part) => !unchanged.has(part));
  const names = parts.map((part) => contractPartTitle(part, language)).join(", ");
  return names === "" ? "" : language.t("The same: {parts}.", { parts: names });
}

const contractParts: readonly ContractPart[] = [
  "permissions",
  "inputSchema",
  "outputSchema",
  "runtime",
  "publisher",
  "prices",
];

/** Returns a part's name as the heading of its changes. */
export function partTitle(part: ContractPart, { t }: Language): string {
  switch (part) {
    case "inputSchema":
      return t("Input");
    case "outputSchema":
      return t("Output");
    case "permissions":
      return t("Permissions");
    case "runtime":
      return t("Where it runs");
    case "publisher":
      return t("Publisher");
    case "prices":
      return t("Price");
  }
}

/** Names a part of a contract. */
export function contractPartTitle(part: ContractPart, { t }: Language): string {
  switch (part) {
    case "inputSchema":
      return t("input schema");
    case "outputSchema":
      return t("output schema");
    case "permissions":
      return t("permissions");
    case "runtime":
      return t("runtime");
    case "publisher":
      return t("publisher");
    case "prices":
      return t("price");
  }
}
