import type { Language } from "../../text/language";
import { billingWord } from "../row/billingWord";
import { powerWord, stateWord } from "../row/rowWord";
import {
  type SkillFilterName,
  type SkillFilters,
  type SkillQuery,
  skillFilterNames,
} from "../skillQuery";

/** The query that restricts nothing. */
export const unrestrictedQuery: SkillQuery = { text: "", filters: {} };

/** Names a filter for people. */
export function filterTitle(name: SkillFilterName, { t }: Language): string {
  switch (name) {
    case "task":
      return t("Task");
    case "runtime":
      return t("Runtime");
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

/** Tells whether a query restricts the list in any way. */
export function isRestricted(query: SkillQuery): boolean {
  return (
    query.text !== "" || skillFilterNames.some((name) => (query.filters[name]?.length ?? 0) > 0)
  );
}

/** Says in words what a query asks for, such as `“csv” · data · verified or submitted`; empty for all skills. */
export function queryWords(query: SkillQuery, language: Language): string {
  const filters = skillFilterNames.map((name) => filterWords(name, query.filters, language));
  return [query.text === "" ? "" : language.t("“{text}”", { text: query.text }), ...filters]
    .filter(Boolean)
    .join(" · ");
}

/** Says a value of a filter for people: `per_call` is "per call", the tag `csv` is "#csv". */
export function filterValueWord(name: SkillFilterName, value: string, language: Language): string {
  switch (name) {
    case "billingModel":
      return billingWord(value, language);
    case "permissionProfile":
      return powerWord(value, language);
    case "verification":
      return stateWord(value, language);
    case "tags":
      return `#${value}`;
    default:
      return value;
  }
}

function filterWords(name: SkillFilterName, filters: SkillFilters, language: Language): string {
  const values = filters[name] ?? [];
  if (values.length === 0) return "";
  const words = values.map((value) => filterValueWord(name, value, language));
  if (name === "tags") return words.join(" ");
  const choice = new Intl.ListFormat(language.locale, { type: "disjunction" }).format(words);
  return name === "publisher" ? language.t("by {name}", { name: choice }) : choice;
}
