import type { RegistryFailure } from "../registry/registryFailure";
import type { Expectation } from "../suite/suite";
import type { InvocationOutcome, RefusalReason } from "./invocation";
import type { InvocationRecord } from "./record/invocationRecord";
import { runStatusOf } from "./response/runStatus";

/**
 * How an invocation ended, or that it is running. Records and scripts use these words, and filters show them in this
 * order.
 */
export const invocationStatuses = [
  "running",
  "success",
  "not executed",
  "error",
  "blocked",
  "refused",
  "not sent",
  "cancelled",
  "outcome unknown",
] as const;

export type InvocationStatus = (typeof invocationStatuses)[number];

/**
 * Whether the skill ran. `acceptedOnly`: the registry recorded the invocation, and did not run the skill so far.
 */
const ranAnswers = ["yes", "no", "unknown", "acceptedOnly"] as const;

export type Ran = (typeof ranAnswers)[number];

/**
 * Why an invocation ended without a result: a rejection by the registry, or a failure of the request. `noEnd`: the
 * program that sent it ended first. `waiting`: the registry accepted it and had no result yet.
 */
type EndReason = RefusalReason | RegistryFailure["kind"] | "responseTooLarge" | "noEnd" | "waiting";

/**
 * The facts about an invocation's end. They are determined once, when the response is read, and stored in the record.
 */
export interface EndFacts {
  readonly status: InvocationStatus;
  readonly ran: Ran;
  /** Missing while it runs, if the skill ran, and if the registry accepts the skill's invocations without running it. */
  readonly reason?: EndReason;
}

/**
 * Returns whether a parsed value has these facts. Any reason is accepted, since a later version may know more of them.
 */
export function areEndFacts<Value extends { readonly [name: string]: unknown }>(
  value: Value,
): value is Value & EndFacts {
  const { status, ran, reason = "" } = value;
  return (
    invocationStatuses.some((item) => item === status) &&
    ranAnswers.some((item) => item === ran) &&
    typeof reason === "string" &&
    reason.length <= longestReason
  );
}

/** The maximum length of a reason. The longest has about twenty characters. */
const longestReason = 100;

/** The facts of an invocation that has not ended. */
export const runningFacts = { status: "running", ran: "unknown" } as const satisfies EndFacts;

/** The facts of an invocation whose program ended first. */
export const abandonedFacts = {
  status: "outcome unknown",
  ran: "unknown",
  reason: "noEnd",
} as const satisfies EndFacts;

/**
 * Returns the facts of an outcome. `blocked`: the registry decided against this project (policy, rate limit, payment).
 * `refused`: it rejected the invocation itself. After a failure of the registry, it is unknown whether the skill ran.
 */
export function endFacts(outcome: InvocationOutcome): EndFacts {
  switch (outcome.kind) {
    case "success":
      if (!outcome.acceptedNotRun) return { status: "success", ran: "yes" };
      return outcome.runStatus === undefined
        ? { status: "not executed", ran: "acceptedOnly" }
        : { status: "not executed", ran: "acceptedOnly", reason: "waiting" };
    case "skillError":
      return { status: "error", ran: isStopped(outcome) ? "unknown" : "yes" };
    case "refused":
      return { ...refusalFacts(outcome.reason), reason: outcome.reason };
    case "notSent": {
      const { kind: reason } = outcome.failure;
      return { status: reason === "cancelled" ? "cancelled" : "not sent", ran: "no", reason };
    }
    case "outcomeUnknown": {
      const { kind } = outcome.failure;
      // `tooLarge` as a reason means that the payload is too large.
      const reason = kind === "tooLarge" ? "responseTooLarge" : kind;
      return { status: "outcome unknown", ran: "unknown", reason };
    }
  }
}

/** Returns whether the registry's status says that an invocation ended without a result, maybe before the skill ran. */
export function isStopped({ runStatus = "" }: { readonly runStatus?: string }): boolean {
  return runStatusOf(runStatus) === "stopped";
}

function refusalFacts(reason: RefusalReason): Pick<EndFacts, "status" | "ran"> {
  switch (reason) {
    case "policy":
    case "rateLimit":
    case "payment":
      return { status: "blocked", ran: "no" };
    case "registryError":
      return { status: "outcome unknown", ran: "unknown" };
    default:
      return { status: "refused", ran: "no" };
  }
}

/** The meaning of an outcome for its readers. */
export interface Outcome {
  /** Its name; `statusText` localizes it. */
  readonly word: InvocationStatus;
  readonly isSuccess: boolean;
  /** How it counts. `notSent`: nothing left this machine, so it is neither a success nor a failure. */
  readonly counts: "success" | "failure" | "undecided" | "notSent";
  readonly hasRun: boolean;
  /** Whether it may have been billed, if the registry bills such invocations at all. */
  readonly mayBeBilled: boolean;
  /** For how long after its start an agent may not repeat it, in milliseconds; 0 if it may at once. */
  readonly blocksRepeatMs: number;
}

const replayMs = 600_000;
const unknownMs = 86_400_000;

const meanings: Readonly<
  Record<InvocationStatus, Pick<Outcome, "counts"> & Partial<Pick<Outcome, "blocksRepeatMs">>>
> = {
  running: { counts: "undecided", blocksRepeatMs: Number.POSITIVE_INFINITY },
  success: { counts: "success", blocksRepeatMs: replayMs },
  "not executed": { counts: "failure", blocksRepeatMs: replayMs },
  error: { counts: "failure" },
  blocked: { counts: "failure" },
  refused: { counts: "failure" },
  "not sent": { counts: "notSent" },
  cancelled: { counts: "notSent" },
  "outcome unknown": { counts: "undecided", blocksRepeatMs: unknownMs },
};

/**
 * Returns the meaning of an invocation's facts. Everything that shows, counts or judges an outcome uses this function.
 */
export function outcomeOf({ status, ran }: EndFacts): Outcome {
  const { counts, blocksRepeatMs = 0 } = meanings[status];
  return {
    word: status,
    isSuccess: counts === "success",
    counts,
    hasRun: ran === "yes",
    mayBeBilled: ran !== "no",
    blocksRepeatMs,
  };
}

/** Returns whether the registry accepted an invocation and had no result yet. */
export function isWaiting({ ran, reason }: EndFacts): boolean {
  return ran === "acceptedOnly" && reason === "waiting";
}

/** Returns whether an invocation has ended, or is presumed to have. */
export function isOver({ status }: Pick<EndFacts, "status">): boolean {
  return status !== "running";
}

/**
 * Returns the expectation that a past invocation suggests: how it ended, or `output` if the skill returned one. The
 * user then chooses parts of the output. Undefined if a suite cannot expect such an end.
 */
export function endingToExpect({
  status,
  code,
}: InvocationRecord): "output" | Expectation | undefined {
  if (status === "success") return "output";
  if (status === "error") return { failure: true };
  const isRefused = status === "refused" || status === "blocked";
  return isRefused && code !== undefined ? { refusal: code } : undefined;
}

/**
 * Returns whether an invocation is running, has had an unknown outcome for less than a day, or was answered in the last
 * ten minutes.
 */
export function blocksRepeat(record: InvocationRecord, now: number): boolean {
  const { blocksRepeatMs } = outcomeOf(record);
  return blocksRepeatMs > 0 && record.startedAt > now - blocksRepeatMs;
}
