import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import { usageBy, usageOf, withEstimates } from "../../../../../src/core/invocation/record/usage";

const noon = new Date(2026, 10, 20, 12).getTime();

function record(others: Partial<InvocationRecord> = {}): InvocationRecord {
  return {
    schema: 1,
    id: "00001700000000-0a1b2c3d",
    startedAt: noon,
    endsBefore: noon + 1000,
    registry: "https://registry.example",
    skillSlug: "text-stats",
    version: "1.0.0",
    status: "success",
    durationMs: 10,
    ...others,
  };
}

describe("What invocations came to", () => {
  it("counts those that ended well, that did not, and that nobody knows of", () => {
    const statuses = [
      "success",
      "error",
      "blocked",
      "refused",
      "outcome unknown",
      "running",
    ] as const;
    const { invocations, succeeded, failed, undecided } = usageOf(
      statuses.map((status) => record({ status })),
    );
    assert.deepEqual(
      { invocations, succeeded, failed, undecided },
      {
        invocations: 6,
        succeeded: 1,
        failed: 3,
        undecided: 2,
      },
    );
  });

  it("adds each currency up by itself, whatever its spelling, and says how many named no amount", () => {
    const { costs, withoutAmount } = usageOf([
      record({ amountCents: 5, currency: "USD" }),
      record({ amountCents: 7, currency: " usd" }),
      record({ amountCents: 1, currency: "EUR" }),
      record({ amountCents: 0, currency: "EUR" }),
      record({ amountCents: 2 }),
      record(),
      record({ kind: "testRun" }),
      record({ status: "blocked" }),
    ]);
    assert.deepEqual(costs, [
      { currency: "USD", isSample: false, cents: 12 },
      { currency: "", isSample: false, cents: 2 },
      { currency: "EUR", isSample: false, cents: 1 },
    ]);
    assert.equal(withoutAmount, 1);
  });

  it("keeps what nobody pays at the built-in registry apart from money", () => {
    const { costs } = usageOf([
      record({ amountCents: 5, currency: "USD" }),
      record({ amountCents: 7, currency: "USD", registry: "built-in" }),
    ]);
    assert.deepEqual(costs, [
      { currency: "USD", isSample: true, cents: 7 },
      { currency: "USD", isSample: false, cents: 5 },
    ]);
  });

  it("estimates a cost that was not named by the one named last, else by the first after it", () => {
    const at = (minute: number, others: Partial<InvocationRecord>) =>
      record({ startedAt: noon + minute * 60_000, ...others });
    const records = [
      at(0, {}),
      at(1, { amountCents: 3, currency: "USD" }),
      at(2, {}),
      at(3, { amountCents: 5, currency: "EUR" }),
      at(4, { status: "error" }),
      at(5, { status: "blocked" }),
      at(6, { kind: "testRun" }),
      at(7, { skillSlug: "other" }),
      at(8, { registry: "built-in" }),
    ];
    for (const order of [records, records.toReversed()]) {
      const estimated = withEstimates(order);
      assert.deepEqual(
        estimated.map(({ id }) => id),
        order.map(({ id }) => id),
      );
      const { costs, withoutAmount, estimates, withoutEstimate } = usageOf(estimated);
      assert.deepEqual(
        { costs, withoutAmount, estimates, withoutEstimate },
        {
          costs: [
            { currency: "EUR", isSample: false, cents: 5 },
            { currency: "USD", isSample: false, cents: 3 },
          ],
          withoutAmount: 5,
          estimates: [
            { currency: "USD", isSample: false, cents: 6 },
            { currency: "EUR", isSample: false, cents: 5 },
          ],
          withoutEstimate: 2,
        },
      );
    }
  });

  it("takes durations of what ran alone, by the nearest rank", () => {
    const ran = Array.from({ length: 20 }, (_, index) => record({ durationMs: index + 1 }));
    const blocked = record({ status: "blocked", durationMs: 9000 });
    const { medianMs, p95Ms } = usageOf([blocked, ...ran]);
    assert.deepEqual([medianMs, p95Ms], [10, 19]);
    assert.equal(usageOf([blocked]).medianMs, undefined);
    assert.equal(usageOf([record({ durationMs: 3 })]).p95Ms, 3);
  });

  it("is grouped by skill, day, caller and status, each in its order", () => {
    const day = 86_400_000;
    const records = [
      record({ skillSlug: "b" }),
      record({ skillSlug: "a", startedAt: noon - day, caller: { kind: "commandLine" } }),
      record({ skillSlug: "c", status: "blocked", caller: { kind: "suite" } }),
      record({ skillSlug: "c", startedAt: noon - 2 * day, caller: { kind: "later" as "suite" } }),
    ];
    const names = (by: Parameters<typeof usageBy>[1]) =>
      usageBy(records, by).map(({ name, invocations }) => `${name} ${invocations}`);
    assert.deepEqual(names("skill"), ["c 2", "a 1", "b 1"]);
    assert.deepEqual(names("day"), ["2026-11-18 1", "2026-11-19 1", "2026-11-20 2"]);
    assert.deepEqual(names("caller"), ["person 1", "suite 1", "commandLine 1", "other 1"]);
    assert.deepEqual(names("status"), ["success 3", "blocked 1"]);
  });

  it("has one day for a day of 23 or 25 hours", () => {
    // Every hour from noon to noon around a change of the clock, in whatever zone this machine is.
    for (const start of [new Date(2026, 2, 28, 0), new Date(2026, 9, 24, 0)]) {
      const records = Array.from({ length: 72 }, (_, hour) =>
        record({ startedAt: start.getTime() + hour * 3_600_000 }),
      );
      const days = usageBy(records, "day").map(({ name }) => name);
      assert.deepEqual(days, [...new Set(days)]);
      assert.ok(days.length === 3 || days.length === 4, days.join());
    }
  });
});
