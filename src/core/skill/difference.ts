import { canonicalText, type JsonValue } from "../json/jsonValue";
import type { SchemaChange } from "../schema/compare/schemaChange";
import { schemaChanges } from "../schema/compare/schemaChanges";
import type { ContractPart, Declaration } from "./compare/contract";
import { fileAccessRank, type Permissions } from "./permissions";
import type { Price } from "./skill";

/** One difference between two readings of a skill: its part, its path in the part, and its effect on a caller. */
export interface Change extends SchemaChange {
  readonly part: ContractPart;
  readonly impact: ChangeImpact;
}

/** The effect of a change on a caller: working calls may fail, may mean something else, or work as before. */
export type ChangeImpact = "breaking" | "check" | "safe";

/**
 * Compares two readings of a skill in everything that a caller depends on, or only in some `parts`. A part that only
 * one reading knows is a change of the kind `unknown`. A part that neither knows is no change; `unknownParts` lists it.
 */
export function difference(
  before: Declaration,
  after: Declaration,
  parts: readonly ContractPart[] = reportOrder,
): readonly Change[] {
  return parts.flatMap((part) => comparisons[part](before, after));
}

const comparisons: Readonly<
  Record<ContractPart, (before: Declaration, after: Declaration) => readonly Change[]>
> = {
  permissions: ({ permissions: before }, { permissions: after }) =>
    compareKnown(before, after, permissionChanges).map(inPart("permissions")),
  runtime: (before, after) =>
    compareKnown(before.runtime, after.runtime, () => runtimeChanges(before, after)).map(
      inPart("runtime"),
    ),
  publisher: ({ publisher: before }, { publisher: after }) =>
    compareKnown(before, after, () => (before === after ? [] : [changed("publisher")])).map(
      inPart("publisher"),
    ),
  prices: ({ prices: before }, { prices: after }) =>
    compareKnown(knownPrices(before), knownPrices(after), priceChanges).map(inPart("prices")),
  inputSchema: ({ inputSchema: before }, { inputSchema: after }) =>
    compareKnown<JsonValue>(before, after, schemaChanges).map((change) => ({
      ...change,
      part: "inputSchema",
      impact: inputImpact(change),
    })),
  outputSchema: ({ outputSchema: before }, { outputSchema: after }) =>
    compareKnown<JsonValue>(before, after, schemaChanges).map((change) => ({
      ...change,
      part: "outputSchema",
      impact: outputImpact(change),
    })),
};

const reportOrder: readonly ContractPart[] = [
  "permissions",
  "runtime",
  "publisher",
  "prices",
  "inputSchema",
  "outputSchema",
];

function compareKnown<Value>(
  before: Value | null,
  after: Value | null,
  compare: (before: Value, after: Value) => readonly SchemaChange[],
): readonly SchemaChange[] {
  if (before === null || after === null) return before === after ? [] : [notCompared("part")];
  return compare(before, after);
}

/** Rates the changes of a part: all need a review, except those that grant less. */
function inPart(part: ContractPart): (change: SchemaChange) => Change {
  return (change) => ({ ...change, part, impact: change.kind === "removed" ? "safe" : "check" });
}

function changed(keyword: string): SchemaChange {
  return { kind: "changed", path: [], keyword };
}

function notCompared(keyword: string): SchemaChange {
  return { kind: "unknown", path: [], keyword };
}

/** Lists the parts that at least one reading does not know. They are not compared. */
export function unknownParts(before: Declaration, after: Declaration): readonly ContractPart[] {
  return reportOrder.filter((part) =>
    [before, after].some((side) =>
      part === "prices" ? side.prices.length === 0 : side[part] === null,
    ),
  );
}

/** Returns whether a skill needs secrets whose names one of two readings does not know. */
export function hasUnknownSecrets(before: Declaration, after: Declaration): boolean {
  return [before, after].some(
    ({ permissions }) => permissions !== null && !areSecretsKnown(permissions),
  );
}

function areSecretsKnown({ secretCount, secretNames }: Permissions): boolean {
  return secretNames.length > 0 || secretCount === 0;
}

/** Compares permissions: `added` grants more than before, `removed` less. */
function permissionChanges(before: Permissions, after: Permissions): readonly SchemaChange[] {
  const steps = [
    ["filesystem", fileAccessRank(after.filesystem) - fileAccessRank(before.filesystem)],
    ["network", Number(after.network) - Number(before.network)],
    ["browser", Number(after.browser) - Number(before.browser)],
  ] as const;
  return [
    ...steps.flatMap(([keyword, step]): SchemaChange[] =>
      step === 0 ? [] : [{ kind: step > 0 ? "added" : "removed", path: [], keyword }],
    ),
    ...secretChanges(before, after),
    ...nameChanges("others", before.others ?? [], after.others ?? []),
  ];
}

function secretChanges(before: Permissions, after: Permissions): readonly SchemaChange[] {
  const keyword = "secrets";
  const step = after.secretCount - before.secretCount;
  const [wereKnown, areKnown] = [before, after].map(areSecretsKnown);
  const names =
    wereKnown && areKnown ? nameChanges(keyword, before.secretNames, after.secretNames) : [];
  if (names.length > 0) return names;
  if (step !== 0) return [{ kind: step > 0 ? "added" : "removed", path: [], keyword }];
  return wereKnown === areKnown ? [] : [notCompared(keyword)];
}

/** Compares lists of names. Replacing one name by another is `changed`, since it grants something new. */
function nameChanges(
  keyword: string,
  before: readonly string[],
  after: readonly string[],
): readonly SchemaChange[] {
  const isNew = after.some((name) => !before.includes(name));
  const isGone = before.some((name) => !after.includes(name));
  if (!isNew && !isGone) return [];
  return [{ kind: isNew && isGone ? "changed" : isNew ? "added" : "removed", path: [], keyword }];
}

function runtimeChanges(before: Declaration, after: Declaration): readonly SchemaChange[] {
  const [old, now] = [before.runtime, after.runtime];
  const [from, to] = [old?.host ?? null, now?.host ?? null];
  const isMoved = from !== to;
  const isHidden = isMoved && [old, now].some((it) => it?.host === null && it.type !== "local");
  const isOther =
    !isMoved &&
    before.entry !== undefined &&
    after.entry !== undefined &&
    before.entry !== after.entry;
  return [
    ...(old?.type === now?.type ? [] : [changed("type")]),
    ...(isMoved ? [isHidden ? notCompared("host") : changed("host")] : []),
    ...(isOther ? [changed("entry")] : []),
  ];
}

function knownPrices(prices: readonly Price[]): readonly Price[] | null {
  return prices.length === 0 ? null : prices;
}

/** Compares the amounts of prices. An amount or currency that one side lacks is unknown. */
function priceChanges(before: readonly Price[], after: readonly Price[]): readonly SchemaChange[] {
  const [old, now] = [before, after].map((prices) =>
    prices.map(amountOf).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
  ) as [Amount[], Amount[]];
  if (keyOf(old) === keyOf(now)) return [];
  const mayBeEqual = (one: unknown, other: unknown) =>
    one === other || one === undefined || other === undefined;
  const mayBeSame = old.every(({ billingModel, cents, currency }, index) => {
    const other = now[index];
    const isLike = billingModel === other?.billingModel && mayBeEqual(cents, other.cents);
    return isLike && mayBeEqual(currency, other.currency);
  });
  return old.length === now.length && mayBeSame ? [notCompared("prices")] : [changed("prices")];
}

interface Amount {
  readonly billingModel: string;
  readonly cents?: number | undefined;
  readonly currency?: string | undefined;
}

function amountOf({ billingModel, unitAmountCents: cents, currency }: Price): Amount {
  return billingModel === "free" || cents === 0
    ? { billingModel: "free" }
    : { billingModel, cents, currency: currency?.toUpperCase() };
}

function keyOf(value: Amount | readonly Amount[]): string {
  return canonicalText(value);
}

/** Keywords that never make a payload invalid here. A mismatch with `format`, for instance, is only a warning. */
const annotations = ["deprecated", "readOnly", "writeOnly", "format", "description"];

/** Returns the effect of a change on callers: a payload that was valid may be rejected, or may mean something else. */
function inputImpact({
  kind,
  keyword,
  required,
  isRefused,
  isNegated,
}: SchemaChange): ChangeImpact {
  if (kind === "unknown" || keyword === "$schema") return "check";
  if (annotations.includes(keyword)) return "safe";
  if (isNegated) return "breaking";
  if (kind === "loosened" || (kind === "added" && required !== true)) return "safe";
  const mayMeanOther = keyword === "default" || (kind === "removed" && isRefused !== true);
  return mayMeanOther ? "check" : "breaking";
}

/**
 * Returns the effect of a change on readers of outputs: an output may lack values that they expect, or contain unknown
 * ones.
 */
function outputImpact({ kind, keyword, required, isNegated }: SchemaChange): ChangeImpact {
  if (kind === "unknown" || keyword === "$schema") return "check";
  if (annotations.includes(keyword) || keyword === "default") return "safe";
  if (isNegated) return "check";
  if (kind === "added") return keyword === "oneOf" ? "check" : "safe";
  if (kind === "tightened" || (kind === "loosened" && required === true)) return "safe";
  return kind === "removed" || (kind === "changed" && keyword === "type") ? "breaking" : "check";
}
