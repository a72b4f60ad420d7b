import { billingWord } from "./skill/billingWord";
import {
  type SkillFilterName,
  type SkillFilters,
  type SkillQuery,
  skillFilterNames,
} from "./skillQuery";

/** The query that restricts nothing. */
export const unrestrictedQuery: SkillQuery = { text: "", filters: {} };

const titles: Readonly<Record<SkillFilterName, string>> = {
  task: "Task",
  runtime: "Runtime",
  verification: "Verification",
  permissionProfile: "Permission profile",
  billingModel: "Price",
  publisher: "Publisher",
  tags: "Tag",
};

/** Names a filter for people. */
export function filterTitle(name: SkillFilterName): string {
  return titles[name];
}

/** Tells whether a query restricts the list in any way. */
export function isRestricted(query: SkillQuery): boolean {
  return (
    query.text !== "" || skillFilterNames.some((name) => (query.filters[name]?.length ?? 0) > 0)
  );
}

/** Says in words what a query asks for, such as `“csv” · data · verified or submitted`; empty for all skills. */
export function queryWords(query: SkillQuery): string {
  const filters = skillFilterNames.map((name) => filterWords(name, query.filters));
  return [query.text === "" ? "" : `“${query.text}”`, ...filters].filter(Boolean).join(" · ");
}

/** Says a value of a filter for people: `per_call` is "paid per call"; most are words already. */
export function filterValueWord(name: SkillFilterName, value: string): string {
  return name === "billingModel" ? billingWord(value) : value;
}

function filterWords(name: SkillFilterName, filters: SkillFilters): string {
  const values = filters[name] ?? [];
  if (values.length === 0) return "";
  const words = values.map((value) => filterValueWord(name, value));
  if (name === "tags") return words.map((tag) => `#${tag}`).join(" ");
  if (name === "publisher") return `by ${words.join(" or ")}`;
  return name === "permissionProfile" ? `${words.join(" or ")} power` : words.join(" or ");
}
