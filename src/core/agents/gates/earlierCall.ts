import { blocksRepeat, isOver, outcomeOf } from "../../invocation/outcome";
import type { InvocationRecord } from "../../invocation/record/invocationRecord";

/** The last equal invocation, if it blocks another. */
export interface EarlierCall {
  readonly kind: "running" | "unknown" | "answered";
  readonly record: InvocationRecord;
}

/** Identifies equal invocations: by registry, contract and payload. */
export interface CallKey {
  readonly registry: string;
  readonly contractHash: string;
  /** The payload's hash, as records have it. */
  readonly payloadId: string;
}

/**
 * Finds an equal invocation that blocks another. Prefers a running or unknown one to a successful one. `records` are
 * newest first.
 */
export function earlierCall(
  records: readonly InvocationRecord[],
  key: CallKey,
  now: number,
): EarlierCall | undefined {
  const same = records.filter(
    (record) =>
      record.registry === key.registry &&
      record.contractHash === key.contractHash &&
      record.payloadId === key.payloadId &&
      blocksRepeat(record, now),
  );
  const record = same.find((item) => kindOfEarlier(item) !== "answered") ?? same[0];
  return record && { kind: kindOfEarlier(record), record };
}

function kindOfEarlier(record: InvocationRecord): EarlierCall["kind"] {
  if (outcomeOf(record).counts !== "undecided") return "answered";
  return isOver(record) ? "unknown" : "running";
}
