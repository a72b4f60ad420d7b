import type { SchemaChanges } from "../../schema/compare/schemaChange";
import { schemaChanges } from "../../schema/compare/schemaChanges";
import type { Permissions } from "../permissions";
import type { Price, SkillDetail, SkillRuntime } from "../skill";

/** How a version of a skill differs from an earlier one. Parts that do not differ are empty or undefined. */
export interface SkillChanges {
  readonly permissions: readonly PermissionChange[];
  readonly input: SchemaDifference;
  readonly output: SchemaDifference;
  readonly runtime: RuntimeChange | undefined;
  /** Undefined also where a registry names no price for one of the two. */
  readonly prices: PriceChange | undefined;
}

/** A permission that is more or less than before. `unknown` stands for a version that does not say. */
export interface PermissionChange {
  readonly permission: "filesystem" | "secrets" | "network" | "browser" | "all";
  readonly kind: "more" | "less" | "other" | "unknown";
  readonly before: Permissions | undefined;
  readonly after: Permissions | undefined;
}

/** How a schema differs: rule by rule, or that it is new, gone or was never given. */
export type SchemaDifference =
  | ({ readonly kind: "compared" } & SchemaChanges)
  | { readonly kind: "new" | "gone" | "neverGiven" };

/** Where a version runs, before and after. */
interface RuntimeChange {
  readonly before: SkillRuntime | undefined;
  readonly after: SkillRuntime | undefined;
}

/** What a version costs, before and after. */
interface PriceChange {
  readonly before: readonly Price[];
  readonly after: readonly Price[];
}

/** Compares two versions of a skill in all that a caller depends on. */
export function skillChanges(before: SkillDetail, after: SkillDetail): SkillChanges {
  return {
    permissions: permissionChanges(before.permissions, after.permissions),
    input: schemaDifference(before.inputSchema, after.inputSchema),
    output: schemaDifference(before.outputSchema, after.outputSchema),
    runtime: runtimeChange(before.runtime, after.runtime),
    prices: priceChange(before.prices, after.prices),
  };
}

/** Compares what two versions may do, permission by permission. */
function permissionChanges(
  before: Permissions | undefined,
  after: Permissions | undefined,
): PermissionChange[] {
  const change = (permission: PermissionChange["permission"], kind: PermissionChange["kind"]) => [
    { permission, kind, before, after },
  ];
  if (before === undefined || after === undefined) {
    return before === after ? [] : change("all", "unknown");
  }
  const files = ["none", "read", "write"];
  const steps = [
    ["filesystem", files.indexOf(after.filesystem) - files.indexOf(before.filesystem)],
    ["secrets", after.secretCount - before.secretCount],
    ["network", Number(after.network) - Number(before.network)],
    ["browser", Number(after.browser) - Number(before.browser)],
  ] as const;
  return steps.flatMap(([permission, step]) => {
    if (step !== 0) return change(permission, step > 0 ? "more" : "less");
    return permission === "secrets" && namesDiffer(before, after) ? change("secrets", "other") : [];
  });
}

function namesDiffer(before: Permissions, after: Permissions): boolean {
  const [old, now] = [before, after].map(({ secretNames }) => [...secretNames].sort().join("\n"));
  return old !== now;
}

function schemaDifference(
  before: SkillDetail["inputSchema"],
  after: SkillDetail["inputSchema"],
): SchemaDifference {
  if (before === undefined || after === undefined) {
    if (before === after) return { kind: "neverGiven" };
    return { kind: after === undefined ? "gone" : "new" };
  }
  return { kind: "compared", ...schemaChanges(before, after) };
}

function runtimeChange(
  before: SkillRuntime | undefined,
  after: SkillRuntime | undefined,
): RuntimeChange | undefined {
  const same = before?.type === after?.type && before?.entry === after?.entry;
  return same ? undefined : { before, after };
}

function priceChange(
  before: readonly Price[] | undefined,
  after: readonly Price[] | undefined,
): PriceChange | undefined {
  if (before === undefined || after === undefined) return undefined;
  const [old, now] = [before, after].map((prices) => prices.map(priceKey).sort().join("\n"));
  return old === now ? undefined : { before, after };
}

function priceKey({ billingModel, unitAmountCents, currency, status }: Price): string {
  return [billingModel, unitAmountCents, currency, status].join(" ");
}
