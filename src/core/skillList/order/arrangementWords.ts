import type { Language } from "../../text/language";
import type { SkillArrangement, SkillGrouping, SkillOrder } from "./skillArrangement";

/** An order in words: its name, what comes first in it, and how a list in it is called. */
export interface OrderWords {
  readonly title: string;
  readonly meaning: string;
  readonly list: string;
}

/** Says what an order is. */
export function orderWords(order: SkillOrder, { t }: Language): OrderWords {
  switch (order) {
    case "recommended":
      return {
        title: t("Recommended"),
        meaning: t("as the registry recommends"),
        list: "",
      };
    case "adoption":
      return {
        title: t("Adoption"),
        meaning: t("most used first"),
        list: t("by adoption"),
      };
    case "success":
      return {
        title: t("Success"),
        meaning: t("most often successful first"),
        list: t("by success"),
      };
    case "low_risk":
      return {
        title: t("Low Risk"),
        meaning: t("least power first"),
        list: t("by low risk"),
      };
    case "recent":
      return {
        title: t("Recent"),
        meaning: t("last changed first"),
        list: t("by last change"),
      };
    case "name":
      return {
        title: t("Name"),
        meaning: t("sorted here, over what is loaded"),
        list: t("by name"),
      };
  }
}

/** Names a grouping. */
export function groupingTitle(grouping: SkillGrouping, { t }: Language): string {
  switch (grouping) {
    case "none":
      return t("No Groups");
    case "task":
      return t("Task");
    case "publisher":
      return t("Publisher");
    case "state":
      return t("Verification State");
  }
}

/** Says how a list is laid out, such as `by name · grouped by task`; empty for the plain one. */
export function arrangementWords(
  { order, grouping }: SkillArrangement,
  language: Language,
): string {
  return [orderWords(order, language).list, groupedWords(grouping, language)]
    .filter(Boolean)
    .join(" · ");
}

function groupedWords(grouping: SkillGrouping, { t }: Language): string {
  switch (grouping) {
    case "none":
      return "";
    case "task":
      return t("grouped by task");
    case "publisher":
      return t("grouped by publisher");
    case "state":
      return t("grouped by verification state");
  }
}
