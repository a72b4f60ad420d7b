import type { CostChart } from "../../src/core/invocation/usage/usageCharts";
import { sampleText } from "../../src/core/skill/price";
import { moneyText } from "../../src/core/text/money";
import { chartSection, type UsageContext } from "./chartSection";
import { type ChartCell, countCell, tableOf, textCell } from "./chartTable";
import { drawRows } from "./drawCharts";

/**
 * Creates one chart for several currencies. Its bars count invocations, because amounts of different currencies cannot
 * share an axis.
 */
export function currencySection(charts: readonly CostChart[], context: UsageContext): HTMLElement {
  const { language, width } = context;
  const { t } = language;
  const number = new Intl.NumberFormat(language.locale);
  const rows = charts.map(({ currency, isSample, invocations, series }) => {
    const sum = (part: "values" | "expected") =>
      series.reduce((all, one) => all + one[part].reduce((cents, each) => cents + each, 0), 0);
    const name = sampleText(currency || t("no currency named"), isSample, language);
    return { currency, name, invocations, cents: sum("values"), more: sum("expected") };
  });
  const money = (cents: number, currency: string) => moneyText(cents, currency, language);
  const title = t("Cost in further currencies");
  const nameOf = (place: string) => {
    const { name, cents, more, currency } = rows[Number(place)] ?? rows[0] ?? emptyRow;
    return `${name}, ${money(cents + more, currency)}`;
  };
  const picture = drawRows(
    {
      categories: rows.map((_, place) => String(place)),
      series: [
        {
          name: "",
          values: rows.map(({ invocations }) => invocations),
          expected: rows.map(() => 0),
        },
      ],
    },
    {
      id: "currencies",
      width,
      label: title,
      valueText: (count) => number.format(count),
      categoryText: nameOf,
      seriesText: () => t("Invocations"),
      expectedText: (text) => text,
      classOf: () => "succeeded",
    },
  );
  const moneyCell = (cents: number, currency: string): ChartCell => ({
    text: cents === 0 ? "–" : money(cents, currency),
    value: cents / 100,
  });
  const table = tableOf(
    [
      { title: t("Currency"), cell: ({ name }) => textCell(name) },
      {
        title: t("Invocations"),
        isNumber: true,
        cell: ({ invocations }) => countCell(invocations, language),
      },
      { title: t("Cost"), isNumber: true, cell: (row) => moneyCell(row.cents, row.currency) },
      { title: t("Expected"), isNumber: true, cell: (row) => moneyCell(row.more, row.currency) },
    ],
    rows,
  );
  const notes = [t("Bars count the invocations that cost something.")];
  const parts = { id: "currencies", file: "cost-by-currency", title, notes, legend: [], table };
  return chartSection({ ...parts, picture }, context);
}

const emptyRow = { name: "", cents: 0, more: 0, currency: "" };
