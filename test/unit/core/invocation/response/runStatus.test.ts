import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { runStatusOf, runStatusWords } from "../../../../../src/core/invocation/response/runStatus";

/** Words of registries, gateways and queues, as they write them. */
const words: Readonly<Record<string, string>> = {
  success: "success succeeded SUCCEEDED completed Completed ok OK",
  failed: "error errored failed failure Failure fail exception crashed",
  stopped: `timeout timed_out timedOut TIMED-OUT expired cancelled canceled aborted killed denied blocked rejected
    refused forbidden declined skipped`,
  waiting: `accepted queued enqueued pending PENDING scheduled submitted created waiting running started starting
    processing in_progress inProgress working retrying pending_approval PendingApproval waiting_for_approval
    awaiting_approval requires_approval requires_action input_required auth_required paused deferred`,
  undefined: `partial partially_completed moon_phase unknown done finished successful not_ok unsuccessful 0 1 true null
    constructor toString __proto__`,
};

describe("a registry's word for the status of an invocation", () => {
  for (const [status, list] of Object.entries(words)) {
    it(`is ${status}`, () => {
      for (const word of list.split(/\s+/)) assert.equal(`${runStatusOf(word)}`, status, word);
    });
  }

  it("has one meaning, and each known word is listed here", () => {
    const all = Object.values(runStatusWords).flat();
    assert.equal(new Set(all).size, all.length);
    const listed = Object.values(words).join(" ").split(/\s+/);
    assert.deepEqual(
      all.filter((word) => !listed.includes(word)),
      [],
    );
  });
});
