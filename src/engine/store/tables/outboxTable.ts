import { readAuditEvent } from "../../../core/audit/auditEvent";
import { hasEnded, type Program } from "../program";
import type { DeliveryTurn, EventsRequest, TurnOf, WaitingEvent } from "../store";
import { programOf, type Statements } from "./statements";

/** The maximum number of waiting events. */
const maxWaiting = 10_000;
/** The number of rows that are read at once. */
const pageLength = 200;

/** Events that the collector of the audit export does not have yet. */
export class OutboxTable {
  constructor(
    private readonly sql: Statements,
    private readonly self: Program,
    private readonly now: () => number,
  ) {}

  /** Takes the turn to deliver. Returns undefined while it is the turn of another running program. */
  take(wanted: EventsRequest, isAbandoned: (id: string) => boolean): DeliveryTurn | undefined {
    const now = this.now();
    const { holder, until, signal, exported } = wanted;
    const turn = this.sql.row("SELECT * FROM delivery WHERE signal = ?", signal);
    const isOthers = turn !== undefined && turn["holder"] !== holder;
    if (isOthers && Number(turn["until"]) > now && !hasEnded(programOf(turn), this.self)) {
      return undefined;
    }
    this.sql.run("DELETE FROM delivery WHERE signal = ?", signal);
    const { place, pid, since } = this.self;
    this.sql.run(
      "INSERT INTO delivery (holder, place, pid, since, until, signal) VALUES (?, ?, ?, ?, ?, ?)",
      ...[holder, place, pid, since, until, signal],
    );
    // The other signal may have been turned off since.
    if (exported.length === 1) this.sql.run("DELETE FROM outbox WHERE taken = ?", signal);
    const dropped = this.sql.run(
      "DELETE FROM outbox WHERE id <= (SELECT id FROM outbox ORDER BY id DESC LIMIT 1 OFFSET ?)",
      maxWaiting,
    );
    return { events: this.oldest(wanted, now, isAbandoned), dropped };
  }

  end({ holder, signal, exported }: TurnOf, delivered: readonly WaitingEvent[]): void {
    const isLast = exported.length === 1;
    for (const { event, text } of delivered) {
      this.sql.run(
        `DELETE FROM outbox WHERE id = ? AND text = ?${isLast ? "" : " AND taken <> ?"}`,
        ...[event.id, text, ...(isLast ? [] : [signal])],
      );
      this.sql.run(
        "UPDATE outbox SET taken = ? WHERE id = ? AND text = ?",
        ...[signal, event.id, text],
      );
    }
    this.sql.run("DELETE FROM delivery WHERE holder = ? AND signal = ?", holder, signal);
  }

  /**
   * Returns the oldest events that the signal waits for. Skips running invocations, and events that a newer version
   * wrote.
   */
  private oldest(
    { signal, most, ids, areExcluded }: EventsRequest,
    now: number,
    isAbandoned: (id: string) => boolean,
  ): readonly WaitingEvent[] {
    const events: WaitingEvent[] = [];
    const among = `id ${areExcluded ? "NOT IN" : "IN"} (${ids.map(() => "?").join(", ")})`;
    for (let after = ""; events.length < most; ) {
      const rows = this.sql.rows(
        `SELECT id, text FROM outbox WHERE id > ? AND taken IS NOT ? AND ${among}
         ORDER BY id LIMIT ${pageLength}`,
        ...[after, signal, ...ids],
      );
      for (const row of rows) {
        const [id, text] = [String(row["id"]), String(row["text"])];
        const event = readAuditEvent(text, now, () => isAbandoned(id));
        if (event !== undefined && event !== "running") events.push({ event, text });
      }
      if (rows.length < pageLength) break;
      after = String(rows.at(-1)?.["id"]);
    }
    return events.slice(0, most);
  }
}
