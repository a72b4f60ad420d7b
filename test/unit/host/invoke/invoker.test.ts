import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { TextDocument } from "vscode";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import type { InvocationResult } from "../../../../src/engine/sendInvocation";
import type { InvocationOrigin } from "../../../../src/host/invoke/invocationOrigin";
import type { CheckedInvocation, SendAgain } from "../../../../src/host/invoke/invocationPath";
import { Invoker } from "../../../../src/host/invoke/invoker";

/** Opens a document. A document that is closed and reopened is another object with the same address. */
function open(text = "{}"): TextDocument {
  const uri = { toString: () => "file:///calls/a.skill-input.json" };
  return { uri, getText: () => text } as unknown as TextDocument;
}

function originOf({ uri, getText }: TextDocument): InvocationOrigin {
  return { uri, text: getText() } as InvocationOrigin;
}

/** Returns an invoker with its own clock, whose steps count what is sent and with which permission. */
function started() {
  const state = {
    time: 1000,
    end: "done" as InvocationResult,
    sent: [] as boolean[],
    tested: [] as boolean[],
    waited: [] as number[],
  };
  const parts = { end: async () => undefined as unknown };
  let again: SendAgain | undefined;
  const checkedFor = (source: string) =>
    ({ source, prepared: { text: "{}" } }) as CheckedInvocation;
  const invoker = new Invoker(
    (calls) => {
      again = calls;
      return {
        prepare: async (_document, source, isTestRun) => {
          state.tested.push(isTestRun);
          return checkedFor(source);
        },
        send: async (_checked, twice) => {
          state.sent.push(twice);
          await parts.end();
          return state.end;
        },
        sendAfter: async (_checked, seconds) => {
          state.waited.push(seconds);
          return state.end;
        },
      };
    },
    originOf,
    () => state.time,
  );
  return { invoker, state, parts, again: () => again as SendAgain, checkedFor };
}

const record = (id: string) => ({ id }) as InvocationRecord;

describe("invocations of one document", () => {
  it("are one for a double click, and separate later", async () => {
    const { invoker, state } = started();
    const document = open();
    await invoker.invoke(document);
    state.time += 599;
    await invoker.invoke(document);
    assert.equal(state.sent.length, 1);
    state.time += 1;
    await invoker.invoke(document);
    assert.equal(state.sent.length, 2);
  });

  it("are two after a cancellation, however soon", async () => {
    const { invoker, state } = started();
    const document = open();
    state.end = "cancelled";
    await invoker.invoke(document);
    state.end = "done";
    await invoker.invoke(document);
    await invoker.invoke(document);
    assert.equal(state.sent.length, 2);
  });

  it("are two after it was closed and opened again, however soon", async () => {
    const { invoker, state } = started();
    await invoker.invoke(open());
    await invoker.invoke(open());
    assert.equal(state.sent.length, 2);
  });
});

describe("an invocation that continues with another version", () => {
  it("is never treated as a double click, though its text is the same", async () => {
    const { invoker, state, again, checkedFor } = started();
    const document = open();
    await invoker.invoke(document);
    await again().withCurrentPayload({
      ...checkedFor("elsewhere"),
      origin: originOf(document),
      isTestRun: false,
    });
    assert.deepEqual(state.sent, [false, true]);
  });
});

describe("repeating an invocation of the record", () => {
  it("is a new invocation right after the first, although that is still claimed", async () => {
    const { invoker, state } = started();
    const document = open();
    await invoker.invoke(document);
    await invoker.invokeAgain(document, record("1"));
    assert.deepEqual(state.sent, [false, true]);
  });

  it("is one invocation for a double click, and another one later", async () => {
    const { invoker, state } = started();
    const document = open();
    await Promise.all([1, 2].map(() => invoker.invokeAgain(document, record("1"))));
    state.time += 599;
    await invoker.invokeAgain(document, record("1"));
    assert.equal(state.sent.length, 1);
    state.time += 1;
    await invoker.invokeAgain(document, record("1"));
    assert.equal(state.sent.length, 2);
  });

  it("is another invocation at once after a cancellation", async () => {
    const { invoker, state } = started();
    const document = open();
    state.end = "cancelled";
    await invoker.invokeAgain(document, record("1"));
    await invoker.invokeAgain(document, record("1"));
    assert.equal(state.sent.length, 2);
  });

  it("is one invocation per chosen record, also with the same input", async () => {
    const { invoker, state } = started();
    await invoker.invokeAgain(open(), record("1"));
    await invoker.invokeAgain(open(), record("2"));
    assert.equal(state.sent.length, 2);
  });

  it("joins an invocation of that document in progress", async () => {
    const { invoker, state, parts } = started();
    const document = open();
    let end = () => {};
    parts.end = () =>
      new Promise<void>((resolve) => {
        end = resolve;
      });
    const running = invoker.invoke(document);
    await new Promise(setImmediate);
    const joined = invoker.invokeAgain(document, record("1"));
    end();
    await Promise.all([running, joined]);
    assert.equal(state.sent.length, 1);
  });
});

describe("a test run", () => {
  it("from the record stays a test run when repeated, so that it is not billed", async () => {
    const { invoker, state } = started();
    await invoker.invoke(open(), true);
    await invoker.invokeAgain(open(), { ...record("1"), kind: "testRun" });
    await invoker.invokeAgain(open(), record("2"));
    assert.deepEqual(state.tested, [true, true, false]);
  });

  it("is remembered as a test run", async () => {
    const { invoker } = started();
    const document = open();
    await invoker.invoke(document, true);
    assert.deepEqual(invoker.last, { document, isTestRun: true });
  });

  it("is no second click of an invocation with the same text", async () => {
    const { invoker, state } = started();
    const document = open();
    await invoker.invoke(document);
    await invoker.invoke(document, true);
    assert.deepEqual(state.tested, [false, true]);
  });
});

describe("a notice's button that sends again", () => {
  it("sends at once, and allows a second sending only if requested", async () => {
    const { invoker, state, again, checkedFor } = started();
    const document = open();
    await invoker.invoke(document);
    await again().now(checkedFor("elsewhere"), true);
    await again().now(checkedFor("elsewhere"), false);
    await again().after(checkedFor("elsewhere"), 42);
    assert.deepEqual([state.sent, state.waited], [[false, true, false], [42]]);
  });
});
