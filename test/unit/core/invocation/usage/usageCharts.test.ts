import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import { usageBy, usageOf, withEstimates } from "../../../../../src/core/invocation/record/usage";
import {
  callerChart,
  costCharts,
  durationChart,
  foldedSeries,
  niceTicks,
  outcomeChart,
  powerTicks,
  stackHeight,
  thinnedDots,
} from "../../../../../src/core/invocation/usage/usageCharts";
import {
  type ChartedRecord,
  daysUntil,
  filteredUsage,
  firstUsageFilter,
  readUsageFilter,
  recordsOfSlice,
  usageSlices,
} from "../../../../../src/core/invocation/usage/usageSlices";
import { localDay } from "../../../../../src/core/text/dates";
import { usageRecords } from "../../../../fixtures/usageRecords";

const noon = new Date(2026, 10, 20, 12).getTime();
const today = localDay(noon);

function charted(records: readonly InvocationRecord[]): readonly ChartedRecord[] {
  return withEstimates([...usageSlices(records)].flatMap(recordsOfSlice));
}

describe("The slices in which invocations go to the Usage page", () => {
  it("come to the same as the records they were made of", () => {
    const records = usageRecords(12_000, noon);
    assert.equal([...usageSlices(records)].length, 3);
    for (const grouping of ["skill", "day", "caller", "status"] as const) {
      assert.deepEqual(
        usageBy(charted(records), grouping),
        usageBy(withEstimates(records), grouping),
      );
    }
  });

  it("are one without rows where nothing was invoked", () => {
    assert.deepEqual([...usageSlices([])], [{ texts: [], rows: [] }]);
  });

  it("cut a text that no registry would give, and show what it hides", () => {
    const [record] = usageRecords(1, noon);
    assert.ok(record);
    const [read] = charted([{ ...record, skillSlug: `\u202e${"x".repeat(5000)}` }]);
    assert.equal(read?.skillSlug.length, 200);
    assert.match(read?.skillSlug ?? "", /^\\u202E/i);
  });
});

describe("The filter of the Usage page", () => {
  it("counts days by the calendar, over a day of 23 and one of 25 hours", () => {
    for (const last of ["2026-03-30", "2026-10-26"]) {
      const days = daysUntil(last, 3);
      assert.deepEqual(
        days.map((day) => Number(day.slice(-2))),
        [2, 1, 0].map((before) => Number(last.slice(-2)) - before),
      );
    }
  });

  it("leaves what is of its days, registry, skill and caller", () => {
    const records = charted(usageRecords(300, noon));
    const filter = {
      days: 7,
      registry: "built-in",
      skill: "text-stats",
      caller: "person",
    } as const;
    const left = filteredUsage(records, filter, today);
    assert.ok(left.length > 0);
    const days = daysUntil(today, 7);
    for (const { day, registry, skillSlug, caller } of left) {
      assert.ok(days.includes(day));
      assert.deepEqual([registry, skillSlug, caller?.kind], ["built-in", "text-stats", "person"]);
    }
    const all = { ...firstUsageFilter, days: 90 } as const;
    assert.equal(filteredUsage(records, all, today).length, 300);
  });

  it("is read from what was stored, and as at first where that is damaged", () => {
    assert.deepEqual(readUsageFilter({ days: 8, skill: 4, caller: "mcp" }), {
      ...firstUsageFilter,
      caller: "mcp",
    });
    assert.deepEqual(readUsageFilter(null), firstUsageFilter);
  });
});

describe("The charts of invocations", () => {
  const days = daysUntil(today, 31);
  for (const count of [0, 1, 300, 50_000]) {
    it(`come to the sums of usage to the cent, of ${count} invocations`, () => {
      const records = charted(usageRecords(count, noon));
      const { costs, estimates } = usageOf(records);
      const sums = (part: "values" | "estimates") =>
        costCharts(records, days)
          .map(({ currency, isSample, series }) => ({
            currency,
            isSample,
            cents: series.flatMap((one) => one[part]).reduce((sum, cents) => sum + cents, 0),
          }))
          .filter(({ cents }) => cents > 0);
      const byName = (list: readonly { currency: string; isSample: boolean }[]) =>
        list.toSorted((left, right) =>
          `${left.isSample}${left.currency}` < `${right.isSample}${right.currency}` ? -1 : 1,
        );
      assert.deepEqual(byName(sums("values")), byName(costs));
      assert.deepEqual(byName(sums("estimates")), byName(estimates));
      for (const chart of [outcomeChart(records, days), callerChart(records)]) {
        const all = chart.categories.reduce((sum, _, place) => sum + stackHeight(chart, place), 0);
        assert.equal(all, count);
      }
      const bySkill = new Map(usageBy(records, "skill").map((row) => [row.name, row]));
      for (const { skill, medianMs, p95Ms } of durationChart(records)) {
        const { medianMs: median, p95Ms: p95 } = bySkill.get(skill) ?? {};
        assert.deepEqual([medianMs, p95Ms], [median, p95]);
      }
    });
  }

  it("keep samples apart from money, and stand last", () => {
    const kinds = costCharts(charted(usageRecords(300, noon)), days).map(
      ({ currency, isSample }) => `${currency} ${isSample}`,
    );
    assert.deepEqual(kinds.toSorted(), ["EUR false", "USD false", "USD true"]);
    assert.equal(kinds.at(-1), "USD true");
  });

  it("fold the smallest series into one, which leaves every sum", () => {
    const [chart] = costCharts(charted(usageRecords(300, noon)), days);
    assert.ok(chart && chart.series.length > 3);
    const series = foldedSeries(chart.series, 3, "rest");
    assert.deepEqual([series.length, series.at(-1)?.name], [3, "rest"]);
    for (const [place] of days.entries()) {
      const [before, after] = [chart, { series }].map((one) => stackHeight(one, place));
      assert.ok(Math.abs((before ?? 0) - (after ?? 0)) < 1e-6);
    }
  });

  it("leave few dots in a column, the fastest and the slowest among them", () => {
    const dots = Array.from({ length: 50_000 }, (_, ms) => ({ id: String(ms), ms }));
    const left = thinnedDots(dots, (ms) => ms / 500, 3);
    assert.ok(left.length <= 303, String(left.length));
    assert.deepEqual([left[0]?.ms, left.at(-1)?.ms], [0, 49_999]);
    assert.deepEqual(
      thinnedDots(dots.slice(0, 2), () => 0, 3),
      dots.slice(0, 2),
    );
  });

  it("have round values on their axes", () => {
    assert.deepEqual(niceTicks(0, 4), [0, 1]);
    assert.deepEqual(niceTicks(7, 4), [0, 2, 4, 6, 8]);
    assert.deepEqual(niceTicks(0.3, 3), [0, 0.1, 0.2, 0.3]);
    assert.deepEqual(niceTicks(2, 4, 1), [0, 1, 2]);
    assert.deepEqual(powerTicks(0, 0), [1, 10]);
    assert.deepEqual(powerTicks(40, 2500), [10, 100, 1000, 10_000]);
  });
});
