import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import { invocationStatuses } from "../../../../../src/core/invocation/outcome";
import { recordsAsCsv } from "../../../../../src/core/invocation/record/exportRecords";
import {
  callerKinds,
  type InvocationRecord,
} from "../../../../../src/core/invocation/record/invocationRecord";
import {
  groupOf,
  type Usage,
  type UsageGrouping,
  usageGroupings,
  usageOf as usageOfGroups,
  usageBy as usageOfGroupsBy,
} from "../../../../../src/core/invocation/usage/usage";
import { localDay } from "../../../../../src/core/text/dates";
import { pastInvocation } from "../../../../fixtures/pastInvocation";

const noon = new Date(2026, 10, 20, 12).getTime();

function record(others: Partial<InvocationRecord> = {}): InvocationRecord {
  return pastInvocation(noon, {
    id: "00001700000000-0a1b2c3d",
    endsBefore: noon + 1000,
    registry: "https://registry.example",
    skillSlug: "text-stats",
    version: "1.0.0",
    status: "success",
    durationMs: 10,
    ...others,
  });
}

const usageOf = (records: readonly InvocationRecord[]) => usageOfGroups(records.map(groupOf));
const usageBy = (records: readonly InvocationRecord[], grouping: UsageGrouping) =>
  usageOfGroupsBy(records.map(groupOf), grouping);

describe("The sums of invocations", () => {
  it("count successes, failures and unknown outcomes", () => {
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

  it("add up each currency separately in any spelling, and count missing amounts", () => {
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

  it("separate samples of the built-in registry from money", () => {
    const { costs } = usageOf([
      record({ amountCents: 5, currency: "USD" }),
      record({ amountCents: 7, currency: "USD", registry: "built-in" }),
    ]);
    assert.deepEqual(costs, [
      { currency: "USD", isSample: true, cents: 7 },
      { currency: "USD", isSample: false, cents: 5 },
    ]);
  });

  it("use the expected cost if no amount was named, also while the outcome is unknown", () => {
    const silent = { expectedCents: 10, expectedCurrency: "USD" };
    const records = [
      record(silent),
      record({ ...silent, status: "error" }),
      record({ ...silent, status: "not executed" }),
      record({ ...silent, status: "outcome unknown" }),
      record({ ...silent, status: "running" }),
      record({ ...silent, amountCents: 2, currency: "EUR" }),
      record({ ...silent, status: "blocked" }),
      record({ ...silent, status: "not sent" }),
      record({ ...silent, kind: "testRun" }),
      record({ ...silent, registry: "built-in" }),
      record(),
    ];
    const { costs, withoutAmount, expected, withoutPrice } = usageOf(records);
    assert.deepEqual(
      { costs, withoutAmount, expected, withoutPrice },
      {
        costs: [{ currency: "EUR", isSample: false, cents: 2 }],
        withoutAmount: 7,
        expected: [
          { currency: "USD", isSample: false, cents: 50 },
          { currency: "USD", isSample: true, cents: 10 },
        ],
        withoutPrice: 1,
      },
    );
  });

  it("have durations of executed invocations only, by the nearest rank", () => {
    const ran = Array.from({ length: 20 }, (_, index) => record({ durationMs: index + 1 }));
    const blocked = record({ status: "blocked", durationMs: 9000 });
    const { medianMs, p95Ms } = usageOf([blocked, ...ran]);
    assert.deepEqual([medianMs, p95Ms], [10, 19]);
    assert.equal(usageOf([blocked]).medianMs, undefined);
    assert.equal(usageOf([record({ durationMs: 3 })]).p95Ms, 3);
  });

  it("are grouped by skill, day, caller and status, each in its order", () => {
    const day = 86_400_000;
    const { caller: _caller, ...byOthers } = groupOf(
      record({ skillSlug: "c", startedAt: noon - 2 * day }),
    );
    const records = [
      record({ skillSlug: "b" }),
      record({ skillSlug: "a", startedAt: noon - day, caller: { kind: "commandLine" } }),
      record({ skillSlug: "c", status: "blocked", caller: { kind: "suite" } }),
    ];
    const names = (by: UsageGrouping) =>
      usageOfGroupsBy([...records.map(groupOf), byOthers], by).map(
        ({ name, invocations }) => `${name} ${invocations}`,
      );
    assert.deepEqual(names("skill"), ["c 2", "a 1", "b 1"]);
    assert.deepEqual(names("day"), ["2026-11-18 1", "2026-11-19 1", "2026-11-20 2"]);
    assert.deepEqual(names("caller"), ["person 1", "suite 1", "commandLine 1", "other 1"]);
    assert.deepEqual(names("status"), ["success 3", "blocked 1"]);
  });

  it("equal the sums of an export of the same invocations, in every grouping", () => {
    const words = ["USD", "usd ", "EUR", "JPY", undefined];
    const records = Array.from({ length: 5000 }, (_, index) =>
      record({
        skillSlug: `skill-${index % 37}`,
        startedAt: noon - (index % 90) * 86_400_000,
        caller: { kind: callerKinds[index % callerKinds.length] ?? "person" },
        status: invocationStatuses[index % invocationStatuses.length] ?? "success",
        ...(index % 11 > 0 && { amountCents: (index * 7919) % 1009 }),
        ...optionalCurrency(words[index % words.length]),
      }),
    );
    const exported = exportedSums(recordsAsCsv(records));
    assert.equal(exported.size, 4);
    assert.deepEqual(sumsOf([usageOf(records)]), exported);
    assert.deepEqual(sumsOf([usageOf(records)]), exported);
    for (const grouping of usageGroupings) {
      assert.deepEqual(sumsOf(usageBy(records, grouping)), exported, grouping);
    }
  });

  describe("across a change of the clock", () => {
    const zone = process.env["TZ"];
    afterEach(() => {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    });

    const changes = [
      ["Europe/Berlin", [2026, 2, 29], 23],
      ["Europe/Berlin", [2026, 9, 25], 25],
      ["America/New_York", [2026, 2, 8], 23],
      ["Australia/Lord_Howe", [2026, 3, 5], 24.5],
      ["Asia/Kolkata", [2026, 2, 29], 24],
    ] as const;
    for (const [name, [year, month, date], hours] of changes) {
      it(`count a day of ${hours} hours in ${name} as one`, () => {
        process.env["TZ"] = name;
        const from = new Date(year, month, date).getTime();
        const until = new Date(year, month, date + 1).getTime();
        assert.equal((until - from) / 3_600_000, hours);
        const times = [from - 1];
        for (let time = from; time < until; time += 1_800_000) times.push(time);
        const days = usageBy(
          [...times, until].map((startedAt) => record({ startedAt })),
          "day",
        );
        assert.deepEqual(
          days.map(({ invocations }) => invocations),
          [1, hours * 2, 1],
        );
        assert.equal(days[1]?.name, localDay(from));
      });
    }
  });
});

function optionalCurrency(currency: string | undefined) {
  return currency === undefined ? {} : { currency };
}

/** Adds up the amounts of an export by currency, like a reader of it would. */
function exportedSums(csv: string): ReadonlyMap<string, number> {
  const [head = "", ...rows] = csv
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\r\n");
  const names = head.split(",");
  const sums = new Map<string, number>();
  for (const row of rows) {
    const cells = row.split(",");
    const cell = (name: string) => cells[names.indexOf(name)] ?? "";
    const currency = cell("currency").trim().toUpperCase();
    const cents = Number(cell("amountCents"));
    if (cents !== 0) sums.set(currency, (sums.get(currency) ?? 0) + cents);
  }
  return sums;
}

function sumsOf(rows: readonly Usage[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { currency, cents } of rows.flatMap(({ costs }) => costs)) {
    sums.set(currency, (sums.get(currency) ?? 0) + cents);
  }
  return sums;
}
