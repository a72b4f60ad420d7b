import { type CostChart, sumOf } from "../../src/core/invocation/usage/usageCharts";
import { sampleText } from "../../src/core/skill/price";
import { numberFormat } from "../../src/core/text/formats";
import { moneyText } from "../../src/core/text/money";
import { chartSection, type UsageContext } from "./chartSection";
import { countCell, moneyCell, tableOf, textCell } from "./chartTable";
import { drawRows } from "./drawCharts";

/**
 * Creates one chart for several currencies. Its bars count invocations, because amounts of different currencies cannot
 * share an axis.
 */
export function currencySection(charts: readonly CostChart[], context: UsageContext): HTMLElement {
  const { language, width } = context;
  const { t } = language;
  const number = numberFormat(language.locale);
  const rows = charts.map(({ currency, isSample, invocations, series }) => {
    const name = sampleText(currency || t("no currency named"), isSample, language);
    const money = (cents: number) => moneyText(cents, currency, language);
    return {
      name,
      currency,
      money,
      invocations,
      cents: sumOf(series, "values"),
      more: sumOf(series, "expected"),
    };
  });
  const title = t("Cost in further currencies");
  const nameOf = (place: string) => {
    const row = rows[Number(place)];
    return row === undefined ? "" : `${row.name}, ${row.money(row.cents + row.more)}`;
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
    true,
  );
  const table = tableOf(
    [
      { title: t("Currency"), cell: ({ name }) => textCell(name) },
      {
        title: t("Invocations"),
        isNumber: true,
        cell: ({ invocations }) => countCell(invocations, language),
      },
      {
        title: t("Cost"),
        isNumber: true,
        cell: ({ cents, money, currency }) => moneyCell(cents, money, currency),
      },
      {
        title: t("Expected"),
        isNumber: true,
        cell: ({ more, money, currency }) => moneyCell(more, money, currency),
      },
    ],
    rows,
  );
  const notes = [t("Bars count the invocations that cost something.")];
  const parts = { id: "currencies", file: "cost-by-currency", title, notes, legend: [], table };
  return chartSection({ ...parts, picture }, context);
}
