import {
  type CallKey,
  type EarlierCall,
  earlierCall,
} from "../../../core/agents/gates/earlierCall";
import { areEndFacts } from "../../../core/invocation/outcome";
import {
  type InvocationRecord,
  type InvocationTexts,
  newRecordId,
  readWrittenRecord,
  withPresumedEnd,
  writeRecord,
} from "../../../core/invocation/record/invocationRecord";
import { matchesQuery, type RecordQuery } from "../../../core/invocation/record/recordQuery";
import {
  type GroupFacts,
  groupOf,
  type UsageGroup,
  usageGroup,
} from "../../../core/invocation/usage/usage";
import { dayMs } from "../../../core/text/dates";
import { hasEnded, type Program } from "../program";
import type {
  NamePage,
  RecordCount,
  RecordExtent,
  RecordPage,
  RetentionSettings,
  SumsPage,
} from "../store";
import { Retention, removedAtOnce } from "./retention";
import { programOf, type Row, type Statements } from "./statements";

/** The number of free database pages that return to the disk at once. */
const pagesFreedAtOnce = 200;

/** The record of past invocations. */
export class RecordTable {
  private hasReported = false;
  private readonly retention: Retention;

  /** `unreadable` is called when the first damaged record is read, with their number. */
  constructor(
    private readonly sql: Statements,
    private readonly self: Program,
    private readonly now: () => number,
    private readonly unreadable: (count: number) => void,
  ) {
    this.retention = new Retention(sql);
  }

  /** Creates the ID of a record that starts now. It sorts after all existing IDs. */
  newId(startedAt: number, random: string): string {
    const newest = this.sql.row("SELECT max(id) AS id FROM invocation")?.["id"];
    return newRecordId(startedAt, random, typeof newest === "string" ? newest : "");
  }

  /** Writes a record. Replaces its earlier state. */
  write(record: InvocationRecord): void {
    const { kind = null, payloadId = null, contractHash = null, invocationId = null } = record;
    const { amountCents = null, currency = null, expectedCents = null } = record;
    const { id, startedAt, registry, status, ran, durationMs, profile, batch = null } = record;
    this.sql.put("invocation", "id", {
      ...{ id, startedAt, registry, skill: record.skillSlug, status, caller: record.caller.kind },
      ...{ project: record.projectSlug ?? null, payloadId, contractHash, invocationId, profile },
      ...{ batch, kind, ran, durationMs, amountCents, currency, expectedCents },
      ...{ expectedCurrency: record.expectedCurrency ?? null, facts: writeRecord(record) },
    });
  }

  private has(id: string): boolean {
    return this.sql.row("SELECT 1 FROM invocation WHERE id = ?", id) !== undefined;
  }

  list(query: RecordQuery): RecordPage {
    const { rows, next } = this.page("id, facts, isPinned", query);
    const textsOf = (id: string) => this.texts(id);
    const records = rows.flatMap((row) => this.read(row));
    return { records: records.filter((record) => matchesQuery(record, query, textsOf)), next };
  }

  names(query: RecordQuery): NamePage {
    if (query.text !== undefined) {
      const { records, next } = this.list(query);
      return { names: records.map(({ id, startedAt }) => ({ id, startedAt })), next };
    }
    // For ended invocations, the columns are enough. A running one may have ended with its program. Only its facts name
    // that program.
    const columns = "id, startedAt, isPinned, CASE WHEN status = 'running' THEN facts END AS facts";
    const { rows, next } = this.page(columns, query);
    const names = rows.filter((row) => {
      if (row["facts"] === null) return true;
      return this.read(row).some((record) => matchesQuery(record, query, () => undefined));
    });
    return {
      names: names.map((row) => ({ id: String(row["id"]), startedAt: Number(row["startedAt"]) })),
      next,
    };
  }

  sums(query: RecordQuery, inDays: boolean): SumsPage {
    const { where, values } = conditionsOf(query);
    const { limit = Number.MAX_SAFE_INTEGER } = query;
    const last = this.sql.row(
      `SELECT id FROM invocation WHERE ${where} ORDER BY id DESC LIMIT 1 OFFSET ?`,
      ...[...values, limit - 1],
    )?.["id"];
    const next = last === undefined ? undefined : String(last);
    const from = next ?? "";
    const rows = this.sql.rows(
      `SELECT count(*) AS count, ${inDays ? sumColumns : filterColumns} FROM invocation
       WHERE ${where} AND id >= ? AND status <> 'running' GROUP BY ${inDays ? groupColumns : filterColumns}`,
      ...[...values, from],
    );
    // A running invocation may count as unknown by now, which SQL cannot decide.
    const running = this.sql.rows(
      `SELECT facts, isPinned FROM invocation WHERE ${where} AND id >= ? AND status = 'running'`,
      ...[...values, from],
    );
    const records = running.flatMap((row) => this.read(row));
    const matching = records.filter((record) => matchesQuery(record, query, () => undefined));
    return { groups: [...rows.flatMap(groupIn), ...matching.map(groupOf)], next };
  }

  earlier({ registry, contractHash, payloadId }: CallKey): EarlierCall | undefined {
    const now = this.now();
    const same = "payloadId = ? AND contractHash = ? AND registry = ?";
    const names = [payloadId, contractHash, registry];
    // A running invocation blocks repeats at any age.
    const rows = this.sql.rows(
      `SELECT id, facts, isPinned FROM invocation WHERE ${same} AND startedAt > ?
       UNION SELECT id, facts, isPinned FROM invocation WHERE ${same} AND status = 'running'
       ORDER BY id DESC`,
      ...[...names, now - dayMs, ...names],
    );
    const records = rows.flatMap((row) => this.read(row));
    return earlierCall(records, { registry, contractHash, payloadId }, now);
  }

  extent(): RecordExtent {
    return { single: this.countOf("IS NULL"), ofBatches: this.countOf("IS NOT NULL") };
  }

  pin(ids: readonly string[], isPinned: boolean): void {
    for (const id of ids) {
      this.sql.run("UPDATE invocation SET isPinned = ? WHERE id = ?", Number(isPinned), id);
    }
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.sql.run("DELETE FROM invocation WHERE id = ?", id);
      this.sql.run("DELETE FROM texts WHERE id = ?", id);
    }
  }

  /** Removes some records beyond the retention. Returns whether more may remain. */
  retain(retention: RetentionSettings): boolean {
    const ids = this.retention.expired(retention, this.now());
    this.remove(ids);
    this.sql.database.exec(`PRAGMA incremental_vacuum(${pagesFreedAtOnce})`);
    return ids.length >= removedAtOnce;
  }

  addTexts(id: string, texts: InvocationTexts): void {
    if (this.has(id)) this.writeTexts(id, texts);
  }

  writeTexts(id: string, { inputText, outputText }: InvocationTexts): void {
    if (inputText === undefined && outputText === undefined) return;
    const [input, output] = [storedText(inputText), storedText(outputText)];
    this.sql.put("texts", "id", { id, input, output });
  }

  texts(id: string, most?: number): InvocationTexts | undefined {
    if (!this.has(id)) return undefined;
    // A text that is stored as bytes has two bytes for each character.
    const bytes = 2 * (most ?? 0);
    const { input = null, output = null } =
      (most === undefined
        ? this.sql.row("SELECT input, output FROM texts WHERE id = ?", id)
        : this.sql.row(
            "SELECT substr(input, 1, ?) AS input, substr(output, 1, ?) AS output FROM texts WHERE id = ?",
            ...[bytes, bytes, id],
          )) ?? {};
    return {
      ...(input !== null && { inputText: readText(input).slice(0, most) }),
      ...(output !== null && { outputText: readText(output).slice(0, most) }),
    };
  }

  /** Reads columns of a page of rows. */
  private page(columns: string, query: RecordQuery) {
    const { where, values } = conditionsOf(query);
    const { limit = Number.MAX_SAFE_INTEGER } = query;
    const rows = this.sql.rows(
      `SELECT ${columns} FROM invocation WHERE ${where} ORDER BY id DESC LIMIT ?`,
      ...[...values, limit],
    );
    const last = rows.length < limit ? undefined : rows.at(-1)?.["id"];
    return { rows, next: last === undefined ? undefined : String(last) };
  }

  private countOf(batch: "IS NULL" | "IS NOT NULL"): RecordCount {
    const where = `FROM invocation WHERE batch ${batch}`;
    const count = this.sql.row(`SELECT count(*) AS count ${where}`)?.["count"];
    const since = this.sql.row(`SELECT startedAt ${where} ORDER BY id LIMIT 1`)?.["startedAt"];
    return { count: Number(count), since: typeof since === "number" ? since : undefined };
  }

  /** Converts a row. Returns nothing for a damaged row, or one in an unknown format of a newer version. */
  private read({ facts, isPinned }: Row): readonly InvocationRecord[] {
    const written = readWrittenRecord(String(facts));
    if (written === undefined) this.reportUnreadable();
    if (written === undefined || written === "newer") return [];
    const record = withPresumedEnd(written, this.now(), () => this.isAbandoned(written.id));
    return [isPinned === 1 ? { ...record, pinned: true } : record];
  }

  private reportUnreadable(): void {
    if (this.hasReported) return;
    this.hasReported = true;
    const damaged = this.sql
      .rows("SELECT facts FROM invocation")
      .filter(({ facts }) => readWrittenRecord(String(facts)) === undefined);
    this.unreadable(damaged.length);
  }

  /** Returns whether the program of a running invocation has certainly ended. */
  isAbandoned(id: string): boolean {
    const row = this.sql.row("SELECT place, pid, since FROM underway WHERE id = ?", id);
    // The program is unknown. The invocation then runs until its latest possible end.
    if (row === undefined) return false;
    return hasEnded(programOf(row), this.self);
  }
}

/**
 * Returns a text as the database stores it. A payload may contain half of a surrogate pair, which UTF-8 cannot
 * represent. Such a text is stored as UTF-16.
 */
function storedText(text: string | undefined): string | Uint8Array | null {
  if (text === undefined) return null;
  return /\p{Surrogate}/u.test(text) ? Buffer.from(text, "utf16le") : text;
}

function readText(stored: string | number | Uint8Array): string {
  return typeof stored === "object" ? Buffer.from(stored).toString("utf16le") : String(stored);
}

/** The columns that filters of the record use. */
const filterColumns = "skill, status, ran, caller, kind, profile";
/** The properties that all invocations of a group share. */
const groupColumns = `${filterColumns}, registry, project, currency, amountCents = 0, expectedCurrency,
  expectedCents = 0, date(startedAt / 1000, 'unixepoch', 'localtime')`;
const sumColumns = `${groupColumns} AS day, sum(amountCents) AS amountCents, sum(expectedCents) AS expectedCents,
  json_group_array(durationMs) AS durations, json_group_array(id) AS ids`;

/** Reads a group. Returns nothing if a newer version wrote values that this version does not know. */
function groupIn(row: Row): readonly UsageGroup[] {
  const {
    skill,
    project = null,
    caller,
    count,
    day = "",
    durations = "[]",
    ids = "[]",
    ...rest
  } = row;
  const given = Object.entries({ registry: "", ...rest, skillSlug: skill, projectSlug: project });
  const facts = Object.fromEntries(given.filter(([, value]) => value !== null));
  if (!areEndFacts(facts)) return [];
  return [
    usageGroup({ ...facts, caller: { kind: caller } } as unknown as GroupFacts, {
      ...{ count: Number(count), day: String(day) },
      durations: JSON.parse(String(durations)) as number[],
      ids: JSON.parse(String(ids)) as string[],
    }),
  ];
}

/**
 * Returns the SQL conditions of a query. The text of a query is not among them; `matchesQuery` searches it in the
 * selected records.
 */
function conditionsOf(query: RecordQuery) {
  const conditions = ["true"];
  const values: (string | number)[] = [];
  const add = (condition: string, ...of: (string | number)[]) => {
    conditions.push(condition);
    values.push(...of);
  };
  const among = (column: string, names: readonly string[] | undefined, is = "IN") => {
    const [only, ...others] = names ?? [];
    // For one value, SQLite reads the rows from an index in their order. For several, it would read and sort all rows.
    if (is === "IN" && only !== undefined && others.length === 0) add(`${column} = ?`, only);
    else if (names !== undefined)
      add(`${column} ${is} (SELECT value FROM json_each(?))`, JSON.stringify(names));
  };
  const { registry, since, until, idStart, before, statuses } = query;
  among("id", query.ids);
  among("id", query.without, "NOT IN");
  among("skill", query.skills);
  if (registry !== undefined) add("registry = ?", registry);
  // A running invocation may count as unknown by now.
  among("status", statuses?.includes("outcome unknown") ? [...statuses, "running"] : statuses);
  among("ifnull(kind, 'invocation')", query.kinds);
  among("caller", query.callers);
  among("project", query.projects);
  among("profile", query.profiles);
  among("invocationId", query.invocationIds);
  // IDs begin with the start time, so their index can skip older rows.
  if (since !== undefined) add("startedAt >= ? AND id >= ?", since, newRecordId(since, ""));
  if (until !== undefined) add("startedAt < ?", until);
  if (query.isPinned !== undefined) add(`isPinned = ${Number(query.isPinned)}`);
  if (idStart !== undefined) {
    const end = `${idStart}\u{10ffff}`;
    add(
      "((id >= ? AND id < ?) OR (invocationId >= ? AND invocationId < ?))",
      ...[idStart, end, idStart, end],
    );
  }
  if (before !== undefined) add("id < ?", before);
  return { where: conditions.join(" AND "), values };
}
