import { builtInRegistryName } from "../../registry/registryName";
import { currencyOf } from "../../text/money";
import { type CostSum, costOf } from "../cost";
import { costsOf, countsBy, groupedUsage, percentile, type UsageGroup } from "./usage";

/** A bar per category, stacked from the values of all series. */
export interface StackedBars {
  /** Local days, or kinds of callers. */
  readonly categories: readonly string[];
  readonly series: readonly BarSeries[];
}

/** A series of a stack. */
export interface BarSeries {
  readonly name: string;
  /** One value per category. */
  readonly values: readonly number[];
  /** The expected cost on top of that, for invocations without a named amount; one value per category. */
  readonly expected: readonly number[];
}

/** The cost of invocations by day in one currency, in hundredths. */
export interface CostChart extends StackedBars {
  readonly currency: string;
  readonly isSample: boolean;
  /** The number of invocations with a cost in this currency. */
  readonly invocations: number;
}

/**
 * Adds up the cost of invocations by day and skill: one chart per currency, the largest sum first. Charts of the
 * built-in registry, where nobody pays, come last.
 */
export function costCharts(
  groups: readonly UsageGroup[],
  days: readonly string[],
): readonly CostChart[] {
  const bySkill = groupedUsage(groups, "skill");
  const skills = countsBy(groups, "skill").map(({ name }) => {
    const ofSkill = groupedUsage(bySkill.get(name) ?? [], "day");
    return { name, byDay: new Map([...ofSkill].map(([day, own]) => [day, costsOf(own)])) };
  });
  const { costs, expected } = costsOf(groups);
  const kinds = new Map([...costs, ...expected].map((cost) => [kindOfCost(cost), cost]));
  const counts = new Map<string, number>();
  for (const group of groups) {
    const cost = costOf(group);
    if ((cost.kind !== "known" && cost.kind !== "expected") || cost.cents === 0) continue;
    const isSample = group.registry === builtInRegistryName;
    const kind = kindOfCost({ currency: currencyOf(cost.currency), isSample });
    counts.set(kind, (counts.get(kind) ?? 0) + group.count);
  }
  return [...kinds.values()]
    .sort((left, right) => Number(left.isSample) - Number(right.isSample))
    .map(({ currency, isSample }) => {
      const centsIn = (sums: readonly CostSum[] = []) =>
        sums.find((sum) => sum.currency === currency && sum.isSample === isSample)?.cents ?? 0;
      const series = skills.map(({ name, byDay }) => ({
        name,
        values: days.map((day) => centsIn(byDay.get(day)?.costs)),
        expected: days.map((day) => centsIn(byDay.get(day)?.expected)),
      }));
      const invocations = counts.get(kindOfCost({ currency, isSample })) ?? 0;
      return { currency, isSample, invocations, categories: days, series: bySize(series) };
    });
}

function kindOfCost({ currency, isSample }: Pick<CostSum, "currency" | "isSample">): string {
  return `${isSample}\n${currency}`;
}

/** The outcomes of a chart, from the bottom of a bar. */
export const outcomeNames = ["succeeded", "failed", "undecided", "notSent"] as const;

/** An outcome of a chart. */
export type OutcomeName = (typeof outcomeNames)[number];

/** Counts the ends of invocations by day. Each of `outcomeNames` is a series. */
export function outcomeChart(groups: readonly UsageGroup[], days: readonly string[]): StackedBars {
  const byDay = new Map(countsBy(groups, "day").map((row) => [row.name, row]));
  const series = outcomeNames.map((name) => ({
    name,
    values: days.map((day) => byDay.get(day)?.[name] ?? 0),
    expected: days.map(() => 0),
  }));
  return { categories: days, series };
}

/** Counts the ends of invocations by kind of caller. Each of `outcomeNames` is a series. */
export function callerChart(groups: readonly UsageGroup[]): StackedBars {
  const rows = countsBy(groups, "caller");
  const series = outcomeNames.map((name) => ({
    name,
    values: rows.map((row) => row[name]),
    expected: rows.map(() => 0),
  }));
  return { categories: rows.map(({ name }) => name), series };
}

/** The durations of a skill's invocations, in milliseconds. */
export interface SkillDurations {
  readonly skill: string;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Every executed invocation, the fastest first. */
  readonly dots: readonly DurationDot[];
}

/** An invocation in a chart of durations. */
export interface DurationDot {
  /** The ID of its record; empty if this machine has none. */
  readonly id: string;
  readonly ms: number;
}

/** Lists the durations of executed invocations, the skill with the most invocations first. */
export function durationChart(groups: readonly UsageGroup[]): readonly SkillDurations[] {
  const bySkill = groupedUsage(groups, "skill");
  return countsBy(groups, "skill").flatMap(({ name }) => {
    const dots = (bySkill.get(name) ?? [])
      .flatMap(({ ids, durations }) => durations.map((ms, at) => ({ id: ids[at] ?? "", ms })))
      .sort((left, right) => left.ms - right.ms);
    const durations = dots.map(({ ms }) => ms);
    const [medianMs, p95Ms] = [percentile(durations, 0.5), percentile(durations, 0.95)];
    if (medianMs === undefined || p95Ms === undefined) return [];
    return [{ skill: name, medianMs, p95Ms, dots }];
  });
}

/**
 * Limits each column of pixels to `maxDots` dots, including the first and the last, since more would overlap. Keeps the
 * order.
 */
export function thinnedDots(
  dots: readonly DurationDot[],
  columnOf: (ms: number) => number,
  maxDots: number,
): readonly DurationDot[] {
  const columns = new Map<number, DurationDot[]>();
  for (const dot of dots) {
    const column = Math.round(columnOf(dot.ms));
    const inColumn = columns.get(column);
    if (inColumn === undefined) columns.set(column, [dot]);
    else inColumn.push(dot);
  }
  return [...columns.values()].flatMap((inColumn) => {
    if (inColumn.length <= maxDots) return inColumn;
    const step = (inColumn.length - 1) / Math.max(1, maxDots - 1);
    return Array.from(
      { length: maxDots },
      (_, index) => inColumn[Math.round(index * step)] as DurationDot,
    );
  });
}

/** Joins the series of a stack for which `isKept` is false into a last one, named `rest`. Sums stay the same. */
export function foldedSeries(
  series: readonly BarSeries[],
  isKept: (name: string) => boolean,
  rest: string,
): readonly BarSeries[] {
  const folded = series.filter(({ name }) => !isKept(name));
  const separate = series.filter(({ name }) => isKept(name));
  // A single series keeps its own name.
  if (folded.length <= 1) return [...separate, ...folded];
  const added = (part: "values" | "expected") =>
    (folded[0]?.[part] ?? []).map((_, index) =>
      folded.reduce((sum, one) => sum + (one[part][index] ?? 0), 0),
    );
  return [...separate, { name: rest, values: added("values"), expected: added("expected") }];
}

/** Orders skills by their best rank: by the number of invocations, or by the billed cost in any currency. */
export function skillsByRank(groups: readonly UsageGroup[]): readonly string[] {
  const bySkill = groupedUsage(groups, "skill");
  const rows = countsBy(groups, "skill").map(({ name, invocations }) => {
    const { costs } = costsOf(bySkill.get(name) ?? []);
    return { name, invocations, costs };
  });
  // Skills with equally many invocations share the last of their ranks. Otherwise their names would decide whether they
  // come before a skill with high costs.
  const rankOf = ({ invocations }: (typeof rows)[number]) =>
    rows.filter((other) => other.invocations >= invocations).length - 1;
  const ranks = new Map(rows.map((row) => [row.name, rankOf(row)]));
  for (const { currency, isSample } of costsOf(groups).costs) {
    const centsOf = ({ costs }: (typeof rows)[number]) =>
      costs.find((cost) => cost.currency === currency && cost.isSample === isSample)?.cents ?? 0;
    const paid = rows.filter((row) => centsOf(row) > 0);
    for (const [rank, { name }] of paid
      .sort((one, other) => centsOf(other) - centsOf(one))
      .entries())
      ranks.set(name, Math.min(rank, ranks.get(name) ?? rank));
  }
  return [...ranks].sort(([, left], [, right]) => left - right).map(([name]) => name);
}

/** Returns the height of a category's stack, including expected costs. Refunds are not drawn. */
export function stackHeight({ series }: Pick<StackedBars, "series">, category: number): number {
  const drawn = (value = 0) => Math.max(0, value);
  return series.reduce(
    (sum, { values, expected }) => sum + drawn(values[category]) + drawn(expected[category]),
    0,
  );
}

/** Adds up the amounts of all series: the billed ones, or those that are only expected. */
export function sumOf(series: readonly BarSeries[], part: "values" | "expected"): number {
  return series.flatMap((item) => item[part]).reduce((sum, one) => sum + one, 0);
}

/** Sorts series by their sums, the largest first, without empty ones. Refunds count, although no bar shows them. */
function bySize(series: readonly BarSeries[]): readonly BarSeries[] {
  return series
    .map((item) => ({ one: item, parts: [...item.values, ...item.expected] }))
    .filter(({ parts }) => parts.some((cents) => cents !== 0))
    .map(({ one, parts }) => ({ one, sum: parts.reduce((sum, cents) => sum + cents, 0) }))
    .sort((left, right) => right.sum - left.sum)
    .map(({ one }) => one);
}

/**
 * Chooses about `count` round ticks of an axis from 0 to at least `largest`. The steps are 1, 2 or 5 times a power of
 * ten, at least 1.
 */
export function niceTicks(largest: number, count: number): readonly number[] {
  if (!(largest > 0)) return [0, 1];
  const rough = Math.max(largest / count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((item) => item * power >= rough) ?? 10) * power;
  const steps = Math.max(1, Math.ceil(largest / step - 1e-9));
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}

/** Chooses powers of ten as ticks of an axis that contains the smallest and the largest duration. */
export function powerTicks(smallest: number, largest: number): readonly number[] {
  const first = Math.floor(Math.log10(Math.max(1, smallest)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(1, largest))));
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}
