import type { Language } from "../../src/core/text/language";
import type { PageMessage } from "../../src/protocol/readPageMessage";
import { element, quietNote } from "../element";
import { chartTable, type TableState } from "./chartTable";
import type { ChartExport } from "./exportMenu";
import type { SkillColors } from "./skillColors";

/** The data that all charts of the page share. */
export interface UsageContext {
  /** Every day, as `YYYY-MM-DD`. */
  readonly days: readonly string[];
  readonly dailyLimitCents: number;
  readonly colors: SkillColors;
  /** The drawn charts, which each section adds itself to. */
  readonly charts: ChartExport[];
  /** The state of each table, by the chart's ID. */
  readonly tables: Map<string, TableState>;
  /** In pixels. */
  readonly width: number;
  readonly language: Language;
  readonly send: (message: PageMessage) => void;
}

/** A chart with its texts. */
interface SectionParts extends ChartExport {
  readonly notes?: readonly (string | false)[];
  /** CSS classes and their meanings. */
  readonly legend: readonly (readonly [string, string])[];
}

/** Creates the section of a chart: its legend, its picture and its table. */
export function chartSection(
  { id, file, title, notes = [], legend, picture, table }: SectionParts,
  { language: { t }, tables, charts }: UsageContext,
): HTMLElement {
  const state = tables.get(id) ?? { isOpen: false };
  tables.set(id, state);
  const details = element(
    "details",
    { id: `table-${id}`, open: state.isOpen },
    element("summary", { id: `summary-${id}` }, t("Table")),
  );
  // The table may have hundreds of rows, so it is only built when it is opened.
  const fill = () => {
    if (details.querySelector("table") !== null) return;
    const moreText = t("Copy and Export have all {count} rows.", { count: table.rows.length });
    details.append(chartTable(table, { id: `table-${id}`, caption: title, moreText }, state));
  };
  if (state.isOpen) fill();
  details.addEventListener("toggle", () => {
    state.isOpen = details.hasAttribute("open");
    if (state.isOpen) fill();
  });
  charts.push({ id, file, title, picture, table });
  return element(
    "section",
    {},
    element("h2", {}, title),
    ...notes.map((note) => note && quietNote(note)),
    element(
      "ul",
      { class: "legend" },
      ...legend.map(([name, text]) =>
        element(
          "li",
          {},
          element("span", { class: `swatch ${name}`, "aria-hidden": "true" }),
          text,
        ),
      ),
    ),
    picture,
    details,
  );
}
