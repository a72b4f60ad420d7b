import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  BatchChoice,
  type CollectorAnswer,
  type Delivery,
  deliveryAfter,
  longestPauseSeconds,
} from "../../core/audit/delivery";
import { otlpBody } from "../../core/audit/otlpExport";
import type { OtlpSettings, OtlpSignal, OtlpTarget } from "../../core/audit/otlpSettings";
import type { JsonObject } from "../../core/json/jsonValue";
import { type LocalizableText, l10nText } from "../../core/text/language";
import { Timer, within } from "../../registry/wait";
import { inFolder } from "../files/inFolder";
import { sha256 } from "../sha256";
import type { Store, WaitingEvent } from "../store/store";

/** Sends a body to a collector. Never rejects. */
type PostToCollector = (
  target: OtlpTarget,
  body: JsonObject,
  signal: AbortSignal,
) => Promise<CollectorAnswer>;

/** The dependencies of a delivery. */
export interface DeliveryParts {
  readonly store: Pick<Store, "takeEvents" | "endTurn">;
  /** The folder for entries that the collector rejects. */
  readonly folder: string;
  readonly version: string;
  /** Returns the settings of the export; undefined while it is off. */
  readonly settings: () => OtlpSettings | undefined;
  readonly post: PostToCollector;
  readonly report: (problem: LocalizableText) => void;
}

/** The pause while another program of this machine delivers, in seconds. */
const othersTurnPauseSeconds = 1;
/** How much longer a turn to deliver lasts than the timeout of its request, in milliseconds. */
const turnSlackMs = 10_000;

/**
 * Delivers one signal of the events in the outbox. A collector that takes no log records still gets each span once, and
 * the other way round.
 */
export class SignalDelivery {
  /** Identifies this program among all programs that may deliver. */
  private readonly holder = randomUUID();
  private readonly stop = new AbortController();
  private working: Promise<void> | undefined;
  private isWanted = false;
  private readonly waiting = new Timer();
  /** The number of failed deliveries since the last successful one. */
  private failures = 0;
  private readonly batch = new BatchChoice();
  /** The names of files with rejected entries that were not reported yet. */
  private readonly setAside: string[] = [];
  /** The status of the collector's last rejection. */
  private lastRejection = 0;
  private hasReportedRejection = false;

  constructor(
    private readonly signal: OtlpSignal,
    private readonly parts: DeliveryParts,
  ) {}

  /** Delivers the waiting events, unless a pause is running. */
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
    const target = settings?.targets[this.signal];
    if (settings === undefined || target === undefined || this.stop.signal.aborted) return;
    const delivery = await this.deliver(settings, target).catch(() => retryLater);
    if (this.stop.signal.aborted || delivery === "nothing") return;
    if (delivery === "othersTurn") return this.waitFor(othersTurnPauseSeconds);
    if (delivery.kind === "later") {
      this.failures += 1;
      return this.waitFor(delivery.afterSeconds);
    }
    this.failures = 0;
    if (delivery.kind === "rejected") return this.waitWhileRejected(delivery.status);
    this.isWanted = true;
  }

  /** Starts the longest pause. The collector rejects every entry, so only a change of its settings helps. */
  private waitWhileRejected(status: number): void {
    if (!this.hasReportedRejection) {
      const values = { status: String(status) };
      this.parts.report(
        this.signal === "traces"
          ? l10nText(
              "The collector does not accept spans of the audit export: HTTP {status}. They are kept and sent again every few minutes, unless OTEL_TRACES_EXPORTER is “none”.",
              values,
            )
          : l10nText(
              "The collector does not accept log records of the audit export: HTTP {status}. They are kept and sent again every few minutes, unless OTEL_LOGS_EXPORTER is “none”.",
              values,
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
   * Sends the oldest events. Acknowledges them once the collector has them. After a rejection, the next delivery is
   * smaller. Returns `rejected` if even a single entry is rejected.
   */
  private async deliver(
    { targets, resource }: OtlpSettings,
    target: OtlpTarget,
  ): Promise<Delivery | "nothing" | "othersTurn"> {
    const { batch, holder, signal } = this;
    const { store, version } = this.parts;
    const until = Date.now() + target.timeoutSeconds * 1000 + turnSlackMs;
    const exported = Object.keys(targets) as OtlpSignal[];
    const mine = { holder, signal, exported };
    const turn = await store.takeEvents({ ...mine, until, most: batch.size, ...batch.candidates });
    if (turn === undefined) return "othersTurn";
    let done: readonly WaitingEvent[] = [];
    try {
      const { events, dropped } = turn;
      if (dropped > 0) this.reportDropped(dropped);
      if (events.length === 0) return this.afterLast();
      const sent = events.map(({ event }) => event);
      const body = otlpBody(signal, sent, { version, resource }, sha256);
      const answer = await this.parts.post(target, body, this.stop.signal);
      const delivery = deliveryAfter(answer, this.failures);
      const ids = sent.map(({ id }) => id);
      if (delivery.kind === "taken" || delivery.kind === "partly") {
        if (delivery.kind === "partly") await this.keepPartly(events, delivery.rejected);
        done = events;
        batch.take(ids);
        this.hasReportedRejection = false;
      } else if (delivery.kind === "rejected") {
        this.lastRejection = delivery.status;
        const next = batch.reject(ids);
        if (next === "pause") return delivery;
        if (next === "setAside") {
          this.setAside.push(...(await this.setEventsAside(events)));
          done = events;
        }
        return goOn;
      }
      return delivery;
    } finally {
      await store.endTurn(mine, done);
    }
  }

  /** Keeps the entries of a delivery of which the collector rejected some, and reports it. */
  private async keepPartly(events: readonly WaitingEvent[], rejected: number): Promise<void> {
    const files = await this.setEventsAside(events);
    this.parts.report(
      l10nText(
        "Audit entries that the collector rejected: {count} of {sent}. It does not say which, so all of them are also in {files}.",
        { count: rejected, sent: events.length, files: listedFiles(files) },
      ),
    );
  }

  /** Writes rejected entries to files that a person can read. Returns their names. Rejects when the disk fails. */
  private async setEventsAside(events: readonly WaitingEvent[]): Promise<readonly string[]> {
    const { folder } = this.parts;
    const files: string[] = [];
    for (const { event, text } of events) {
      const path = join(folder, `${event.id}.json`);
      await inFolder(folder, () => writeFile(path, text, { mode: 0o600 }));
      files.push(`${basename(folder)}/${basename(path)}`);
    }
    return files;
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
    this.parts.report(
      l10nText(
        "Audit entries that the collector rejected again (HTTP {status}): {count}. They were moved to {files}.",
        {
          count: files.length,
          status: String(this.lastRejection),
          files: listedFiles(files),
        },
      ),
    );
  }
}

/** The maximum number of file names in a message. */
const maxNames = 3;

function listedFiles(files: readonly string[]): string {
  const names = [...files.slice(0, maxNames), ...(files.length > maxNames ? ["…"] : [])];
  return names.join(", ");
}

/** Requests the next delivery without a pause. */
const goOn: Delivery = { kind: "taken" };
/** Requests a pause after a disk error. */
const retryLater: Delivery = { kind: "later", afterSeconds: 60 };
