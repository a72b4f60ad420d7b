import { CsvError, parse } from "csv-parse/sync";

/** CSV text as named columns and rows of texts, or why it could not be read. */
export type Table =
  | {
      readonly ok: true;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly delimiter: string;
    }
  | { readonly ok: false; readonly error: string };

/** The characters a CSV text may be separated by, likeliest first. */
export const delimiters = [",", ";", "\t", "|"] as const;

/** Reads CSV text (RFC 4180, any line end, a byte order mark is skipped). Rows may differ in length. */
export function readTable(csv: string, delimiter: string, header: boolean): Table {
  const used = delimiter === "auto" ? likeliestDelimiter(csv) : delimiter;
  try {
    const records = parse(csv, {
      delimiter: used,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
    });
    const names = header ? (records[0] ?? []) : [];
    const rows = header ? records.slice(1) : records;
    const width = rows.reduce((widest, row) => Math.max(widest, row.length), names.length);
    if (width > maxColumns) {
      return { ok: false, error: `The CSV has ${width} columns; ${maxColumns} are possible.` };
    }
    const columns = Array.from({ length: width }, (_, i) => names[i] || `column${i + 1}`);
    return { ok: true, columns, rows, delimiter: used };
  } catch (error) {
    if (error instanceof CsvError)
      return { ok: false, error: `The CSV is broken: ${error.message}.` };
    throw error;
  }
}

const maxColumns = 500;

function likeliestDelimiter(csv: string): string {
  const firstLine = /^[^\r\n]*/.exec(csv)?.[0] ?? "";
  const count = (delimiter: string) => firstLine.split(delimiter).length;
  return delimiters.reduce((best, next) => (count(next) > count(best) ? next : best));
}
