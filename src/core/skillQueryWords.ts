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

function filterWords(name: SkillFilterName, filters: SkillFilters): string {
  const values = filters[name] ?? [];
  if (values.length === 0) return "";
  const words = values.join(" or ");
  return name === "permissionProfile" ? `${words} power` : words;
}
