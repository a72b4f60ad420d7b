import { tableAsCsv, tableAsTabs } from "../../src/core/invocation/record/exportRecords";
import type { Language } from "../../src/core/text/language";
import type { PageMessage } from "../../src/protocol/readPageMessage";
import { plainButton } from "../buttons";
import { element, quietNote } from "../element";
import { type ChartTable, chartTable, type TableState, tableValues } from "./chartTable";
import { chartAsPng, chartAsSvg } from "./exportChart";
import type { SkillColors } from "./skillColors";

/** The data that all charts of the page share. */
export interface UsageContext {
  /** Every day, as `YYYY-MM-DD`. */
  readonly days: readonly string[];
  readonly dailyLimitCents: number;
  readonly colors: SkillColors;
  /** The state of each table, by the chart's ID. */
  readonly tables: Map<string, TableState>;
  /** In pixels. */
  readonly width: number;
  readonly language: Language;
  readonly send: (message: PageMessage) => void;
}

/** A chart with its texts. */
interface SectionParts {
  readonly id: string;
  /** The file name for exports, without extension. */
  readonly file: string;
  readonly title: string;
  readonly notes?: readonly (string | false)[];
  /** CSS classes and their meanings. */
  readonly legend: readonly (readonly [string, string])[];
  readonly picture: SVGElement;
  readonly table: ChartTable;
}

/** Creates the section of a chart: its legend, its picture, a menu to copy and save it, and its table. */
export function chartSection(
  { id, file, title, notes = [], legend, picture, table }: SectionParts,
  { language: { t }, tables, send }: UsageContext,
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
  const values = () => tableValues(table);
  const save = (ending: string, text: string) =>
    send({ type: "saveChart", file: `${file}.${ending}`, text });
  const exportMenu = element(
    "details",
    { class: "export", open: state.isMenuOpen === true },
    element(
      "summary",
      { id: `export-${id}`, "aria-label": `${t("Export")}: ${title}` },
      t("Export"),
    ),
  );
  exportMenu.addEventListener("toggle", () => {
    state.isMenuOpen = exportMenu.hasAttribute("open");
  });
  const act = (label: string, name: string, work: () => void) =>
    plainButton(
      "plain",
      label,
      () => {
        exportMenu.removeAttribute("open");
        work();
      },
      { "aria-label": name, id: `${id}-${label}` },
    );
  const exportText = (format: string) => t("Export {format}: {chart}", { format, chart: title });
  exportMenu.append(
    element(
      "div",
      { class: "actions" },
      act(t("Copy Table"), `${t("Copy Table")}: ${title}`, () =>
        send({ type: "copyTable", text: tableAsTabs(values()) }),
      ),
      act("CSV", exportText("CSV"), () => save("csv", tableAsCsv(values()))),
      act("SVG", exportText("SVG"), () => save("svg", chartAsSvg(picture))),
      act(
        "PNG",
        exportText("PNG"),
        () => void chartAsPng(picture).then((text) => save("png", text)),
      ),
    ),
  );
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
    exportMenu,
    details,
  );
}
