import { type Language, orList } from "../text/language";
import {
  billingLabel,
  permissionLevelLabel,
  runtimeLabel,
  verificationLabel,
} from "./rows/skillRowText";
import type { SkillArrangement, SkillGrouping, SkillOrder } from "./skillOrder";
import {
  type SkillFilterName,
  type SkillFilters,
  type SkillQuery,
  skillFilterNames,
} from "./skillQuery";

/** The query that restricts nothing. */
export const unrestrictedQuery: SkillQuery = { text: "", filters: {} };

/** Names a filter for people. */
export function filterTitle(name: SkillFilterName, { t }: Language): string {
  switch (name) {
    case "task":
      return t("Task");
    case "runtime":
      return t("Runs as");
    case "verification":
      return t("Verification");
    case "permissionProfile":
      return t("Permission profile");
    case "billingModel":
      return t("Price");
    case "publisher":
      return t("Publisher");
    case "tags":
      return t("Tag");
  }
}

/** Returns whether a query restricts the list in any way. */
export function isRestricted(query: SkillQuery): boolean {
  return (
    query.text !== "" || skillFilterNames.some((name) => (query.filters[name]?.length ?? 0) > 0)
  );
}

/** Formats a query, such as `“csv” · data · verified or submitted`; empty for all skills. */
export function queryText(query: SkillQuery, language: Language): string {
  const filters = skillFilterNames.map((name) => filterText(name, query.filters, language));
  return [query.text === "" ? "" : language.t("“{text}”", { text: query.text }), ...filters]
    .filter(Boolean)
    .join(" · ");
}

/** Formats a value of a filter for people: `per_call` is "per invocation", the tag `csv` is "#csv". */
export function filterValueLabel(name: SkillFilterName, value: string, language: Language): string {
  switch (name) {
    case "billingModel":
      return billingLabel(value, language);
    case "permissionProfile":
      return permissionLevelLabel(value, language);
    case "verification":
      return verificationLabel(value, language);
    case "runtime":
      return runtimeLabel(value);
    case "tags":
      return `#${value}`;
    default:
      return value;
  }
}

/** Formats a value among those of all filters. Names the filter unless the value says it, as "verified" does. */
export function filterRowLabel(name: SkillFilterName, value: string, language: Language): string {
  const label = filterValueLabel(name, value, language);
  const isNamed = name === "task" || name === "runtime" || name === "publisher";
  const values = { title: filterTitle(name, language), name: label };
  return isNamed ? language.t("{title}: {name}", values) : label;
}

function filterText(name: SkillFilterName, filters: SkillFilters, language: Language): string {
  const values = filters[name] ?? [];
  if (values.length === 0) return "";
  const words = values.map((value) => filterValueLabel(name, value, language));
  if (name === "tags") return words.join(" ");
  const choice = orList(words, language);
  return name === "publisher" ? language.t("by {name}", { name: choice }) : choice;
}

/** The labels of an order: its name, what comes first in it, and the name of a list in this order. */
interface OrderLabels {
  readonly title: string;
  readonly meaning: string;
  readonly list: string;
}

/** Returns the labels of an order. */
export function orderLabels(order: SkillOrder, { t }: Language): OrderLabels {
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
        title: t("Success Rate"),
        meaning: t("highest success rate first"),
        list: t("by success rate"),
      };
    case "low_risk":
      return {
        title: t("Low Risk"),
        meaning: t("fewest permissions first"),
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
        meaning: t("sorted locally"),
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
      return t("Verification");
  }
}

/** Formats the layout of a list, such as `by name · grouped by task`; empty for the plain one. */
export function arrangementText({ order, grouping }: SkillArrangement, language: Language): string {
  return [orderLabels(order, language).list, groupedText(grouping, language)]
    .filter(Boolean)
    .join(" · ");
}

function groupedText(grouping: SkillGrouping, { t }: Language): string {
  switch (grouping) {
    case "none":
      return "";
    case "task":
      return t("grouped by task");
    case "publisher":
      return t("grouped by publisher");
    case "state":
      return t("grouped by verification");
  }
}
