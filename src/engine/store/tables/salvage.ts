import type { DatabaseSync } from "node:sqlite";
import { readWrittenRecord } from "../../../core/invocation/record/invocationRecord";
import { lostName } from "../storeAge";
import type { Row } from "./statements";

/** What was copied from a damaged store. */
export interface Salvaged {
  /** The number of copied records. */
  readonly kept: number;
  /** The number of records in the damaged store; undefined if unknown. */
  readonly all: number | undefined;
  /** Whether agreements, the permissions of agents, refusals and undelivered events are complete. */
  readonly isRestWhole: boolean;
}

/** The tables to copy, by whether their rows have numbers. */
const numbered = ["invocation", "texts", "agreement", "refusal", "outbox", "underway"] as const;
const ordered = { dayCost: "day, registry, skill, currency, isAgents", value: "name" } as const;
/** Tables without which somebody would have to decide or send something again. */
const rest: readonly string[] = ["agreement", "refusal", "outbox", "value"];
/** SQLite's name of the number of a row, under which no table has a column. */
const numberName = "#";

/**
 * Copies every row that can be read from a damaged store into another one, which has the same layout. Leaves rows that
 * are there. The rate limit is not copied, since it is over in a minute. Throws the errors of the other store.
 */
export function salvage(from: DatabaseSync, to: DatabaseSync): Salvaged {
  let [kept, read, isRestWhole] = [0, 0, true];
  let all: number | undefined;
  const tables = [
    ...numbered.map((name) => [name, numberedRows(from, name)] as const),
    ...Object.entries(ordered).map(([name, key]) => [name, orderedRows(from, name, key)] as const),
  ];
  for (const [name, rows] of tables) {
    const put = inserter(to, name);
    let next = rows.next();
    for (; next.done !== true; next = rows.next()) {
      const row = next.value;
      if (name === "invocation") read += 1;
      if (name === "invocation" ? !isReadable(row) : row["name"] === lostName) continue;
      put(row);
      if (name === "invocation") kept += 1;
    }
    if (name === "invocation") all = next.value ? read : countIn(from, read);
    if (!next.value && rest.includes(name)) isRestWhole = false;
  }
  return { kept, all, isRestWhole };
}

/** Returns whether a row has a record, also of a newer version, with the ID in its column. */
function isReadable({ id, facts }: Row): boolean {
  const record = readWrittenRecord(String(facts));
  return record === "newer" || record?.id === id;
}

/**
 * Reads all readable rows of a table. After a damaged page, looks for the next readable row with growing steps, and then
 * reads back to the damage. Returns whether all rows were read.
 */
function* numberedRows(from: DatabaseSync, table: string): Generator<Row, boolean> {
  const query = (where: string) =>
    `SELECT rowid AS "${numberName}", * FROM "${table}" WHERE ${where} ORDER BY rowid`;
  let [last, step, isWhole] = [-1, 0, true];
  while (last + step < Number.MAX_SAFE_INTEGER) {
    const rows = readable(from, query("rowid >= ?"), last + 1 + step);
    let next = rows.next();
    for (; next.done !== true; next = rows.next()) {
      const number = Number(next.value[numberName]);
      if (step > 0) yield* readable(from, `${query("rowid > ? AND rowid < ?")} DESC`, last, number);
      [last, step] = [number, 0];
      yield next.value;
    }
    if (next.value) return isWhole;
    isWhole = false;
    step = step === 0 ? 1 : 2 * step;
  }
  return isWhole;
}

/** Reads the rows before the first damage and those after the last one. Returns whether all were read. */
function* orderedRows(from: DatabaseSync, table: string, key: string): Generator<Row, boolean> {
  const all = `SELECT * FROM "${table}" ORDER BY ${key}`;
  const isWhole = yield* readable(from, all);
  if (!isWhole) yield* readable(from, `${all.replaceAll(",", " DESC,")} DESC`);
  return isWhole;
}

/** Reads rows until the end, or until one cannot be read. Returns whether it reached the end. */
function* readable(
  from: DatabaseSync,
  query: string,
  ...values: readonly number[]
): Generator<Row, boolean> {
  try {
    yield* from.prepare(query).iterate(...values) as Iterable<Row>;
    return true;
  } catch {
    return false;
  }
}

/** Returns a function that inserts a row. It omits rows that are there, or that the table does not accept. */
function inserter(to: DatabaseSync, table: string): (row: Row) => void {
  const columns = to.prepare(`PRAGMA table_info("${table}")`).all();
  const names = columns.map(({ name }) => String(name));
  const list = names.map((name) => `"${name}"`).join(", ");
  const holes = names.map(() => "?").join(", ");
  const insert = to.prepare(`INSERT OR IGNORE INTO "${table}" (${list}) VALUES (${holes})`);
  return (row) => void insert.run(...names.map((name) => row[name] ?? null));
}

/** Counts the records in an index, which may be intact. Undefined if that is damaged too. */
function countIn(from: DatabaseSync, read: number): number | undefined {
  try {
    const count = Number(from.prepare("SELECT count(*) AS count FROM invocation").get()?.["count"]);
    return count < read ? undefined : count;
  } catch {
    return undefined;
  }
}
