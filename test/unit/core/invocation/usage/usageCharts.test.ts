import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationRecord } from "../../../../../src/core/invocation/record/invocationRecord";
import {
  groupOf,
  type UsageGroup,
  usageBy,
  usageOf,
} from "../../../../../src/core/invocation/usage/usage";
import {
  callerChart,
  costCharts,
  durationChart,
  foldedSeries,
  niceTicks,
  outcomeChart,
  powerTicks,
  skillsByRank,
  stackHeight,
  thinnedDots,
} from "../../../../../src/core/invocation/usage/usageCharts";
import {
  daysOf,
  daysUntil,
  filteredUsage,
  firstUsageFilter,
  readUsageFilter,
} from "../../../../../src/core/invocation/usage/usageFilter";
import { localDay } from "../../../../../src/core/text/dates";
import { usageRecords } from "../../../../fixtures/usageRecords";
import { isWholeSuite } from "../../../../fixtures/wholeSuite";

const noon = new Date(2026, 10, 20, 12).getTime();
const today = localDay(noon);

function charted(records: readonly InvocationRecord[]): readonly UsageGroup[] {
  return records.map(groupOf);
}

it("A group of invocations truncates implausible texts, and shows hidden characters", () => {
  const [record] = usageRecords(1, noon);
  assert.ok(record);
  const { skillSlug } = groupOf({ ...record, skillSlug: `\u202e${"x".repeat(5000)}` });
  assert.equal(skillSlug.length, 200);
  assert.match(skillSlug, /^\\u202E/i);
});

describe("The filter of the Usage page", () => {
  it("counts calendar days, across days of 23 and 25 hours", () => {
    for (const last of ["2026-03-30", "2026-10-26"]) {
      const days = daysUntil(last, 3);
      assert.deepEqual(
        days.map((day) => Number(day.slice(-2))),
        [2, 1, 0].map((before) => Number(last.slice(-2)) - before),
      );
    }
  });

  it("keeps invocations of its days, registry, skill and caller", () => {
    const records = charted(usageRecords(300, noon));
    const filter = {
      ...firstUsageFilter,
      registry: "built-in",
      project: "shop",
      skill: "text-stats",
      caller: "person",
    };
    const days = daysUntil(today, 7);
    const left = filteredUsage(records, filter, days);
    assert.ok(left.length > 0);
    for (const { day, registry, project, skillSlug, caller } of left) {
      assert.ok(days.includes(day));
      assert.deepEqual(
        [registry, project, skillSlug, caller?.kind],
        ["built-in", "shop", "text-stats", "person"],
      );
    }
    assert.equal(filteredUsage(records, firstUsageFilter, daysUntil(today, 90)).length, 300);
  });

  it("applies only days and skill to a project's record", () => {
    const records = charted(usageRecords(300, noon));
    const machine = { registry: "none", project: "none", caller: "none" };
    const filter = { ...firstUsageFilter, ...machine, skill: "text-stats" };
    const days = daysUntil(today, 30);
    assert.deepEqual(filteredUsage(records, filter, days), []);
    const left = filteredUsage(records, { ...filter, source: "project" }, days);
    assert.deepEqual([...new Set(left.map(({ skillSlug }) => skillSlug))], ["text-stats"]);
  });

  it("has a range of days, or explains why it is invalid", () => {
    const own = (from: string, to: string) => daysOf({ days: "own", from, to }, today);
    assert.deepEqual(own("2026-10-24", "2026-10-26"), ["2026-10-24", "2026-10-25", "2026-10-26"]);
    assert.deepEqual(own("2026-10-24", "2026-10-24"), ["2026-10-24"]);
    assert.equal(own("2025-10-24", "2026-10-24").length, 366);
    assert.equal(own("2025-10-23", "2026-10-24"), "tooLong");
    assert.equal(own("2026-10-25", "2026-10-24"), "reversed");
    for (const day of ["", "soon", "2026-13-01", "012026-10-24"])
      assert.equal(own(day, "2026-10-24"), "missing", day);
  });

  it("can be the whole record, a week at least and a year at most", () => {
    const record = (first?: string) => {
      const days = daysOf({ ...firstUsageFilter, days: "record" }, "2026-10-26", first);
      return [days[0], days.length];
    };
    assert.deepEqual(record(), ["2026-10-20", 7]);
    assert.deepEqual(record("2026-10-25"), ["2026-10-20", 7]);
    assert.deepEqual(record("2026-10-01"), ["2026-10-01", 26]);
    assert.deepEqual(record("2020-01-01"), ["2025-10-26", 366]);
  });

  it("is read from storage, and reset if that is damaged", () => {
    assert.deepEqual(
      readUsageFilter({ source: "other", days: 8, skill: 4, caller: "mcp", to: "x".repeat(201) }),
      { ...firstUsageFilter, caller: "mcp" },
    );
    const own = { source: "project", days: "own", from: "2026-10-24", project: "shop" };
    assert.deepEqual(readUsageFilter(own), { ...firstUsageFilter, ...own });
    assert.deepEqual(readUsageFilter(null), firstUsageFilter);
  });
});

describe("The charts of invocations", () => {
  const days = daysUntil(today, 31);
  for (const count of [0, 1, 300, isWholeSuite() ? 50_000 : 5_000]) {
    it(`match the usage sums to the cent, for ${count} invocations`, () => {
      const records = charted(usageRecords(count, noon));
      const { costs, expected } = usageOf(records);
      const sums = (part: "values" | "expected") =>
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
      assert.deepEqual(byName(sums("expected")), byName(expected));
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

  it("match the sums with fractions and refunds", () => {
    const amounts = [-300, 0.25, 7, -0.5, 19, 0];
    const records = charted(
      usageRecords(500, noon).map((record, index) => ({
        ...record,
        skillSlug: `skill-${index % 7}`,
        amountCents: amounts[(index * 5) % amounts.length] ?? 0,
      })),
    );
    const charts = costCharts(records, days);
    for (const { currency, isSample, cents } of usageOf(records).costs) {
      const chart = charts.find((one) => one.currency === currency && one.isSample === isSample);
      const all = chart?.series.flatMap(({ values }) => values) ?? [];
      const sum = all.reduce((whole, part) => whole + part, 0);
      assert.ok(cents < 0 && Math.abs(sum - cents) < 1e-6, `${currency}: ${sum}, ${cents}`);
    }
  });

  it("rank the most expensive skill first, not the most frequent or the first by name", () => {
    const [record] = charted(usageRecords(1, noon));
    assert.ok(record);
    const of = (skillSlug: string, count: number, amountCents: number) =>
      Array.from({ length: count }, () => ({ ...record, skillSlug, amountCents, currency: "USD" }));
    const records = [...of("a-often", 5, 1), ...of("b-seldom", 1, 7), ...of("c-dearest", 2, 90)];
    const [chart] = costCharts(records, days);
    assert.deepEqual(
      chart?.series.map(({ name }) => name),
      ["c-dearest", "b-seldom", "a-often"],
    );
  });

  it("keep samples apart from money, at the end", () => {
    const kinds = costCharts(charted(usageRecords(300, noon)), days).map(
      ({ currency, isSample }) => `${currency} ${isSample}`,
    );
    assert.deepEqual(kinds.toSorted(), ["EUR false", "USD false", "USD true"]);
    assert.equal(kinds.at(-1), "USD true");
  });

  it("fold series into one without changing sums, and keep the name of a single one", () => {
    const [chart] = costCharts(charted(usageRecords(300, noon)), days);
    assert.ok(chart && chart.series.length > 3);
    const [most, second] = chart.series.map(({ name }) => name);
    const series = foldedSeries(chart.series, (name) => [most, second].includes(name), "rest");
    assert.deepEqual(
      series.map(({ name }) => name),
      [most, second, "rest"],
    );
    assert.deepEqual(
      foldedSeries(chart.series, (name) => name !== most, "rest").at(-1)?.name,
      most,
    );
    for (const [place] of days.entries()) {
      const [before, after] = [chart, { series }].map((one) => stackHeight(one, place));
      assert.ok(Math.abs((before ?? 0) - (after ?? 0)) < 1e-6);
    }
  });

  it("rank skills by invocations and by costs, whichever is higher", () => {
    const [record] = charted(usageRecords(1, noon));
    assert.ok(record);
    const of = (skillSlug: string, count: number, amountCents: number, currency: string) =>
      Array.from({ length: count }, () => ({ ...record, skillSlug, amountCents, currency }));
    const records = [
      ...of("often", 9, 1, "USD"),
      ...of("seldom", 1, 2, "USD"),
      ...of("dear", 2, 900, "USD"),
      ...of("euro", 1, 1, "EUR"),
    ];
    assert.deepEqual(skillsByRank(records), ["often", "dear", "euro", "seldom"]);
  });

  it("draw few dots per column, including the fastest and the slowest", () => {
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
    assert.deepEqual(niceTicks(0.3, 3), [0, 1]);
    assert.deepEqual(niceTicks(2, 4), [0, 1, 2]);
    assert.deepEqual(powerTicks(0, 0), [1, 10]);
    assert.deepEqual(powerTicks(40, 2500), [10, 100, 1000, 10_000]);
  });
});
