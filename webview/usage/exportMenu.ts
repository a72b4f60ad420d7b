import { tableAsCsv, tableAsTabs } from "../../src/core/invocation/record/exportRecords";
import type { Language } from "../../src/core/text/language";
import type { PageMessage } from "../../src/protocol/readPageMessage";
import { plainButton } from "../buttons";
import { element, refill } from "../element";
import { type ChartTable, tableValues } from "./chartTable";
import { chartAsPng, chartAsSvg } from "./exportChart";

/** A chart to copy and save. */
export interface ChartExport {
  readonly id: string;
  /** The file name, without extension. */
  readonly file: string;
  readonly title: string;
  readonly picture: SVGElement;
  readonly table: ChartTable;
}

/** The menu of all charts. It keeps its element and the focus when the charts change. */
export interface ExportMenu {
  readonly element: HTMLElement;
  readonly update: (charts: readonly ChartExport[]) => void;
}

/** Creates the menu that copies and saves each chart of the page, and closes after a choice. */
export function exportMenu({ t }: Language, send: (message: PageMessage) => void): ExportMenu {
  const rows = element("div", { id: "exports", class: "exports", popover: "auto" });
  const open = plainButton("plain", t("Export"), () => {}, { popovertarget: rows.id });
  const menu = element("div", {}, open, rows);
  const rowOf = ({ id, file, title, picture, table }: ChartExport) => {
    const act = (label: string, name: string, work: () => void) =>
      plainButton(
        "plain",
        label,
        () => {
          rows.hidePopover();
          work();
        },
        { "aria-label": name, id: `${id}-${label}` },
      );
    const save = (label: string, content: () => string | Promise<string>) =>
      act(label, t("Export {format}: {chart}", { format: label, chart: title }), () => {
        const named = `${file}.${label.toLowerCase()}`;
        void Promise.resolve(content()).then((text) =>
          send({ type: "saveChart", file: named, text }),
        );
      });
    const values = () => tableValues(table);
    return [
      element("span", {}, title),
      act(t("Copy Table"), `${t("Copy Table")}: ${title}`, () =>
        send({ type: "copyTable", text: tableAsTabs(values()) }),
      ),
      save("CSV", () => tableAsCsv(values())),
      save("SVG", () => chartAsSvg(picture)),
      save("PNG", () => chartAsPng(picture)),
    ];
  };
  return {
    element: menu,
    update: (charts) => {
      menu.hidden = charts.length === 0;
      refill(rows, charts.flatMap(rowOf));
    },
  };
}
