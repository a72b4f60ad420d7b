import { isSameVersion } from "../../skill/isNewerVersion";
import { addressText } from "../../skill/skillAddress";
import type { Language } from "../../text/language";
import { CostSums, costOf, sumsText } from "../cost";
import { invocationStatuses, isOver } from "../outcome";
import { endingText } from "./invocationLabels";
import type { InvocationRecord } from "./invocationRecord";

/** At least two consecutive invocations of one payload, newest first. */
export interface InvocationRun {
  /** The ID of its oldest invocation, which stays the same when another one joins. */
  readonly run: string;
  readonly records: readonly [newest: InvocationRecord, ...earlier: InvocationRecord[]];
}

/**
 * Folds consecutive invocations, newest first, with the same payload, skill and registry. A running one stays separate,
 * so that it can be watched and canceled.
 */
export function foldRuns(
  records: readonly InvocationRecord[],
): readonly (InvocationRecord | InvocationRun)[] {
  const groups: [InvocationRecord, ...InvocationRecord[]][] = [];
  for (const record of records) {
    const group = groups.at(-1);
    if (group !== undefined && isOfSameRun(group[0], record)) group.push(record);
    else groups.push([record]);
  }
  return groups.map((group) => {
    const [newest] = group;
    if (group.length === 1) return newest;
    return { run: (group.at(-1) ?? newest).id, records: group };
  });
}

function isOfSameRun(one: InvocationRecord, other: InvocationRecord): boolean {
  return (
    one.requestSha256 !== undefined &&
    one.requestSha256 === other.requestSha256 &&
    one.skillSlug === other.skillSlug &&
    one.registry === other.registry &&
    isOver(one) &&
    isOver(other)
  );
}

/** Names the skill of a run, with its version if all invocations had the same. */
export function runSkillText({ records }: InvocationRun): string {
  const [{ skillSlug, version }] = records;
  const isOneVersion = records.every((record) => isSameVersion(record.version, version));
  return addressText(skillSlug, isOneVersion ? version : "");
}

/** Counts how the invocations of a run ended, the most frequent first: `4 × success, 1 × error`. */
export function runEndingText({ records }: InvocationRun, language: Language): string {
  const counts = new Map<string, number>();
  const inOrder = [...records].sort(
    (left, right) =>
      invocationStatuses.indexOf(left.status) - invocationStatuses.indexOf(right.status),
  );
  for (const record of inOrder) {
    const ending = endingText(record, language);
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return [...counts]
    .sort((left, right) => right[1] - left[1])
    .map(([ending, count]) => `${count} × ${ending}`)
    .join(", ");
}

/** Describes whether a run had several different outputs; empty if all known ones are equal. */
export function runOutputsText({ records }: InvocationRun, { t }: Language): string {
  const outputs = new Set(records.map(({ responseSha256 }) => responseSha256));
  outputs.delete(undefined);
  return outputs.size > 1 ? t("{count} different outputs", { count: outputs.size }) : "";
}

/** Adds up the cost of a run by currency, and marks expected amounts. Empty if it was free or unknown. */
export function runCostText({ records }: InvocationRun, language: Language): string {
  const [named, expected] = [new CostSums(), new CostSums()];
  for (const record of records) {
    const cost = costOf(record);
    if (cost.kind === "known") named.add(record.registry, cost);
    if (cost.kind === "expected") expected.add(record.registry, cost);
  }
  const amount = sumsText(expected.all, language);
  const more = amount === "" ? "" : language.t("{amount} expected", { amount });
  return [sumsText(named.all, language), more].filter((text) => text !== "").join(" + ");
}
