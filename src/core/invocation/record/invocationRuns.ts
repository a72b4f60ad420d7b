import { isSameVersion } from "../../skill/isNewerVersion";
import { addressText } from "../../skill/skillAddress";
import type { Language } from "../../text/language";
import { CostSums, costOf, sumsText } from "../cost";
import { invocationStatuses, isOver } from "../outcome";
import { endingText } from "./invocationLabels";
import type { InvocationRecord } from "./invocationRecord";

/** Consecutive invocations of one payload, newest first, at least two. */
export interface InvocationRun {
  /** Names the run by its oldest invocation, so that the name stays when another joins. */
  readonly run: string;
  readonly records: readonly [newest: InvocationRecord, ...earlier: InvocationRecord[]];
}

/**
 * Folds invocations, newest first, that follow each other with the very same payload for the same skill at the same
 * registry. A running one stands by itself, where it can be watched and canceled.
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

/** Names the skill of a run, with its version where all invocations were of one. */
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

/** Says where a run had more than one output; empty where all that are known are the same. */
export function runOutputsText({ records }: InvocationRun, { t }: Language): string {
  const outputs = new Set(records.map(({ responseSha256 }) => responseSha256));
  outputs.delete(undefined);
  return outputs.size > 1 ? t("{count} different outputs", { count: outputs.size }) : "";
}

/** Adds up what a run cost, by currency, and what is only expected. Empty for nothing, and where nobody knows it. */
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
