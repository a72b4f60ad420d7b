import type { AuditEvent } from "../../core/audit/auditEvent";
import { type CollectorAnswer, type Delivery, deliveryAfter } from "../../core/audit/delivery";
import { otlpBodies } from "../../core/audit/otlpExport";
import type { OtlpSettings } from "../../core/audit/otlpSettings";
import { isOver } from "../../core/invocation/outcome";
import type { JsonObject } from "../../core/json/jsonValue";
import { type LocalizableText, l10nText } from "../../core/text/language";
import { Timer, within } from "../../registry/wait";
import { takeLock } from "../files/lock";
import { sha256 } from "../sha256";
import { AuditOutbox } from "./auditOutbox";

/** Where invocations and refusals are noted that somebody else wants to have on record too. */
export interface AuditTrail {
  /** Notes an event, again where it has changed. Never rejects, and waits for nothing but the disk. */
  readonly note: (event: AuditEvent) => Promise<void>;
  /** Takes back an event that did not happen. Never rejects. */
  readonly forget: (id: string) => Promise<void>;
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
  /** The folder of the outbox, which all programs of this machine share. */
  readonly folder: string;
  /** The version of this program. */
  readonly version: string;
  /** Returns where the export goes; undefined while nothing is exported. */
  readonly settings: () => OtlpSettings | undefined;
  readonly post: PostToCollector;
  /** Takes secrets out of a JSON text. */
  readonly redact: (text: string) => string;
  /** Shows the user what they should know. */
  readonly report: (problem: LocalizableText) => void;
}

/** While another program of this machine delivers. */
const othersTurnSeconds = 1;
/** Beyond the two requests of a delivery. */
const lockSlackMs = 10_000;

/**
 * Exports invocations and refusals by the OpenTelemetry Protocol: each is a file of the outbox until the collector has
 * it, however often that, this program or the connection breaks down.
 */
export class AuditExport implements AuditTrail {
  private readonly outbox: AuditOutbox;
  private readonly stop = new AbortController();
  private working: Promise<void> | undefined;
  private isWanted = false;
  private readonly waiting = new Timer();
  /** Deliveries that failed since the last that did not. */
  private failures = 0;
  private isStopped = false;
  private hasReportedDisk = false;
  /** The invocations that were noted as running. */
  private readonly begun = new Set<string>();

  constructor(private readonly parts: AuditParts) {
    this.outbox = new AuditOutbox(parts.folder);
  }

  async note(event: AuditEvent): Promise<void> {
    try {
      // An end belongs to its start, also where the export was turned off between them.
      if (this.parts.settings() === undefined && !this.begun.has(event.id)) return;
      if (isRunning(event)) this.begun.add(event.id);
      else this.begun.delete(event.id);
      await this.outbox.put(event, this.parts.redact);
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

  async forget(id: string): Promise<void> {
    this.begun.delete(id);
    await this.outbox.remove(id).catch(() => undefined);
  }

  /** Delivers what is in the outbox, unless it waits until it may. */
  wake(): void {
    if (this.isStopped || this.stop.signal.aborted || this.waiting.isRunning) return;
    this.isWanted = true;
    this.working ??= this.work().finally(() => {
      this.working = undefined;
      // Something came between the last look and the end.
      if (this.isWanted) this.wake();
    });
  }

  /** Delivers with settings that may be others than before. */
  restart(): void {
    this.isStopped = false;
    this.failures = 0;
    this.waiting.dispose();
    this.wake();
  }

  /** Waits for a delivery that has begun, no longer than `milliseconds`. What is left then is sent by the next program. */
  async finish(milliseconds: number): Promise<void> {
    if (this.working !== undefined) await within(this.working, milliseconds);
    this.dispose();
    await this.working;
  }

  dispose(): void {
    this.waiting.dispose();
    this.stop.abort();
  }

  /** Delivers until there is nothing more, or the collector wants a pause. Never rejects. */
  private async work(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      const settings = this.parts.settings();
      if (settings === undefined || this.stop.signal.aborted) return;
      const delivery = await this.deliver(settings).catch(() => retryLater);
      if (this.stop.signal.aborted) return;
      if (delivery === "nothing") continue;
      if (delivery === "othersTurn") return this.waitFor(othersTurnSeconds);
      if (delivery.kind === "later") {
        this.failures += 1;
        return this.waitFor(delivery.afterSeconds);
      }
      this.failures = 0;
      if (delivery.kind === "stopped") {
        this.isStopped = true;
        this.isWanted = false;
        this.parts.report(delivery.problem);
        return;
      }
      if (delivery.note !== undefined) this.parts.report(delivery.note);
      this.isWanted = true;
    }
  }

  private waitFor(seconds: number): void {
    this.isWanted = false;
    this.waiting.after(seconds * 1000, () => this.wake());
  }

  /** Sends the oldest events, and removes them once the collector has both their spans and their log records. */
  private async deliver(settings: OtlpSettings): Promise<Delivery | "nothing" | "othersTurn"> {
    if (await this.outbox.isEmpty()) return "nothing";
    const until = Date.now() + 2 * settings.timeoutSeconds * 1000 + lockSlackMs;
    const lock = await takeLock(this.outbox.lockPath, until);
    if (lock.kind === "held") return "othersTurn";
    try {
      const { items, dropped } = await this.outbox.oldest();
      if (dropped > 0) {
        this.parts.report(
          l10nText(
            "The audit export waits for more than it keeps: {count} of the oldest entries were removed.",
            {
              count: dropped,
            },
          ),
        );
      }
      if (items.length === 0) return "nothing";
      const { version } = this.parts;
      const events = items.map(({ event }) => event);
      const { traces, logs } = otlpBodies(events, { version, resource: settings.resource }, sha256);
      const first = await this.send(settings.tracesUrl, traces, settings);
      if (first.kind !== "taken") return first;
      const second = await this.send(settings.logsUrl, logs, settings);
      if (second.kind !== "taken") return second;
      await Promise.all(items.map((item) => this.outbox.removeSent(item)));
      return first.note === undefined ? second : first;
    } finally {
      if (lock.kind === "taken") await lock.release();
    }
  }

  private async send(url: string, body: JsonObject, settings: OtlpSettings): Promise<Delivery> {
    const answer = await this.parts.post(url, body, settings, this.stop.signal);
    return deliveryAfter(answer, this.failures);
  }
}

function isRunning(event: AuditEvent): boolean {
  return event.kind === "invocation" && !isOver(event.record);
}

/** After an error of the disk. */
const retryLater: Delivery = { kind: "later", afterSeconds: 60 };
