import { element } from "../element";

/** A column of a chart's table. */
interface ChartColumn {
  readonly title: string;
  readonly isNumber?: boolean;
}

/** A cell: what is read, and what it is sorted and exported by where that is another value. */
export interface ChartCell {
  readonly text: string;
  readonly value: string | number;
  /** What pressing it does, where it does something. */
  readonly press?: () => void;
}

/** The table of a chart, in its own order. */
export interface ChartTable {
  readonly columns: readonly ChartColumn[];
  readonly rows: readonly (readonly ChartCell[])[];
}

/** More rows are not read by anybody; copied and exported are all. */
const mostRows = 500;

/** Makes a table that its heads sort: once by the smallest first, once more by the largest. */
export function chartTable(
  { columns, rows }: ChartTable,
  caption: string,
  moreText: string,
): HTMLElement {
  const body = element("tbody", {});
  const heads = columns.map(({ title, isNumber = false }, index) => {
    const press = element("button", { type: "button", class: "sort" }, title);
    const head = element("th", { scope: "col", class: isNumber && "number" }, press);
    press.addEventListener("click", () => {
      const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
      fill(rows.toSorted((left, right) => direction * compared(left[index], right[index])));
    });
    return head;
  });
  const fill = (shown: ChartTable["rows"]) =>
    body.replaceChildren(...shown.slice(0, mostRows).map((row) => rowOf(row, columns)));
  fill(rows);
  const table = element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...heads)),
    body,
  );
  const more = rows.length > mostRows ? element("p", { class: "quiet" }, moreText) : undefined;
  return element("div", { class: "table" }, table, more);
}

/** Lists head and rows of a table as a file has them. */
export function tableValues({
  columns,
  rows,
}: ChartTable): readonly (readonly (string | number)[])[] {
  return [columns.map(({ title }) => title), ...rows.map((row) => row.map(({ value }) => value))];
}

function rowOf(row: readonly ChartCell[], columns: readonly ChartColumn[]): HTMLElement {
  const cells = row.map(({ text, press }, index) => {
    const isNumber = columns[index]?.isNumber === true && "number";
    if (press === undefined) return element("td", { class: isNumber }, text);
    const button = element("button", { type: "button", class: "link" }, text);
    button.addEventListener("click", press);
    return element("td", { class: isNumber }, button);
  });
  return element("tr", {}, ...cells);
}

function compared(left: ChartCell | undefined, right: ChartCell | undefined): number {
  const [one = "", other = ""] = [left?.value, right?.value];
  return typeof one === "number" && typeof other === "number"
    ? one - other
    : String(one).localeCompare(String(other));
}
