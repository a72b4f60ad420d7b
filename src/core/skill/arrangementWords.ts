import type { SkillArrangement, SkillGrouping, SkillOrder } from "./skillArrangement";

const orders: Readonly<Record<SkillOrder, { readonly title: string; readonly meaning: string }>> = {
  recommended: { title: "Recommended", meaning: "as the registry recommends" },
  adoption: { title: "Adoption", meaning: "most used first" },
  success: { title: "Success", meaning: "most often successful first" },
  low_risk: { title: "Low Risk", meaning: "least power first" },
  recent: { title: "Recent", meaning: "last changed first" },
  name: { title: "Name", meaning: "sorted here, over what is loaded" },
};

const groupings: Readonly<Record<SkillGrouping, string>> = {
  none: "No Groups",
  task: "Task",
  publisher: "Publisher",
  state: "Verification State",
};

/** Names an order and says what comes first in it. */
export function orderWords(order: SkillOrder): {
  readonly title: string;
  readonly meaning: string;
} {
  return orders[order];
}

/** Names a grouping. */
export function groupingTitle(grouping: SkillGrouping): string {
  return groupings[grouping];
}

/** Says how a list is laid out, such as `by name · grouped by task`; empty for the plain one. */
export function arrangementWords({ order, grouping }: SkillArrangement): string {
  const words = [
    order === "recommended" ? "" : `by ${orders[order].title.toLowerCase()}`,
    grouping === "none" ? "" : `grouped by ${groupings[grouping].toLowerCase()}`,
  ];
  return words.filter(Boolean).join(" · ");
}
