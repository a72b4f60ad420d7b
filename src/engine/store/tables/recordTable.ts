import { type CallKey, type EarlierCall, earlierCall } from "../../../core/agents/agentGates";
import {
  type InvocationRecord,
  type InvocationTexts,
  newRecordId,
  readWrittenRecord,
  withPresumedEnd,
  writeRecord,
} from "../../../core/invocation/record/invocationRecord";
import { dayMs } from "../../../core/text/dates";
import { hasEnded, type Program } from "../program";
import type { KeptSince, RecordExtent, RecordPage, RecordQuery, RetentionSettings } from "../store";
import { expired, removedAtOnce } from "./retention";
import { programOf, type Row, type Statements } from "./statements";

/** The number of pages that return to the disk at once. */
const freedAtOnce = 200;

/** The record of past invocations. */
export class RecordTable {
  constructor(
    private readonly sql: Statements,
    private readonly own: Program,
  ) {}

  /** Creates the name of a record that starts now. It sorts after all existing ones. */
  newId(startedAt: number, random: string): string {
    const newest = this.sql.row("SELECT max(id) AS id FROM invocation")?.["id"];
    return newRecordId(startedAt, random, typeof newest === "string" ? newest : "");
  }

  /** Writes a record, in place of its earlier state. */
  write(record: InvocationRecord): void {
    const { id, startedAt, registry, skillSlug, status, caller, projectSlug = null } = record;
    const { payloadId = null, contractHash = null, invocationId = null, batch = null } = record;
    this.sql.run(
      `INSERT INTO invocation (id, startedAt, registry, skill, status, caller, project, payloadId, contractHash, invocationId, profile, batch, facts)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET status = excluded.status, project = excluded.project,
         invocationId = excluded.invocationId, facts = excluded.facts`,
      ...[id, startedAt, registry, skillSlug, status, caller.kind, projectSlug],
      ...[payloadId, contractHash, invocationId, record.profile, batch, writeRecord(record)],
    );
  }

  has(id: string): boolean {
    return this.sql.row("SELECT 1 FROM invocation WHERE id = ?", id) !== undefined;
  }

  list(query: RecordQuery, now: number): RecordPage {
    const { where, values } = conditionsOf(query);
    const { statuses, limit = Number.MAX_SAFE_INTEGER } = query;
    const rows = this.sql.rows(
      `SELECT id, facts, isPinned FROM invocation${where} ORDER BY id DESC LIMIT ?`,
      ...[...values, limit],
    );
    const records = rows.flatMap((row) => this.read(row, now));
    const last = rows.length < limit ? undefined : rows.at(-1)?.["id"];
    return {
      records: records.filter(({ status }) => statuses?.includes(status) ?? true),
      next: last === undefined ? undefined : String(last),
    };
  }

  earlier({ registry, contractHash, payloadId }: CallKey, now: number): EarlierCall | undefined {
    const same = "payloadId = ? AND contractHash = ? AND registry = ?";
    const names = [payloadId, contractHash, registry];
    // A running invocation counts at any age.
    const rows = this.sql.rows(
      `SELECT id, facts, isPinned FROM invocation WHERE ${same} AND startedAt > ?
       UNION SELECT id, facts, isPinned FROM invocation WHERE ${same} AND status = 'running'
       ORDER BY id DESC`,
      ...[...names, now - dayMs, ...names],
    );
    const records = rows.flatMap((row) => this.read(row, now));
    return earlierCall(records, { registry, contractHash, payloadId }, now);
  }

  extent(): RecordExtent {
    return { single: this.kept("IS NULL"), ofSeries: this.kept("IS NOT NULL") };
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

  /** Removes some records beyond the retention. Returns whether there may be more. */
  retain(retention: RetentionSettings, now: number): boolean {
    const ids = expired(this.sql, retention, now);
    this.remove(ids);
    this.sql.database.exec(`PRAGMA incremental_vacuum(${freedAtOnce})`);
    return ids.length >= removedAtOnce;
  }

  writeTexts(id: string, { inputText, outputText }: InvocationTexts): void {
    if (inputText === undefined && outputText === undefined) return;
    this.sql.run(
      "INSERT OR REPLACE INTO texts (id, input, output) VALUES (?, ?, ?)",
      ...[id, storedText(inputText), storedText(outputText)],
    );
  }

  texts(id: string, maxLength = Number.MAX_SAFE_INTEGER): InvocationTexts | undefined {
    if (!this.has(id)) return undefined;
    const size = this.sql.row(
      "SELECT ifnull(length(CAST(input AS BLOB)), 0) + ifnull(length(CAST(output AS BLOB)), 0) AS size FROM texts WHERE id = ?",
      id,
    )?.["size"];
    if (size === undefined) return {};
    if (Number(size) > maxLength) return undefined;
    const { input = null, output = null } =
      this.sql.row("SELECT input, output FROM texts WHERE id = ?", id) ?? {};
    return {
      ...(input !== null && { inputText: readText(input) }),
      ...(output !== null && { outputText: readText(output) }),
    };
  }

  private kept(batch: "IS NULL" | "IS NOT NULL"): KeptSince {
    const where = `FROM invocation WHERE batch ${batch}`;
    const count = this.sql.row(`SELECT count(*) AS count ${where}`)?.["count"];
    const since = this.sql.row(`SELECT startedAt ${where} ORDER BY id LIMIT 1`)?.["startedAt"];
    return { count: Number(count), since: typeof since === "number" ? since : undefined };
  }

  /** Converts a row. Skips a row that a newer version wrote in an unknown way. */
  private read({ facts, isPinned }: Row, now: number): readonly InvocationRecord[] {
    const written = readWrittenRecord(String(facts));
    if (written === undefined || written === "newer") return [];
    const record = withPresumedEnd(written, now, () => !this.isAbandoned(written.id));
    return [isPinned === 1 ? { ...record, pinned: true } : record];
  }

  /** Returns whether the program of an invocation without an end has certainly ended. */
  isAbandoned(id: string): boolean {
    const row = this.sql.row("SELECT place, pid, since FROM underway WHERE id = ?", id);
    // Without a known program, only its time tells.
    if (row === undefined) return false;
    return hasEnded(programOf(row), this.own);
  }
}

/**
 * Returns a text as the database stores it. UTF-8 cannot represent half of a surrogate pair, which a payload may
 * contain. Such a text is stored as UTF-16.
 */
function storedText(text: string | undefined): string | Uint8Array | null {
  if (text === undefined) return null;
  return /\p{Surrogate}/u.test(text) ? Buffer.from(text, "utf16le") : text;
}

function readText(stored: string | number | Uint8Array): string {
  return typeof stored === "object" ? Buffer.from(stored).toString("utf16le") : String(stored);
}

function conditionsOf(query: RecordQuery) {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...of: (string | number)[]) => {
    conditions.push(condition);
    values.push(...of);
  };
  const among = (column: string, names: readonly string[] | undefined) => {
    if (names !== undefined) add(`${column} IN (${names.map(() => "?").join(", ")})`, ...names);
  };
  const { id, registry, since, until, payloadId, idStart, before, statuses } = query;
  if (id !== undefined) add("id = ?", id);
  among("skill", query.skills);
  if (registry !== undefined) add("registry = ?", registry);
  // A record without an end may turn out to be unknown.
  among("status", statuses?.includes("outcome unknown") ? [...statuses, "running"] : statuses);
  among("caller", query.callers);
  among("project", query.projects);
  among("profile", query.profiles);
  among("invocationId", query.invocationIds);
  // Names begin with their time and are in order.
  if (since !== undefined) add("startedAt >= ? AND id >= ?", since, newRecordId(since, ""));
  if (until !== undefined) add("startedAt < ?", until);
  if (payloadId !== undefined) add("payloadId = ?", payloadId);
  if (query.isPinned !== undefined) add("isPinned = ?", Number(query.isPinned));
  if (idStart !== undefined) {
    const end = `${idStart}\u{10ffff}`;
    add(
      "((id >= ? AND id < ?) OR (invocationId >= ? AND invocationId < ?))",
      ...[idStart, end, idStart, end],
    );
  }
  if (before !== undefined) add("id < ?", before);
  return { where: conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`, values };
}
