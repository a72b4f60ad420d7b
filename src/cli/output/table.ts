import { oneLine } from "../../core/text/plainText";

/** A column of a table: what stands above it, and in it for a row. */
export interface TableColumn<Row> {
  readonly head: string;
  readonly of: (row: Row) => string;
  /** Numbers end below each other. */
  readonly isNumber?: true;
  /** What stands for an empty cell. Default: a dash. */
  readonly empty?: string;
}

/** Longer words of a registry would push the columns after them off the screen. */
const maxCell = 40;
const gap = "  ";

/**
 * Writes a table that fits `width` columns of a terminal: `dispensable` names the heads of the columns that a narrow
 * one does without, the most dispensable first.
 */
export function tableOf<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  { width = Number.POSITIVE_INFINITY, dispensable = [] as readonly string[] } = {},
): string {
  const all = columns.map(({ head, of, isNumber = false, empty = "-" }) => ({
    head,
    isNumber,
    cells: [head, ...rows.map((row) => oneLine(of(row), maxCell) || empty)],
  }));
  const widthOf = (cells: readonly string[]) => Math.max(...cells.map(({ length }) => length));
  const isWider = (table: typeof all) =>
    table.reduce((sum, { cells }) => sum + widthOf(cells) + gap.length, -gap.length) > width;
  const left = dispensable.reduce(
    (table, name) => (isWider(table) ? table.filter(({ head }) => head !== name) : table),
    all,
  );
  return ["", ...rows]
    .map((_, row) =>
      left
        .map(({ cells, isNumber }) => {
          const cell = cells[row] ?? "";
          return isNumber ? cell.padStart(widthOf(cells)) : cell.padEnd(widthOf(cells));
        })
        .join(gap),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}
