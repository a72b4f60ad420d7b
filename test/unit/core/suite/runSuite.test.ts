import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { runSuite } from "../../../../src/core/suite/runSuite";
import { createTurns } from "../../../../src/core/suite/turns";
import { endedInvocation } from "../../../fixtures/pastInvocation";
import { check, output, readySuite, success, suite, tools } from "./caseOutcomes";

describe("a run of a suite", () => {
  it("stores nothing of an invocation that was only accepted", async () => {
    const kept = new Map<string, JsonValue>([["a", "of before"]]);
    const text = suite({ name: "a", payload: 1, expect: { snapshot: true } });
    const items = await runSuite(readySuite(text), kept, {
      ...tools(check(), check()),
      send: async () => endedInvocation({ ...success, acceptedNotRun: true, outputText: "{}" }),
      isUpdate: true,
    });
    assert.equal(items[0]?.state, "findings");
    assert.equal(kept.get("a"), "of before");
  });

  it("runs nothing more after a cancellation, and stores the outputs so far", async () => {
    const kept = new Map<string, JsonValue>();
    const text = suite(
      { name: "a", payload: 1, expect: { snapshot: true } },
      { name: "b", payload: 1, expect: { snapshot: true } },
    );
    const { own, ...rest } = readySuite(text);
    let sent = 0;
    const items = await runSuite({ ...rest, own, against: [{ ...own, name: "2.0.0" }] }, kept, {
      ...tools(check(), check()),
      send: async () => {
        sent += 1;
        return endedInvocation({ ...success, invocationId: `inv-${sent}`, outputText: "{}" });
      },
      isCanceled: () => sent === 1,
      isUpdate: true,
    });
    const canceled = "Canceled before it was run.";
    assert.deepEqual(
      items.map(({ state, invocationId, findings }) => [
        state,
        invocationId,
        findings[0]?.message.endsWith(canceled),
      ]),
      [
        ["good", "inv-1", undefined],
        ["unknown", undefined, true],
        ["unknown", undefined, true],
        ["unknown", undefined, false],
      ],
    );
    assert.deepEqual([sent, [...kept.keys()]], [1, ["a"]]);
  });

  const fiveCases = suite(...["a", "b", "c", "d", "e"].map((name) => ({ name, payload: name })));

  it("runs in parallel within the limit, and is reported in the order of the suite", async () => {
    const answers: (() => void)[] = [];
    let most = 0;
    const running = runSuite(readySuite(fiveCases), new Map(), {
      ...tools(check()),
      turns: createTurns(3),
      send: async ({ text: inputText }) => {
        await new Promise<void>((answer) => {
          most = Math.max(most, answers.push(answer));
          // The last one to arrive is answered first, once no more arrive.
          if (answers.length === 3 || inputText === `"e"`) setImmediate(() => answers.pop()?.());
        });
        setImmediate(() => answers.pop()?.());
        return endedInvocation({ ...success, invocationId: inputText, outputText: "{}" });
      },
    });
    const items = await running;
    assert.equal(most, 3);
    assert.deepEqual(
      items.map(({ invocationId }) => invocationId),
      [`"a"`, `"b"`, `"c"`, `"d"`, `"e"`],
    );
  });

  it("sends no case after another could not run, and awaits the sent ones", async () => {
    const sent: string[] = [];
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let isAwaited = false;
    const running = runSuite(readySuite(fiveCases), new Map(), {
      ...tools(check()),
      turns: createTurns(2),
      send: async ({ text: inputText }) => {
        sent.push(inputText);
        if (inputText === `"b"`) {
          setImmediate(answer);
          throw new Error("Broken.");
        }
        await isAnswered;
        isAwaited = true;
        return endedInvocation({ ...success, outputText: "{}" });
      },
    });
    await assert.rejects(running, /Broken\./);
    assert.deepEqual([sent, isAwaited], [[`"a"`, `"b"`], true]);
  });

  it("explains a rejection in the words of an invocation", async () => {
    const refused = { kind: "refused", reason: "payment", status: 402, durationMs: 1 } as const;
    const items = await runSuite(readySuite(suite({ name: "a", payload: 1 })), new Map(), {
      ...tools(check()),
      send: async () => endedInvocation({ ...refused, message: "Pay first." }),
    });
    assert.equal(
      items[0]?.findings[0]?.message,
      "a: Expected success; it ended with “blocked”. text-stats was not run: its payment is not set up: Pay first.",
    );
  });

  it("does not know the outcome of a case if the registry ran another version", async () => {
    const other = { ...success, version: "2.0.0", outputText: JSON.stringify(output) };
    const items = await runSuite(readySuite(suite({ name: "a", payload: 1 })), new Map(), {
      ...tools(check()),
      send: async () => endedInvocation(other as InvocationOutcome),
    });
    assert.deepEqual(
      [items[0]?.state, items[0]?.findings[0]?.message],
      ["unknown", "a: The registry ran version 2.0.0 of text-stats instead of 1.0.0."],
    );
  });

  it("names the invocation with an unknown outcome", async () => {
    const failure = { kind: "timeout", seconds: 60 } as const;
    const items = await runSuite(readySuite(suite({ name: "a", payload: 1 })), new Map(), {
      ...tools(check()),
      send: async () =>
        endedInvocation({ kind: "outcomeUnknown", failure, durationMs: 1, invocationId: "inv-1" }),
    });
    assert.deepEqual([items[0]?.state, items[0]?.invocationId], ["unknown", "inv-1"]);
  });
});
