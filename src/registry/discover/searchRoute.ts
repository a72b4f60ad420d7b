import {
  type SkillFilterName,
  type SkillQuery,
  skillFilterNames,
} from "../../core/skillList/skillQuery";

/** A registry gives at most this many rows, and the public gateway has no further pages. */
export const pageSize = 100;

/** Every spelling of each filter: the gateway's own and the specification's. None filters by publisher. */
const parameterNames: Readonly<Record<SkillFilterName, readonly string[]>> = {
  task: ["category", "task"],
  runtime: ["runtimeType", "runtime"],
  verification: ["verificationStatus", "verification"],
  permissionProfile: ["permissionLevel", "permissionProfile"],
  billingModel: ["billingModel"],
  publisher: [],
  tags: ["tags"],
};

/** Writes the route of a search. Tags are a comma list of which all must match; of other filters the first value counts. */
export function searchRoute(query: SkillQuery, cursor?: string): string {
  const parameters = new URLSearchParams();
  if (query.text.trim() !== "") parameters.set("q", query.text.trim());
  for (const name of skillFilterNames) {
    const values = query.filters[name] ?? [];
    const value = name === "tags" ? values.join(",") : values[0];
    if (value === undefined || value === "") continue;
    for (const parameter of parameterNames[name]) parameters.set(parameter, value);
  }
  if (query.sort !== undefined) parameters.set("sort", query.sort);
  parameters.set("limit", String(pageSize));
  if (cursor !== undefined) parameters.set("cursor", cursor);
  return `/v1/skills/search?${parameters}`;
}
