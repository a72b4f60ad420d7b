import type { SkillSort } from "../skillQuery";

/** An order of the Skills view: one of a registry's, or by name, which is done here. */
export type SkillOrder = SkillSort | "name";

/** The orders, as they are offered. */
export const skillOrders = [
  "recommended",
  "adoption",
  "success",
  "low_risk",
  "recent",
  "name",
] as const satisfies readonly SkillOrder[];

/** What the rows of the Skills view are grouped by. */
export type SkillGrouping = "none" | "task" | "publisher" | "state";

/** The groupings, as they are offered. */
export const skillGroupings = [
  "none",
  "task",
  "publisher",
  "state",
] as const satisfies readonly SkillGrouping[];

/** How the Skills view lays out what a query finds. */
export interface SkillArrangement {
  readonly order: SkillOrder;
  readonly grouping: SkillGrouping;
}

/** The registry's own order, ungrouped. */
export const plainArrangement: SkillArrangement = { order: "recommended", grouping: "none" };

/** Picks what a registry is asked to sort by; undefined leaves it to the registry. */
export function wireSort(order: SkillOrder): SkillSort | undefined {
  return order === "name" || order === "recommended" ? undefined : order;
}

/** Reads an order that was stored or passed to a command. Undefined where there is no such. */
export function readOrder(value: unknown): SkillOrder | undefined {
  return skillOrders.find((order) => order === value);
}

/** Reads a grouping that was stored or passed to a command. Undefined where there is no such. */
export function readGrouping(value: unknown): SkillGrouping | undefined {
  return skillGroupings.find((grouping) => grouping === value);
}
