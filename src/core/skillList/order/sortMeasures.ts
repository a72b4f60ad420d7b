import type { SkillSummary } from "../../skill/skill";
import type { SkillSort } from "../skillQuery";

/** Something rows state that an order can go by. */
export type SortMeasureName = "installs" | "calls" | "successRate" | "power" | "lastChange";

/** A measure of a row; the highest comes first. Undefined where the row does not state it. */
export interface SortMeasure {
  readonly name: SortMeasureName;
  readonly of: (skill: SkillSummary) => number | undefined;
}

/**
 * Lists what a registry may go by in an order, the likeliest first. None for its recommendation,
 * which is its own.
 */
export function sortMeasures(sort: SkillSort): readonly SortMeasure[] {
  switch (sort) {
    case "recommended":
      return [];
    case "adoption":
      return [
        { name: "installs", of: ({ numbers }) => numbers.installs },
        { name: "calls", of: ({ numbers }) => numbers.calls },
      ];
    case "success":
      return [{ name: "successRate", of: ({ numbers }) => numbers.successRate }];
    case "low_risk":
      return [{ name: "power", of: ({ permissionLevel }) => harmlessness(permissionLevel) }];
    case "recent":
      return [{ name: "lastChange", of: ({ updatedAt }) => updatedAt }];
  }
}

function harmlessness(level: string | undefined): number | undefined {
  const rank = ["high", "medium", "low"].indexOf(level?.toLowerCase() ?? "");
  return rank < 0 ? undefined : rank;
}
