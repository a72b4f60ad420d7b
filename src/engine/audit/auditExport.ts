import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type AuditEvent, writeAuditEvent } from "../../core/audit/auditEvent";
import {
  BatchChoice,
  type CollectorAnswer,
  type Delivery,
  deliveryAfter,
  longestPauseSeconds,
} from "../../core/audit/delivery";
import { otlpBodies } from "../../core/audit/otlpExport";
import type { OtlpSettings } from "../../core/audit/otlpSettings";
import { isOver } from "../../core/invocation/outcome";
import type { JsonObject } from "../../core/json/jsonValue";
import { type LocalizableText, l10nText } from "../../core/text/language";
import { Timer, within } from "../../registry/wait";
import { inFolder } from "../files/inFolder";
import { sha256 } from "../sha256";
import type { Store, WaitingEvent } from "../store/store";

/** Collects the invocations and refusals for the export. */
export interface AuditTrail {
  /** Records an event or its new state. Waits only for the disk, not for the collector. Never rejects. */
  readonly note: (event: AuditEvent) => Promise<void>;
}

/** Sends a body to a collector. Never rejects. */
type PostToCollector = (
  url: string,
  body: JsonObject,
  settings: Pick<OtlpSettings, "headers" | "timeoutSeconds">,
  signal: AbortSignal,
) => Promise<CollectorAnswer>;

/** The dependencies of the audit export. */
export interface AuditParts {
  readonly store: Pick<Store, "noteEvent" | "takeEvents" | "endTurn">;
  /** The folder for entries that the collector rejects. */
  readonly folder: string;
  readonly version: string;
  /** Returns the settings of the export; undefined while it is off. */
  readonly settings: () => OtlpSettings | undefined;
  readonly post: PostToCollector;
  /** Removes secrets from a JSON text. */
  readonly redact: (text: string) => string;
  readonly report: (problem: LocalizableText) => void;
}

/** The pause while another program of this machine delivers, in seconds. */
const othersTurnPauseSeconds = 1;
/** How much longer a turn to deliver lasts than the timeouts of its two requests, in milliseconds. */
const turnSlackMs = 10_000;

/**
 * Exports invocations and refusals with the OpenTelemetry Protocol. Each event stays in the store until the collector
 * has accepted it, even if this program, the collector or the connection fails.
 */
export class AuditExport implements AuditTrail {
  /** Identifies this program among all programs that may deliver. */
  private readonly holder = randomUUID();
  private readonly stop = new AbortController();
  private working: Promise<void> | undefined;
  private isWanted = false;
  private readonly waiting = new Timer();
  /** The number of failed deliveries since the last successful one. */
  private failures = 0;
  private readonly batch = new BatchChoice();
  /** The texts of events whose spans were delivered but whose log records were not, by ID. */
  private readonly deliveredSpans = new Map<string, string>();
  /** The names of files with rejected entries that were not reported yet. */
  private readonly setAside: string[] = [];
  /** The status of the collector's last rejection. */
  private lastRejection = 0;
  private hasReportedRejection = false;
  private hasReportedDisk = false;
  /** The IDs of invocations that were recorded as running. */
  private readonly running = new Set<string>();

  constructor(private readonly parts: AuditParts) {}

  async note(event: AuditEvent): Promise<void> {
    try {
      // If the start of an invocation was exported, so is its end, even after the export was turned off.
      if (this.parts.settings() === undefined && !this.running.has(event.id)) return;
      if (isRunning(event)) this.running.add(event.id);
      else this.running.delete(event.id);
      await this.parts.store.noteEvent(event.id, this.parts.redact(writeAuditEvent(event)));
      this.hasReportedDisk = false;
    } catch {
      if (!this.hasReportedDisk) {
        this.parts.report(
          l10nText(
            "An entry of the audit export was lost: the folder of the record cannot be written.",
          ),
        );
      }
      this.hasReportedDisk = true;
    }
    this.wake();
  }

  /** Delivers the events of the outbox, unless a pause is running. */
  wake(): void {
    if (this.stop.signal.aborted || this.waiting.isRunning) return;
    this.isWanted = true;
    this.working ??= this.work().finally(() => {
      this.working = undefined;
      // Another event arrived after the outbox was last read.
      if (this.isWanted) this.wake();
    });
  }

  /** Ends a pause and delivers, because settings may have changed. */
  restart(): void {
    this.failures = 0;
    this.hasReportedRejection = false;
    this.waiting.dispose();
    this.wake();
  }

  /** Waits at most `milliseconds` for a delivery in progress, then stops. The next program delivers the rest. */
  async finish(milliseconds: number): Promise<void> {
    if (this.working !== undefined) await within(this.working, milliseconds);
    this.dispose();
    await this.working;
  }

  dispose(): void {
    this.waiting.dispose();
    this.stop.abort();
  }

  /** Delivers until the outbox is empty or a pause starts. Never rejects. */
  private async work(): Promise<void> {
    try {
      while (this.isWanted) await this.workOnce();
    } finally {
      this.reportSetAside();
    }
  }

  private async workOnce(): Promise<void> {
    this.isWanted = false;
    const settings = this.parts.settings();
    if (settings === undefined || this.stop.signal.aborted) return;
    const delivery = await this.deliver(settings).catch(() => retryLater);
    if (this.stop.signal.aborted || delivery === "nothing") return;
    if (delivery === "othersTurn") return this.waitFor(othersTurnPauseSeconds);
    if (delivery.kind === "later") {
      this.failures += 1;
      return this.waitFor(delivery.afterSeconds);
    }
    this.failures = 0;
    if (delivery.kind === "rejected") return this.waitWhileRejected(delivery.status);
    if (delivery.note !== undefined) this.parts.report(delivery.note);
    this.isWanted = true;
  }

  /** Starts the longest pause. The collector rejects every entry, so only a change of its settings helps. */
  private waitWhileRejected(status: number): void {
    if (!this.hasReportedRejection) {
      this.parts.report(
        l10nText(
          "The collector does not accept the audit export: HTTP {status}. All entries are kept and sent again every few minutes.",
          { status: String(status) },
        ),
      );
    }
    this.hasReportedRejection = true;
    this.waitFor(longestPauseSeconds);
  }

  private waitFor(seconds: number): void {
    this.isWanted = false;
    this.waiting.after(seconds * 1000, () => this.wake());
  }

  /**
   * Sends the oldest events. Removes them once the collector has both their spans and their log records. After a
   * rejection, the next delivery is smaller. Returns `rejected` if even a single entry is rejected.
   */
  private async deliver(settings: OtlpSettings): Promise<Delivery | "nothing" | "othersTurn"> {
    const { batch, holder } = this;
    const { store } = this.parts;
    const until = Date.now() + 2 * settings.timeoutSeconds * 1000 + turnSlackMs;
    const turn = await store.takeEvents({ holder, until, most: batch.size, ...batch.candidates });
    if (turn === undefined) return "othersTurn";
    let done: readonly WaitingEvent[] = [];
    try {
      const { events, dropped } = turn;
      if (dropped > 0) this.reportDropped(dropped);
      if (events.length === 0) return this.afterLast();
      const delivery = await this.sendAll(events, settings);
      const ids = events.map(({ event }) => event.id);
      if (delivery.kind === "taken") {
        done = events;
        for (const id of ids) this.deliveredSpans.delete(id);
        batch.take(ids);
        this.hasReportedRejection = false;
      } else if (delivery.kind === "rejected") {
        this.lastRejection = delivery.status;
        const next = batch.reject(ids);
        if (next === "pause") return delivery;
        if (next === "setAside") done = await this.setEventsAside(events);
        return goOn;
      }
      return delivery;
    } finally {
      await store.endTurn(holder, done);
    }
  }

  private async sendAll(items: readonly WaitingEvent[], settings: OtlpSettings): Promise<Delivery> {
    const isNew = ({ event, text }: WaitingEvent) => this.deliveredSpans.get(event.id) !== text;
    const first = items.filter(isNew);
    let spans: Delivery = { kind: "taken" };
    if (first.length > 0) {
      spans = await this.send(settings.tracesUrl, this.bodiesOf(first, settings).traces, settings);
      if (spans.kind !== "taken") return spans;
      for (const { event, text } of first) this.deliveredSpans.set(event.id, text);
    }
    const logs = await this.send(settings.logsUrl, this.bodiesOf(items, settings).logs, settings);
    return logs.kind === "taken" && spans.note !== undefined ? spans : logs;
  }

  private bodiesOf(items: readonly WaitingEvent[], { resource }: OtlpSettings) {
    const events = items.map(({ event }) => event);
    return otlpBodies(events, { version: this.parts.version, resource }, sha256);
  }

  private async send(url: string, body: JsonObject, settings: OtlpSettings): Promise<Delivery> {
    const answer = await this.parts.post(url, body, settings, this.stop.signal);
    return deliveryAfter(answer, this.failures);
  }

  /** Writes rejected entries to files that a person can read. Rejects when the disk fails. */
  private async setEventsAside(events: readonly WaitingEvent[]): Promise<readonly WaitingEvent[]> {
    const { folder } = this.parts;
    for (const { event, text } of events) {
      const path = join(folder, `${event.id}.json`);
      await inFolder(folder, () => writeFile(path, text, { mode: 0o600 }));
      this.setAside.push(`${basename(folder)}/${basename(path)}`);
    }
    return events;
  }

  private afterLast(): Delivery | "nothing" {
    const next = this.batch.end();
    if (next === "pause") return { kind: "rejected", status: this.lastRejection };
    return next === "done" ? "nothing" : goOn;
  }

  private reportDropped(count: number): void {
    this.parts.report(
      l10nText(
        "Too many entries of the audit export are waiting: the {count} oldest were removed.",
        { count },
      ),
    );
  }

  private reportSetAside(): void {
    const files = this.setAside.splice(0);
    if (files.length === 0) return;
    const names = [...files.slice(0, maxNames), ...(files.length > maxNames ? ["…"] : [])];
    this.parts.report(
      l10nText(
        "Audit entries that the collector rejected again (HTTP {status}): {count}. They were moved to {files}.",
        {
          count: files.length,
          status: String(this.lastRejection),
          files: names.join(", "),
        },
      ),
    );
  }
}

function isRunning(event: AuditEvent): boolean {
  return event.kind === "invocation" && !isOver(event.record);
}

/** The maximum number of file names in a message. */
const maxNames = 3;
/** Requests the next delivery without a pause. */
const goOn: Delivery = { kind: "taken" };
/** Requests a pause after a disk error. */
const retryLater: Delivery = { kind: "later", afterSeconds: 60 };
