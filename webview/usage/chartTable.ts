import { numberFormat } from "../../src/core/text/formats";
import type { Language } from "../../src/core/text/language";
import { wholeAmount } from "../../src/core/text/money";
import { plainButton } from "../buttons";
import { element, quietNote } from "../element";

interface ColumnHead {
  readonly title: string;
  readonly isNumber?: boolean;
}

/** A column of a chart's table: its head, and a function that returns its cell in a row. */
export interface ChartColumn<Row> extends ColumnHead {
  readonly cell: (row: Row) => ChartCell;
}

/** A cell: its text, and the value to sort and export by. */
export interface ChartCell {
  readonly text: string;
  readonly value: string | number;
  /** Called when the cell is pressed. */
  readonly press?: () => void;
}

/** The table of a chart, in its default order. */
export interface ChartTable {
  readonly columns: readonly ColumnHead[];
  readonly rows: readonly (readonly ChartCell[])[];
}

/** Creates a cell of text that is sorted and exported by `value`. */
export function textCell(value: string, text = value): ChartCell {
  return { text, value };
}

/** Creates a cell of a count. Zero is shown as a dash. */
export function countCell(value: number, { locale }: Language): ChartCell {
  return { text: value === 0 ? "–" : numberFormat(locale).format(value), value };
}

/** Creates a cell of an amount in the smallest unit of `currency`. Zero is shown as a dash. */
export function moneyCell(
  cents: number,
  text: (cents: number) => string,
  currency: string | undefined,
): ChartCell {
  return { text: cents === 0 ? "–" : text(cents), value: wholeAmount(cents, currency) };
}

/** Creates a table with one row for each of `rows`. */
export function tableOf<Row>(
  columns: readonly ChartColumn<Row>[],
  rows: readonly Row[],
): ChartTable {
  return { columns, rows: rows.map((row) => columns.map(({ cell }) => cell(row))) };
}

/** The reader's settings of a table. They survive redraws of the chart. */
export interface TableState {
  isOpen: boolean;
  /** The sorted column; undefined for the default order. */
  sort?: { readonly column: number; readonly direction: 1 | -1 };
}

/** The maximum number of visible rows. Copies and exports have all. */
const maxRows = 500;

/** Creates a table that sorts by a column when its head is pressed: first ascending, then descending. */
export function chartTable(
  { columns, rows }: ChartTable,
  { id, caption, moreText }: Readonly<Record<"id" | "caption" | "moreText", string>>,
  state: TableState,
): HTMLElement {
  const body = element("tbody", {});
  const heads = columns.map(({ title, isNumber = false }, column) => {
    const sortBy = () => {
      const { sort } = state;
      const isReversed = sort?.column === column && sort.direction === 1;
      state.sort = { column, direction: isReversed ? -1 : 1 };
      fill();
    };
    const press = plainButton("sort", title, sortBy, { id: `${id}-${column}` });
    return element("th", { scope: "col", class: isNumber && "number" }, press);
  });
  const fill = () => {
    const { column = -1, direction = 1 } = state.sort ?? {};
    for (const head of heads) head.removeAttribute("aria-sort");
    heads[column]?.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    const sorted =
      column < 0
        ? rows
        : rows.toSorted((left, right) => direction * compared(left[column], right[column]));
    const shown = sorted.slice(0, maxRows);
    body.replaceChildren(...shown.map((row) => rowOf(row, columns, id)));
  };
  fill();
  const table = element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...heads)),
    body,
  );
  const more = rows.length > maxRows ? quietNote(moreText) : undefined;
  return element("div", { class: "table" }, table, more);
}

/** Returns the head and the rows of a table for export. */
export function tableValues({
  columns,
  rows,
}: ChartTable): readonly (readonly (string | number)[])[] {
  return [columns.map(({ title }) => title), ...rows.map((row) => row.map(({ value }) => value))];
}

function rowOf(row: readonly ChartCell[], columns: readonly ColumnHead[], id: string): HTMLElement {
  const name = `${id}-${row[0]?.value}`;
  const cells = row.map(({ text, press }, index) => {
    const isNumber = columns[index]?.isNumber === true && "number";
    if (press === undefined) return element("td", { class: isNumber }, text);
    return element("td", { class: isNumber }, plainButton("link", text, press, { id: name }));
  });
  return element("tr", {}, ...cells);
}

function compared(left: ChartCell | undefined, right: ChartCell | undefined): number {
  const [one = "", other = ""] = [left?.value, right?.value];
  return typeof one === "number" && typeof other === "number"
    ? one - other
    : String(one).localeCompare(String(other));
}
