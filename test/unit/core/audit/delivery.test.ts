import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { deliveryAfter } from "../../../../src/core/audit/delivery";

const answered = (status: number, retryAfterSeconds?: number, rejected = 0) =>
  ({ kind: "answered", status, retryAfterSeconds, rejected }) as const;

describe("the delivery of the audit export", () => {
  for (const [answer, failures, expected] of [
    [answered(200), 0, "taken"],
    [answered(202), 9, "taken"],
    [answered(429), 0, 1],
    [answered(503), 3, 8],
    [answered(503, 30), 0, 30],
    [answered(503, 2), 5, 32],
    [answered(504), 50, 300],
    [answered(502), 1, 2],
    [{ kind: "failed" }, 1, 2],
    [answered(500), 0, "rejected"],
    [answered(408), 0, "rejected"],
    [answered(400), 0, "rejected"],
    [answered(301), 0, "rejected"],
    [answered(401), 0, "rejected"],
  ] as const) {
    const given = answer.kind === "failed" ? "no answer" : `${answer.status}`;
    it(`is ${expected} after ${given} and ${failures} failures`, () => {
      const delivery = deliveryAfter(answer, failures);
      assert.equal(delivery.kind === "later" ? delivery.afterSeconds : delivery.kind, expected);
    });
  }

  it("reports how many entries were rejected for good", () => {
    const delivery = deliveryAfter(answered(200, undefined, 3), 0);
    assert.deepEqual(delivery, { kind: "partly", rejected: 3 });
  });
});
