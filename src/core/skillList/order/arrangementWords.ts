import type { Language } from "../../text/language";
import type { SkillArrangement, SkillGrouping, SkillOrder } from "./skillArrangement";

/** An order in words: its name, what comes first in it, and how a list in it is called. */
export interface OrderWords {
  readonly title: string;
  readonly meaning: string;
  readonly list: string;
}

/** Says what an order is. */
export function orderWords(order: SkillOrder, { translate }: Language): OrderWords {
  switch (order) {
    case "recommended":
      return {
        title: translate("Recommended"),
        meaning: translate("as the registry recommends"),
        list: "",
      };
    case "adoption":
      return {
        title: translate("Adoption"),
        meaning: translate("most used first"),
        list: translate("by adoption"),
      };
    case "success":
      return {
        title: translate("Success"),
        meaning: translate("most often successful first"),
        list: translate("by success"),
      };
    case "low_risk":
      return {
        title: translate("Low Risk"),
        meaning: translate("least power first"),
        list: translate("by low risk"),
      };
    case "recent":
      return {
        title: translate("Recent"),
        meaning: translate("last changed first"),
        list: translate("by last change"),
      };
    case "name":
      return {
        title: translate("Name"),
        meaning: translate("sorted here, over what is loaded"),
        list: translate("by name"),
      };
  }
}

/** Names a grouping. */
export function groupingTitle(grouping: SkillGrouping, { translate }: Language): string {
  switch (grouping) {
    case "none":
      return translate("No Groups");
    case "task":
      return translate("Task");
    case "publisher":
      return translate("Publisher");
    case "state":
      return translate("Verification State");
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

function groupedWords(grouping: SkillGrouping, { translate }: Language): string {
  switch (grouping) {
    case "none":
      return "";
    case "task":
      return translate("grouped by task");
    case "publisher":
      return translate("grouped by publisher");
    case "state":
      return translate("grouped by verification state");
  }
}
