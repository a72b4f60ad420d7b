import { stringify } from "csv-stringify/sync";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/text/json";
import { failed, type RunResult, succeeded } from "../runtime/skillRun";

/** How to write rows as CSV. */
export interface CsvOptions {
  /** The columns in their order; empty means every one found, in the order they first appear. */
  readonly columns: readonly string[];
  readonly delimiter: string;
  /** What becomes of lists and objects in a row: columns of their own, JSON text, or nothing. */
  readonly nested: "flatten" | "json" | "skip";
  readonly header: boolean;
  /** Puts a ' before texts that a spreadsheet would run as a formula. */
  readonly guardFormulas: boolean;
  readonly lineEnd: "lf" | "crlf";
}

/** Writes rows as CSV (RFC 4180). Fails past 500 columns. */
export function writeCsv(rows: readonly JsonObject[], options: CsvOptions): RunResult {
  const cells = rows.map((row) => new Map(cellsOf(row, options.nested, "", 0)));
  const found = [...new Set(cells.flatMap((row) => [...row.keys()]))];
  const columns = options.columns.length > 0 ? [...options.columns] : found;
  if (columns.length > maxColumns) {
    return failed(`The rows have ${columns.length} columns; ${maxColumns} are possible.`);
  }
  const table = cells.map((row) => columns.map((column) => row.get(column) ?? null));
  const csv = stringify(options.header ? [columns, ...table] : table, {
    delimiter: options.delimiter,
    escape_formulas: options.guardFormulas,
    record_delimiter: options.lineEnd === "crlf" ? "\r\n" : "\n",
    quote_record_delimiter: true,
    cast: { boolean: String },
  });
  const leftOut = found.filter((column) => !columns.includes(column));
  return succeeded({ csv, rows: rows.length, columns, leftOut });
}

const maxColumns = 500;
// Deeper than this a value is written as JSON text.
const maxDepth = 8;

type Cell = string | number | boolean | null;

function cellsOf(
  value: JsonValue,
  nested: CsvOptions["nested"],
  path: string,
  depth: number,
): [string, Cell][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  if (depth > 0 && nested === "skip") return [];
  if (depth > 0 && (nested === "json" || depth > maxDepth)) return [[path, JSON.stringify(value)]];
  const entries = isJsonObject(value) ? Object.entries(value) : [...value.entries()];
  return entries.flatMap(([name, child]) =>
    cellsOf(child, nested, path === "" ? String(name) : `${path}.${name}`, depth + 1),
  );
}
