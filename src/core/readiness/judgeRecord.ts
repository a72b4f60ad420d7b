import { isOver, outcomeOf } from "../invocation/outcome";
import type { InvocationRecord } from "../invocation/record/invocationRecord";
import type { Evidence, Judging, ReadinessFacts, Verdict } from "./readinessFacts";

/** Looks for an invocation that was repeated after its outcome was unknown. */
export function judgeRepeats(
  all: readonly InvocationRecord[],
  { facts, language: { t } }: Judging,
): Verdict | undefined {
  const records = recordsOf(all, facts);
  for (const [index, unknown] of records.entries()) {
    if (!isUnknown(unknown) || unknown.requestSha256 === undefined) continue;
    const again = records
      .slice(0, index)
      .findLast(
        (record) => record.requestSha256 === unknown.requestSha256 && outcomeOf(record).mayBeBilled,
      );
    if (again === undefined) continue;
    return {
      state: "no",
      message: t(
        "An invocation was repeated after its outcome was unknown: it may have run twice.",
      ),
      evidence: [unknown, again].map(invocationEvidence),
    };
  }
  return undefined;
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
