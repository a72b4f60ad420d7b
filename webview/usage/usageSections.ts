import type { ProjectSkillUsage } from "../../src/core/invocation/usage/projectUsage";
import type { UsageGroup } from "../../src/core/invocation/usage/usage";
import {
  type CostChart,
  callerChart,
  costCharts,
  durationChart,
  foldedSeries,
  type OutcomeName,
  outcomeChart,
  outcomeNames,
  type StackedBars,
  sumOf,
} from "../../src/core/invocation/usage/usageCharts";
import { sampleText } from "../../src/core/skill/price";
import { dateFormat, numberFormat } from "../../src/core/text/formats";
import { durationText, type Language } from "../../src/core/text/language";
import { moneyText } from "../../src/core/text/money";
import { element } from "../element";
import { chartSection, type UsageContext } from "./chartSection";
import {
  type ChartCell,
  type ChartColumn,
  countCell,
  moneyCell,
  tableOf,
  textCell,
} from "./chartTable";
import { currencySection } from "./currencySection";
import { drawBars, drawDurations, drawRows, isLimitDrawn } from "./drawCharts";
import { callerName } from "./filterBar";

/** The maximum number of currencies with a chart of their own. Further ones share one. */
const maxCostCharts = 3;

/** The maximum number of skills in the chart of durations. Its table has all. */
const maxStrips = 12;

/** Creates the charts of this machine's record, each with its table. */
export function usageSections(
  groups: readonly UsageGroup[],
  context: UsageContext,
): readonly HTMLElement[] {
  const { t } = context.language;
  if (groups.length === 0) return [nothingMatches(context)];
  const costs = costCharts(groups, context.days);
  const isOnly = costs.filter(({ isSample }) => !isSample).length === 1;
  const further = costs.length > maxCostCharts + 1 ? costs.slice(maxCostCharts) : [];
  const own = costs.slice(0, costs.length - further.length);
  return [
    ...(costs.length === 0
      ? [element("p", {}, t("No response named a cost above 0."))]
      : own.map((chart, index) => costSection(chart, index, isOnly, context))),
    ...(further.length === 0 ? [] : [currencySection(further, context)]),
    outcomeSection(outcomeChart(groups, context.days), context),
    durationSection(groups, context),
    callerSection(callerChart(groups), context),
  ];
}

/** Creates the charts of a project's record at the registry, which has neither costs nor callers. */
export function projectSections(
  groups: readonly UsageGroup[],
  skills: readonly ProjectSkillUsage[],
  context: UsageContext,
): readonly HTMLElement[] {
  return [
    ...(groups.length === 0
      ? [nothingMatches(context)]
      : [
          outcomeSection(outcomeChart(groups, context.days), context),
          durationSection(groups, context),
        ]),
    ...projectCostSections(skills, context),
  ];
}

function nothingMatches({ language: { t } }: UsageContext): HTMLElement {
  return element("p", { class: "nothing" }, t("No invocations match these filters."));
}

/** Creates the chart of a currency. Draws the daily limit only if no other currency counts towards it (`isOnly`). */
function costSection(
  chart: CostChart,
  index: number,
  isOnly: boolean,
  context: UsageContext,
): HTMLElement {
  const { language, width, dailyLimitCents, colors } = context;
  const { t } = language;
  const { currency, isSample, categories } = chart;
  const money = (cents: number) =>
    sampleText(moneyText(cents, currency, language), isSample, language);
  const bareMoney = (cents: number) => moneyText(cents, currency, language);
  const series = foldedSeries(chart.series, (name) => colors.has(name), "");
  const drawn = { categories, series };
  const expected = sumOf(chart.series, "expected");
  const inAll = t("In all {amount}.", { amount: money(sumOf(chart.series, "values")) });
  const skillText = (name: string) => (name === "" ? t("Other skills") : name);
  const hasLimit = !isSample && dailyLimitCents > 0;
  const limitText = isOnly
    ? t("Daily limit per registry: {amount}", { amount: bareMoney(dailyLimitCents) })
    : t("Daily limit per registry, all currencies together: {amount}", {
        amount: moneyText(dailyLimitCents, undefined, language),
      });
  const expectedText = (amount: string) => t("{amount} expected", { amount });
  const title = isSample
    ? t("Cost by day (built-in registry, nothing is paid)")
    : t("Cost by day ({currency})", { currency: currency || t("no currency named") });
  const hatched = t(
    "Hatched: {amount} more, the expected cost of invocations whose response named no amount.",
    { amount: money(expected) },
  );
  const notes = [
    inAll,
    expected > 0 && hatched,
    hasLimit && !(isOnly && isLimitDrawn(drawn, dailyLimitCents)) && `${limitText}.`,
  ];
  const id = `cost-${index}`;
  const picture = drawBars(drawn, {
    width,
    label: `${title}. ${inAll}`,
    id,
    valueText: bareMoney,
    categoryText: dayLabel(language),
    seriesText: skillText,
    expectedText,
    classOf: (skill) => colors.classOf(skill),
    limit: hasLimit && isOnly ? { value: dailyLimitCents, name: limitText } : undefined,
  });
  const rows = categories.flatMap((day, place) =>
    chart.series.flatMap(({ name, values, expected: ofSkill }) => {
      const cents = values[place] ?? 0;
      const more = ofSkill[place] ?? 0;
      if (cents === 0 && more === 0) return [];
      return [{ day, skill: name, cents, more }];
    }),
  );
  const table = tableOf(
    [
      { title: t("Day"), cell: ({ day }) => textCell(day, dayLabel(language)(day)) },
      { title: t("Skill"), cell: ({ skill }) => textCell(skill) },
      {
        title: t("Cost"),
        isNumber: true,
        cell: ({ cents }) => moneyCell(cents, bareMoney, currency),
      },
      {
        title: t("Expected"),
        isNumber: true,
        cell: ({ more }) => moneyCell(more, bareMoney, currency),
      },
    ],
    rows.reverse(),
  );
  const legend = series.map(({ name }) => [colors.classOf(name), skillText(name)] as const);
  return chartSection({ id, file: "cost-by-day", title, notes, legend, picture, table }, context);
}

function outcomeSection(chart: StackedBars, context: UsageContext): HTMLElement {
  const { language } = context;
  const { t } = language;
  const title = t("Outcomes by day");
  const picture = drawBars(chart, countLook("outcomes", title, dayLabel(language), context));
  const days = outcomeRows(chart).filter(({ counts }) => counts.some(({ count }) => count > 0));
  const table = tableOf(
    [
      { title: t("Day"), cell: ({ name }) => textCell(name, dayLabel(language)(name)) },
      ...outcomeColumns(language),
    ],
    days.reverse(),
  );
  const legend = outcomeLegend(language);
  return chartSection(
    { id: "outcomes", file: "outcomes-by-day", title, legend, picture, table },
    context,
  );
}

/** Creates a chart per currency of all amounts billed since the project was created, and a table of counts. */
function projectCostSections(
  skills: readonly ProjectSkillUsage[],
  context: UsageContext,
): readonly HTMLElement[] {
  const { language, width, colors } = context;
  const { t } = language;
  const kinds = new Map(
    skills.map(({ currency, isSample }) => [`${isSample}\n${currency}`, { currency, isSample }]),
  );
  return [...kinds.values()].flatMap(({ currency, isSample }, index) => {
    const own = skills
      .filter((usage) => usage.currency === currency && (usage.invocations ?? 0) > 0)
      .sort((one, other) => (other.cents ?? 0) - (one.cents ?? 0));
    const paid = own.filter(({ cents = 0 }) => cents > 0);
    if (own.length === 0) return [];
    const money = (cents: number) => moneyText(cents, currency, language);
    const all = sampleText(
      money(paid.reduce((sum, { cents = 0 }) => sum + cents, 0)),
      isSample,
      language,
    );
    const title = t("Cost by skill since the project began ({currency})", {
      currency: currency || t("no currency named"),
    });
    const note = t("In all {amount}.", { amount: all });
    const id = `project-cost-${index}`;
    const chart = {
      categories: paid.map(({ skill }) => skill),
      series: paid.map(({ skill, cents = 0 }) => ({
        name: skill,
        values: paid.map((usage) => (usage.skill === skill ? cents : 0)),
        expected: paid.map(() => 0),
      })),
    };
    const picture = drawRows(chart, {
      id,
      width,
      label: `${title}. ${note}`,
      valueText: money,
      categoryText: String,
      seriesText: () => t("Cost"),
      expectedText: String,
      classOf: (skill) => colors.classOf(skill),
    });
    const counted = (title: string, count: "invocations" | "succeeded" | "failed" | "blocked") =>
      ({
        title,
        isNumber: true,
        cell: (projectSkillUsage: ProjectSkillUsage) =>
          countCell(projectSkillUsage[count] ?? 0, language),
      }) as const;
    const table = tableOf<ProjectSkillUsage>(
      [
        { title: t("Skill"), cell: (usage) => textCell(usage.skill) },
        counted(t("Invocations"), "invocations"),
        counted(t("Succeeded"), "succeeded"),
        counted(t("Failed"), "failed"),
        counted(t("Blocked"), "blocked"),
        {
          title: t("Cost"),
          isNumber: true,
          cell: ({ cents = 0 }) => moneyCell(cents, money, currency),
        },
      ],
      own,
    );
    const parts = { id, file: "project-cost-by-skill", title, notes: [note], legend: [], table };
    return [chartSection({ ...parts, picture }, context)];
  });
}

function callerSection(chart: StackedBars, context: UsageContext): HTMLElement {
  const { language } = context;
  const { t } = language;
  const title = t("Invocations by caller");
  const name = (kind: string) => callerName(kind, language);
  const picture = drawRows(chart, countLook("callers", title, name, context), true);
  const caller = {
    title: t("Caller"),
    cell: ({ name: kind }: OutcomeRow) => textCell(kind, name(kind)),
  };
  const table = tableOf([caller, ...outcomeColumns(language)], outcomeRows(chart));
  const legend = outcomeLegend(language);
  return chartSection(
    { id: "callers", file: "invocations-by-caller", title, legend, picture, table },
    context,
  );
}

function durationSection(groups: readonly UsageGroup[], context: UsageContext): HTMLElement {
  const { language, width, colors, send } = context;
  const { t } = language;
  const all = durationChart(groups);
  const title = t("Duration by skill");
  if (all.length === 0) {
    return element(
      "section",
      {},
      element("h2", {}, title),
      element("p", {}, t("None of these invocations ran.")),
    );
  }
  const duration = (ms: number) => durationText(ms, language);
  const drawn = all.slice(0, maxStrips);
  const picture = drawDurations(drawn, {
    id: "durations",
    width,
    label: t("Median and 95th percentile of {count} skills; the table below has the values.", {
      count: all.length,
    }),
    durationText: duration,
    classOf: (skill) => colors.classOf(skill),
    skillText: (skill) => {
      const { medianMs, p95Ms } = all.find((durations) => durations.skill === skill) ?? {
        medianMs: 0,
        p95Ms: 0,
      };
      const values = { skill, median: duration(medianMs), p95: duration(p95Ms) };
      return t("{skill}: median {median}, 95th percentile {p95}", values);
    },
  });
  const durationCell = (ms: number): ChartCell => ({ text: duration(ms), value: ms });
  const slowestCell = ({ dots }: (typeof all)[number]): ChartCell => {
    const { id, ms } = dots.at(-1) ?? { id: "", ms: 0 };
    const press = () => send({ type: "openRecord", id });
    return { ...durationCell(ms), ...(id !== "" && { press }) };
  };
  const table = tableOf(
    [
      { title: t("Skill"), cell: ({ skill }) => textCell(skill) },
      { title: t("Ran"), isNumber: true, cell: ({ dots }) => countCell(dots.length, language) },
      { title: t("Median"), isNumber: true, cell: ({ medianMs }) => durationCell(medianMs) },
      { title: t("95th percentile"), isNumber: true, cell: ({ p95Ms }) => durationCell(p95Ms) },
      { title: t("Slowest"), isNumber: true, cell: slowestCell },
    ],
    all,
  );
  const more = all.length - drawn.length;
  const notes = [
    t(
      "A dot is an invocation; click it to open its record. Where many would cover each other, some are left out.",
    ),
    more > 0 && t("{count} more skills are in the table.", { count: more }),
  ];
  const legend = [
    ["median", t("Median")],
    ["p95", t("95th percentile")],
  ] as const;
  const made = chartSection(
    { id: "durations", file: "duration-by-skill", title, notes, legend, picture, table },
    context,
  );
  made.querySelector("svg")?.addEventListener("click", ({ target }) => {
    const id = target instanceof Element ? target.getAttribute("data-record") : null;
    if (id !== null) send({ type: "openRecord", id });
  });
  return made;
}

function countLook(
  id: string,
  label: string,
  categoryText: (name: string) => string,
  context: UsageContext,
) {
  const { width, language } = context;
  const number = numberFormat(language.locale);
  const names = new Map<string, string>(outcomeLegend(language));
  return {
    id,
    width,
    label,
    categoryText,
    valueText: (value: number) => number.format(value),
    seriesText: (name: string) => names.get(name) ?? name,
    expectedText: (text: string) => text,
    classOf: (name: string) => name,
  };
}

/** Returns the outcomes in stacking order, each with its title. */
function outcomeLegend({ t }: Language): readonly (readonly [OutcomeName, string])[] {
  const titles: Readonly<Record<OutcomeName, string>> = {
    succeeded: t("Succeeded"),
    failed: t("Failed"),
    undecided: t("Running or unknown"),
    notSent: t("Not sent"),
  };
  return outcomeNames.map((name) => [name, titles[name]]);
}

/** A category of a chart of outcomes, with the count of each. */
interface OutcomeRow {
  readonly name: string;
  readonly counts: readonly { readonly outcome: string; readonly count: number }[];
}

function outcomeRows({ categories, series }: StackedBars): OutcomeRow[] {
  return categories.map((name, place) => ({
    name,
    counts: series.map((item) => ({ outcome: item.name, count: item.values[place] ?? 0 })),
  }));
}

function outcomeColumns(language: Language): ChartColumn<OutcomeRow>[] {
  return outcomeLegend(language).map(([outcome, title]) => ({
    title,
    isNumber: true,
    cell: ({ counts }) =>
      countCell(counts.find((count) => count.outcome === outcome)?.count ?? 0, language),
  }));
}

function dayLabel({ locale }: Language): (day: string) => string {
  const format = dateFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });
  return (day) => format.format(Date.parse(`${day}T00:00:00Z`));
}
