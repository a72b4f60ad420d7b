import type { DatabaseSync } from "node:sqlite";
import { localDay } from "../../core/text/dates";
import type { Program } from "./program";
import { Starts } from "./starts";
import type { StoreOperations } from "./store";
import { AgreementTable } from "./tables/agreementTable";
import { OutboxTable } from "./tables/outboxTable";
import { RateTable } from "./tables/rateTable";
import { RecordTable } from "./tables/recordTable";
import { SpendingTable } from "./tables/spendingTable";
import { Statements } from "./tables/statements";
import { UnderwayTable } from "./tables/underwayTable";

/**
 * Creates the operations on an open database. Each runs in the caller's transaction. `unreadable` is called at most once,
 * with the number of damaged records.
 */
export function createOperations(
  database: DatabaseSync,
  self: Program,
  now: () => number,
  unreadable: (count: number) => void,
): StoreOperations {
  const sql = new Statements(database);
  const records = new RecordTable(sql, self, now, unreadable);
  const underway = new UnderwayTable(sql, self);
  const spending = new SpendingTable(sql);
  const agreements = new AgreementTable(sql, now);
  const outbox = new OutboxTable(sql, self, now);
  const starts = new Starts({ sql, records, underway, spending, rates: new RateTable(sql) }, now);
  return {
    start: (wanted) => starts.start(wanted),
    end: (ended) => starts.end(ended),
    undo: (id, scope) => starts.undo(id, scope),
    list: (query) => records.list(query),
    names: (query) => records.names(query),
    sums: (query, inDays) => records.sums(query, inDays),
    texts: (id, most) => records.texts(id, most),
    addTexts: (id, texts) => records.addTexts(id, texts),
    pin: (ids, isPinned) => records.pin(ids, isPinned),
    remove: (ids) => records.remove(ids),
    retain: (retention) => records.retain(retention),
    extent: () => records.extent(),
    earlier: (key) => records.earlier(key),
    spent: (of) => {
      const day = localDay(now());
      return { day, spending: spending.read(day, of), isWhole: spending.isWhole(day) };
    },
    billedSoFar: (of) => spending.billedSoFar(of, now()),
    agreed: (terms) => agreements.agreed(terms),
    agree: (terms) => agreements.agree(terms),
    addRefusal: (id, text, most) => {
      sql.put("refusal", "id", { id, text });
      sql.run(
        "DELETE FROM refusal WHERE id <= (SELECT id FROM refusal ORDER BY id DESC LIMIT 1 OFFSET ?)",
        most,
      );
    },
    refusals: () =>
      sql.rows("SELECT text FROM refusal ORDER BY id").map(({ text }) => String(text)),
    noteEvent: (id, text) => sql.put("outbox", "id", { id, text, taken: null }),
    takeEvents: (wanted) => outbox.take(wanted, (id) => records.isAbandoned(id)),
    endTurn: (turn, delivered) => outbox.end(turn, delivered),
    value: (name) => sql.value(name),
    keepValue: (name, text, instead) => {
      if (instead !== undefined && sql.value(name) !== instead.of) return false;
      sql.put("value", "name", { name, text });
      return true;
    },
    changes: () => Number(sql.row("PRAGMA data_version")?.["data_version"]),
  };
}
