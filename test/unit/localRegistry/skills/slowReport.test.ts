import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { describe, it } from "mocha";
import type { SeenInvocation } from "../../../../src/localRegistry/project/workspace";
import { startLocalRegistry } from "../../../../src/localRegistry/startLocalRegistry";

const body = JSON.stringify({ skillSlug: "slow-report", input: { title: "T", figures: [1, 2] } });

/** Starts a registry whose slow skill waits until told, and reports when it begins and stops waiting. */
async function startWaiting() {
  const waits = new EventEmitter();
  const registry = await startLocalRegistry({
    wait: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        waits.once("end", resolve);
        signal.addEventListener("abort", () => {
          reject(signal.reason);
          waits.emit("aborted");
        });
        waits.emit("waiting", milliseconds);
      }),
  });
  const call = (signal?: AbortSignal) =>
    fetch(`${registry.baseUrl}/v1/runtime/invoke`, {
      method: "POST",
      headers: { authorization: `Bearer ${registry.projectKey}` },
      body,
      ...(signal && { signal }),
    });
  return { registry, waits, call };
}

describe("slow-report", () => {
  it("takes ten seconds and then answers", async () => {
    const { registry, waits, call } = await startWaiting();
    const waiting = once(waits, "waiting");
    const answer = call();
    assert.deepEqual(await waiting, [10_000]);
    assert.equal(registry.invocations()[0]?.outcome, "running");
    waits.emit("end");
    assert.equal((await answer).status, 200);
    await registry.close();
  });

  it("stops when the caller disconnects", async () => {
    const { registry, waits, call } = await startWaiting();
    const leaving = new AbortController();
    const waiting = once(waits, "waiting");
    const answer = call(leaving.signal);
    await waiting;
    const aborted = once(waits, "aborted");
    leaving.abort();
    await assert.rejects(answer, { name: "AbortError" });
    await aborted;
    // The run's end is recorded in the turn after its wait.
    await new Promise(setImmediate);
    const [seen] = registry.invocations() as [SeenInvocation];
    assert.deepEqual(
      [seen.outcome, seen.httpStatus, seen.bodyText],
      ["cancelled", undefined, body],
    );
    await registry.close();
  });

  it("stops when the registry closes", async () => {
    const { registry, waits, call } = await startWaiting();
    const waiting = once(waits, "waiting");
    const answer = assert.rejects(call());
    await waiting;
    const aborted = once(waits, "aborted");
    await registry.close();
    await Promise.all([aborted, answer]);
  });
});
