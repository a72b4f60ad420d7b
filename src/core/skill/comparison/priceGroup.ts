import type { Language } from "../../text/language";
import { changeKindWords } from "../changes/changeKindWords";
import type { SkillChanges } from "../changes/skillChanges";
import type { ChangeGroup } from "../changes/versionDifference";
import { priceWords } from "../description/priceWords";

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
