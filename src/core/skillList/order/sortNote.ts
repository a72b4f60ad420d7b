import type { Language } from "../../text/language";
import type { SkillList } from "../skillList";
import { orderWords } from "./arrangementWords";
import { measureOf } from "./checkSort";
import { type SkillOrder, wireSort } from "./skillArrangement";
import type { SortMeasureName } from "./sortMeasures";

/** Says what became of an order that the registry was asked for. Undefined where it followed it. */
export function sortNote(
  { skills, sorting }: SkillList,
  order: SkillOrder,
  language: Language,
): string | undefined {
  const { t } = language;
  const sort = wireSort(order);
  if (sort === undefined || sorting === undefined) return undefined;
  const name = orderWords(order, language).title;
  const measure = sorting === "ignored" ? measureOf(skills, sort) : undefined;
  return measure === undefined
    ? t("The order “{name}” cannot be checked: the rows do not say what it goes by.", {
        name,
      })
    : t(
        "The registry ignored the order “{name}”; the {count} loaded are sorted here by {measure}.",
        {
          name,
          count: skills.length,
          measure: measureWord(measure.name, language),
        },
      );
}

function measureWord(name: SortMeasureName, { t }: Language): string {
  switch (name) {
    case "installs":
      return t("installs");
    case "calls":
      return t("calls");
    case "successRate":
      return t("success rate");
    case "power":
      return t("power");
    case "lastChange":
      return t("last change");
  }
}
