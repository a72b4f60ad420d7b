import type { RuleChange } from "./ruleChanges";

/** Compares references out of a schema. What they lead to is not read; that they lead elsewhere is said. */
export function referenceChanges(
  before: readonly string[],
  after: readonly string[],
): RuleChange[] {
  const keyword = "$ref";
  const [old, now] = [listed(before), listed(after)];
  if (old === now) return [];
  return [
    {
      kind: "changed",
      keyword,
      ...(old !== "" && { before: { [keyword]: old } }),
      ...(now !== "" && { after: { [keyword]: now } }),
    },
  ];
}

function listed(references: readonly string[]): string {
  return [...new Set(references)].sort().join(", ");
}
