import { isOver, outcomeOf } from "../invocation/outcome";
import type { InvocationRecord } from "../invocation/record/invocationRecord";
import { dayMs, utcDay } from "../text/dates";
import {
  type Evidence,
  type ItemVerdict,
  type Judging,
  type ReadinessFacts,
  type Retention,
  withoutEvidence,
} from "./readinessFacts";

/** Judges whether an invocation was repeated after its outcome was unknown. */
export function judgeRepeats(
  all: readonly InvocationRecord[],
  { facts, language: { t } }: Judging,
): ItemVerdict {
  const records = recordsOf(all, facts);
  const [newest] = records;
  if (newest === undefined) return withoutEvidence(t("No invocation of it is on record."));
  for (const [index, unknown] of records.entries()) {
    if (!isUnknown(unknown) || unknown.requestSha256 === undefined) continue;
    const again = records
      .slice(0, index)
      .findLast(
        (record) => record.requestSha256 === unknown.requestSha256 && outcomeOf(record).mayBeBilled,
      );
    if (again === undefined) continue;
    return {
      state: "notMet",
      message: t(
        "An invocation was repeated after its outcome was unknown: it may have run twice.",
      ),
      evidence: [unknown, again].map(invocationEvidence),
    };
  }
  const unknown = records.find(isUnknown);
  const none =
    records.length === 1
      ? t("The invocation on record has no unknown outcome.")
      : t("None of {count} invocations on record has an unknown outcome.", {
          count: records.length,
        });
  if (unknown === undefined) {
    // No outcome was unknown, so nothing shows how callers react to one.
    return { state: "notApplicable", message: none, evidence: [invocationEvidence(newest)] };
  }
  const message = t("No invocation on record was repeated after an unknown outcome.");
  return { state: "met", message, evidence: [invocationEvidence(unknown)] };
}

function isUnknown(record: InvocationRecord): boolean {
  return isOver(record) && outcomeOf(record).counts === "undecided";
}

/** Selects the invocations of this skill at this registry, newest first. */
export function recordsOf(
  all: readonly InvocationRecord[],
  facts: Pick<ReadinessFacts, "skill" | "registry">,
): readonly InvocationRecord[] {
  const { slug } = facts.skill.summary;
  return all
    .filter((record) => record.skillSlug === slug && record.registry === facts.registry)
    .toSorted((one, other) => other.startedAt - one.startedAt);
}

/** Returns a recorded invocation as evidence. */
export function invocationEvidence({ id, invocationId, startedAt }: InvocationRecord): Evidence {
  return {
    kind: "invocation",
    id,
    ...(invocationId !== undefined && { invocationId }),
    at: startedAt,
  };
}

/**
 * The minimum retention in days, so that failures can be looked up. It equals the longest time for which a runbook may
 * go untested.
 */
const leastDays = 90;

/** Judges whether invocations stay on record long enough. */
export function judgeRetention(
  { days, entries, kept, since }: Retention,
  { at, facts: { now }, language: { t } }: Judging,
): ItemVerdict {
  const evidence = [{ kind: "setting", name: "history", at } as const];
  const values = { least: leastDays, days, entries };
  if (entries === 0) {
    return { state: "notMet", message: t("No invocations are kept on record."), evidence };
  }
  if (days > 0 && days < leastDays) {
    const message = t("Invocations are kept for {days} days; keep them for {least}.", values);
    return { state: "notMet", message, evidence };
  }
  const oldest = Math.min(now, since ?? now);
  const dated = { ...values, day: utcDay(oldest) };
  if (now - oldest >= leastDays * dayMs) {
    return { state: "met", message: t("The record goes back to {day}.", dated), evidence };
  }
  if (kept >= entries) {
    const message = t(
      "The record is full: with at most {entries} invocations it goes back to {day} only.",
      dated,
    );
    return { state: "notMet", message, evidence };
  }
  return withoutEvidence(
    t(
      "Invocations are kept for {least} days or more, and the record goes back to {day} only.",
      dated,
    ),
  );
}
