import { CsvError, type Options, parse } from "csv-parse/sync";
import { SkillFailure, type SkillRun } from "../skillRun";

/** The input of versions 1 and 2, which name their members differently. */
interface Input {
  readonly csv?: string;
  readonly text?: string;
  readonly delimiter?: string;
  readonly separator?: string;
  readonly header?: boolean;
  readonly columns?: readonly string[];
  readonly nullWords?: readonly string[];
  readonly nullText?: string;
  readonly samples?: number;
}

/** Describes the columns of a CSV text. */
export const run: SkillRun<Input> = (input, { version }) => {
  const isFirst = version.startsWith("1.");
  const csv = input.csv ?? input.text ?? "";
  const { header = true, columns: only = [] } = input;
  const wanted = isFirst ? (input.separator ?? ",") : (input.delimiter ?? "auto");
  const delimiter = wanted === "auto" ? likeliestDelimiter(csv) : wanted;
  const nullWords = isFirst ? [input.nullText ?? ""] : (input.nullWords ?? ["", "NULL", "N/A"]);
  const samples = isFirst ? 0 : (input.samples ?? 3);
  const { columns, rows } = readTable(csv, delimiter, header);
  const unknown = only.filter((name) => !columns.includes(name));
  if (unknown.length > 0) throw new SkillFailure(`There is no column named ${unknown.join(", ")}.`);
  return {
    rows: rows.length,
    delimiter,
    unevenRows: rows.filter((row) => row.length !== columns.length).length,
    columns: columns.flatMap((name, index) => {
      if (only.length > 0 && !only.includes(name)) return [];
      const cells = rows.map((row) => row[index] ?? "");
      return [profileColumn(name, cells, { nullWords, samples })];
    }),
  };
};

/** The maximum number of columns. A wider table fails. */
const maxColumns = 500;

/** Reads CSV text (RFC 4180) with any line ending. Skips a byte order mark. Rows may differ in length. */
function readTable(csv: string, delimiter: string, header: boolean) {
  const options = { bom: true, relax_column_count: true, skip_empty_lines: true } as const;
  const records = parseCsv(csv, { ...options, delimiter });
  const names = header ? (records[0] ?? []) : [];
  const rows = header ? records.slice(1) : records;
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), names.length);
  if (width > maxColumns) {
    throw new SkillFailure(`The CSV has ${width} columns; ${maxColumns} are possible.`);
  }
  return { columns: Array.from({ length: width }, (_, i) => names[i] || `column${i + 1}`), rows };
}

function parseCsv(csv: string, options: Options): string[][] {
  try {
    return parse(csv, options) as unknown as string[][];
  } catch (error) {
    throw error instanceof CsvError
      ? new SkillFailure(`The CSV is broken: ${error.message}.`)
      : error;
  }
}

function likeliestDelimiter(csv: string): string {
  const firstLine = /^[^\r\n]*/.exec(csv)?.[0] ?? "";
  const count = (delimiter: string) => firstLine.split(delimiter).length;
  return [",", ";", "\t", "|"].reduce((best, next) => (count(next) > count(best) ? next : best));
}

type ColumnType = "integer" | "number" | "boolean" | "date" | "datetime" | "text" | "empty";

/** Summarizes the values of a column. Texts in `nullWords` count as null. */
function profileColumn(
  name: string,
  cells: readonly string[],
  { nullWords, samples }: { nullWords: readonly string[]; samples: number },
) {
  const values = cells.filter((cell) => !nullWords.includes(cell));
  const distinct = [...new Set(values)];
  const type = typeOf(distinct);
  const isNumeric = type === "integer" || type === "number";
  const sorted = distinct.toSorted(
    isNumeric ? (a, b) => Number(a) - Number(b) : type === "datetime" ? byTime : byText,
  );
  const bound = (value: string | undefined) => {
    if (value === undefined || type === "boolean") return null;
    // A number that is too large to be exact stays text.
    const isExact = Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER;
    return isNumeric && isExact ? Number(value) : value;
  };
  const mean = values.reduce((sum, value) => sum + Number(value), 0) / values.length;
  return {
    name,
    type,
    values: values.length,
    nulls: cells.length - values.length,
    distinct: distinct.length,
    min: bound(sorted[0]),
    max: bound(sorted.at(-1)),
    mean: isNumeric && Number.isFinite(mean) ? Math.round(mean * 1000) / 1000 : null,
    samples: distinct.slice(0, samples),
  };
}

const number = /^[+-]?(0|[1-9]\d*)?(\.\d+)?([eE][+-]?\d+)?$/;
const shapes: readonly [ColumnType, (value: string) => boolean][] = [
  // Leading zeros indicate a code, such as a postcode, and not a number.
  ["integer", (value) => /^[+-]?(0|[1-9]\d*)$/.test(value)],
  ["number", (value) => value !== "" && number.test(value) && Number.isFinite(Number(value))],
  ["boolean", (value) => /^(true|false|yes|no)$/i.test(value)],
  ["date", (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && isDate(value)],
  ["datetime", (value) => /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value) && isDate(value)],
];

function typeOf(values: readonly string[]): ColumnType {
  if (values.length === 0) return "empty";
  return shapes.find(([, fits]) => values.every(fits))?.[0] ?? "text";
}

function byTime(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function isDate(value: string): boolean {
  const [year = 0, month = 0, day = 0] = value.slice(0, 10).split("-").map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && !Number.isNaN(Date.parse(value));
}
