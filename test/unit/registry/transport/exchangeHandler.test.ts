import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "mocha";
import { ExchangeHandler } from "../../../../src/registry/transport/exchangeHandler";

const limits = { seconds: 1, maxBytes: 1000 };

/** Plays the part of undici that starts to write the request and is told not to. */
function offer() {
  const reasons: Error[] = [];
  return {
    reasons,
    controller: {
      aborted: false,
      paused: false,
      reason: null,
      abort: (reason: Error) => void reasons.push(reason),
      pause: () => undefined,
      resume: () => undefined,
    },
  };
}

describe("ExchangeHandler", () => {
  it("writes nothing after its end", async () => {
    const handler = new ExchangeHandler("/a", limits, 100);
    handler.fail({ kind: "cancelled" });
    const late = offer();
    handler.onRequestStart(late.controller);
    assert.equal(late.reasons.length, 1);
    assert.deepEqual(await handler.exchange, {
      kind: "failed",
      failure: { kind: "cancelled" },
      mayBeSent: false,
    });
  });

  it("writes nothing twice", async () => {
    const handler = new ExchangeHandler("/a", limits, 100);
    const [first, second] = [offer(), offer()];
    handler.onRequestStart(first.controller);
    handler.onRequestStart(second.controller);
    assert.deepEqual([first.reasons.length, second.reasons.length], [0, 1]);
    handler.onResponseError(second.controller, new Error("sent before"));
    const exchange = await handler.exchange;
    assert.ok(exchange.kind === "failed" && exchange.mayBeSent);
  });

  it("keeps its first end", async () => {
    const handler = new ExchangeHandler("/a", limits, 100);
    handler.fail({ kind: "timeout", seconds: 1 });
    handler.fail({ kind: "cancelled" });
    const exchange = await handler.exchange;
    assert.ok(exchange.kind === "failed" && exchange.failure.kind === "timeout");
  });

  for (const maxBytes of [3_000_000, 40_000_000]) {
    it(`keeps a response of 3 MB in its pieces, at a limit of ${maxBytes} bytes`, async () => {
      const handler = new ExchangeHandler("/a", { seconds: 1, maxBytes }, 100);
      const { controller } = offer();
      const sent = randomBytes(3_000_000);
      handler.onRequestStart(controller);
      handler.onResponseStart(controller, 200, {});
      for (let at = 0; at < sent.length; at += 7001) {
        handler.onResponseData(controller, sent.subarray(at, at + 7001));
      }
      handler.onResponseEnd();
      const exchange = await handler.exchange;
      assert.ok(exchange.kind === "answered" && sent.equals(exchange.answer.body));
    });
  }
});
