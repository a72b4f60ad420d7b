/** What the values of a column have in common; `empty` where there are none. */
export type ColumnType = "integer" | "number" | "boolean" | "date" | "datetime" | "text" | "empty";

/** Describes a column by its values. Texts in `nullWords` count as null. */
export function profileColumn(
  name: string,
  cells: readonly string[],
  options: { readonly nullWords: readonly string[]; readonly samples: number },
) {
  const nullWords = new Set(options.nullWords);
  const values = cells.filter((cell) => !nullWords.has(cell));
  const distinct = [...new Set(values)];
  const type = typeOf(distinct);
  const sorted = distinct.sort(comparisons[type]);
  const numeric = type === "integer" || type === "number";
  const bound = (value: string | undefined) => {
    if (value === undefined || type === "boolean") return null;
    // A number too big to be exact stays the text it was.
    return numeric && isExact(value) ? Number(value) : value;
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
    mean: numeric && Number.isFinite(mean) ? Math.round(mean * 1000) / 1000 : null,
    samples: [...new Set(values)].slice(0, options.samples),
  };
}

const shapes: readonly [ColumnType, (value: string) => boolean][] = [
  // Leading zeros make a code, such as a postcode, not a number.
  ["integer", (value) => /^[+-]?(0|[1-9]\d*)$/.test(value)],
  [
    "number",
    (value) => /^[+-]?(0|[1-9]\d*)?(\.\d+)?([eE][+-]?\d+)?$/.test(value) && isNumber(value),
  ],
  ["boolean", (value) => /^(true|false|yes|no)$/i.test(value)],
  ["date", (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && isDate(value)],
  ["datetime", (value) => /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value) && isDate(value)],
];

function typeOf(values: readonly string[]): ColumnType {
  if (values.length === 0) return "empty";
  return shapes.find(([, fits]) => values.every(fits))?.[0] ?? "text";
}

const byNumber = (a: string, b: string) => Number(a) - Number(b);
const byText = (a: string, b: string) => (a < b ? -1 : 1);
const comparisons: Record<ColumnType, (a: string, b: string) => number> = {
  integer: byNumber,
  number: byNumber,
  datetime: (a, b) => Date.parse(a) - Date.parse(b),
  boolean: byText,
  date: byText,
  text: byText,
  empty: byText,
};

function isNumber(value: string): boolean {
  return value !== "" && Number.isFinite(Number(value));
}

function isExact(value: string): boolean {
  return Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER;
}

function isDate(value: string): boolean {
  const [year = 0, month = 0, day = 0] = value.slice(0, 10).split("-").map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return (
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    !Number.isNaN(Date.parse(value))
  );
}
