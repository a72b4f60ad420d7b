import { isOver, outcomeOf } from "../../invocation/outcome";
import { type InvocationRecord, isAgent } from "../../invocation/record/invocationRecord";

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
 * Returns whether the gates need a record to keep an agent from repeating its invocation. Such a record is stored
 * despite any retention setting.
 */
export function isKeptForAgents(record: InvocationRecord, now: number): boolean {
  return isAgent(record.caller.kind) && blocksRepeat(record, now);
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

/**
 * Returns whether an invocation is running, has had an unknown outcome for less than a day, or was answered in the last
 * ten minutes.
 */
function blocksRepeat(record: InvocationRecord, now: number): boolean {
  const { blocksRepeatMs } = outcomeOf(record);
  return blocksRepeatMs > 0 && record.startedAt > now - blocksRepeatMs;
}

function kindOfEarlier(record: InvocationRecord): EarlierCall["kind"] {
  if (outcomeOf(record).counts !== "undecided") return "answered";
  return isOver(record) ? "unknown" : "running";
}
