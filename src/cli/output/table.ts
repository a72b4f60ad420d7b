import { oneLine } from "../../core/text/plainText";
import type { Color, Piece } from "./colors";
import { cutToWidth, padToWidth, widthOf } from "./width";

/** A column of a table: its head, and its cell for a row. */
export interface TableColumn<Row> {
  readonly head: string;
  readonly of: (row: Row) => string;
  /** Whether the column is aligned to the right. */
  readonly isNumber?: true;
  /** The text of an empty cell. Default: a dash. */
  readonly empty?: string;
  /** The color of a cell. Default: none. */
  readonly color?: (row: Row) => Color | undefined;
}

/** The available width of a table, and the columns that it may omit. */
interface TableFit {
  readonly width?: number;
  readonly dispensable?: readonly string[];
}

/** The maximum width of a cell. Longer words would push later columns off the screen. */
const maxCell = 40;
const gap = "  ";
/** The minimum width of a cell. A shorter text would mean nothing. */
const minCell = 8;

/** Writes a table as `paintedTable` does, without colors. */
export function tableOf<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  fit?: TableFit,
): string {
  const pieces = paintedTable(rows, columns, fit);
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}

/**
 * Writes a table that fits into `width` columns of a terminal. A narrow terminal drops `dispensable` columns in this
 * order. If that is not enough, the widest cells are cut.
 */
export function paintedTable<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  { width = Number.POSITIVE_INFINITY, dispensable = [] }: TableFit = {},
): readonly Piece[] {
  const all = columns.map(({ head, of, isNumber = false, empty = "-", color }) => ({
    head,
    isNumber,
    color,
    cells: [head, ...rows.map((row) => cutToWidth(oneLine(of(row), maxCell), maxCell) || empty)],
  }));
  const widest = (cells: readonly string[]) =>
    cells.reduce((most, cell) => Math.max(most, widthOf(cell)), 0);
  const excessWidth = (widths: readonly number[]) =>
    widths.reduce((sum, one) => sum + one + gap.length, -gap.length) - width;
  const isWider = (table: typeof all) => excessWidth(table.map(({ cells }) => widest(cells))) > 0;
  const fitting = dispensable.reduce(
    (table, name) => (isWider(table) ? table.filter(({ head }) => head !== name) : table),
    all,
  );
  const widths = fitting.map(({ cells }) => widest(cells));
  for (let excess = excessWidth(widths); excess > 0; excess -= 1) {
    const most = Math.max(...widths);
    if (most <= minCell) break;
    widths[widths.indexOf(most)] = most - 1;
  }
  return [undefined, ...rows].flatMap((row, index) => {
    const line = fitting.map(({ cells, isNumber, color }, column): Piece => {
      const columns = widths[column] ?? 0;
      const isLast = column === fitting.length - 1 && !isNumber;
      const cell = cutToWidth(cells[index] ?? "", columns);
      const text = isLast ? cell : padToWidth(cell, columns, isNumber ? "before" : "after");
      const cellColor = row === undefined ? undefined : color?.(row);
      return cellColor === undefined ? text : { text, color: cellColor };
    });
    return [...line.flatMap((cell, column) => (column === 0 ? [cell] : [gap, cell])), "\n"];
  });
}
