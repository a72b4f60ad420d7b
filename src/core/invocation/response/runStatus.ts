import { spellCode } from "../../project/gateway/codes";

/**
 * What the `status` of a response says about an invocation. `stopped`: it ended without a result, maybe before the skill
 * ran. `waiting`: the registry accepted it and has no result yet.
 */
export type RunStatus = "success" | "failed" | "stopped" | "waiting";

/**
 * The words of registries for each status, as `spellCode` writes them. Any other word leaves the outcome unknown. Typed
 * clients contain this table.
 */
export const runStatusWords: Readonly<Record<RunStatus, readonly string[]>> = {
  success: ["success", "succeeded", "completed", "ok"],
  failed: ["error", "errored", "failed", "failure", "fail", "exception", "crashed"],
  stopped: [
    ...["timeout", "timed_out", "expired", "cancelled", "canceled", "aborted", "killed"],
    ...["denied", "blocked", "rejected", "refused", "forbidden", "declined", "skipped"],
  ],
  waiting: [
    ...[
      "accepted",
      "queued",
      "enqueued",
      "pending",
      "scheduled",
      "submitted",
      "created",
      "waiting",
    ],
    ...["running", "started", "starting", "processing", "in_progress", "working", "retrying"],
    ...["pending_approval", "waiting_for_approval", "awaiting_approval", "requires_approval"],
    ...["requires_action", "input_required", "auth_required", "paused", "deferred"],
  ],
};

const meanings: ReadonlyMap<string, RunStatus> = new Map(
  Object.entries(runStatusWords).flatMap(([status, words]) =>
    words.map((word) => [word, status as RunStatus] as const),
  ),
);

/** Returns what a registry's word for a status means, in any spelling. Undefined for an unknown word. */
export function runStatusOf(word: string): RunStatus | undefined {
  return meanings.get(spellCode(word.trim()));
}
