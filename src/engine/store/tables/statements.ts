import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Program } from "../program";

/** A row as SQLite returns it. */
export type Row = Readonly<Record<string, string | number | null | Uint8Array>>;

/** Returns the program that a row names. */
export function programOf({ place, pid, since }: Row): Program {
  return { place: String(place), pid: Number(pid), since: Number(since) };
}

/** Runs SQL statements. Prepares each of them once. */
export class Statements {
  private readonly prepared = new Map<string, StatementSync>();

  constructor(readonly database: DatabaseSync) {}

  /** Returns the first row; undefined for none. */
  row(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.statement(sql).get(...values) as Row | undefined;
  }

  rows(sql: string, ...values: SQLInputValue[]): readonly Row[] {
    return this.statement(sql).all(...values) as unknown as readonly Row[];
  }

  /** Runs a change. Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.statement(sql).run(...values).changes);
  }

  /** Returns a text that the programs of a machine share, by its name; undefined if there is none. */
  value(name: string): string | undefined {
    const row = this.row("SELECT text FROM value WHERE name = ?", name);
    return row === undefined ? undefined : String(row["text"]);
  }

  /** Writes a row. If a row with the same `key` exists, replaces only the given columns. */
  put(table: string, key: string, row: Readonly<Record<string, SQLInputValue>>): void {
    const names = Object.keys(row);
    const updates = names
      .filter((name) => name !== key)
      .map((name) => `${name} = excluded.${name}`);
    this.run(
      `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
       ON CONFLICT (${key}) DO UPDATE SET ${updates.join(", ")}`,
      ...Object.values(row),
    );
  }

  private statement(sql: string): StatementSync {
    const known = this.prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    this.prepared.set(sql, statement);
    return statement;
  }
}
