import { type AuditEvent, writeAuditEvent } from "../../core/audit/auditEvent";
import { otlpSignals } from "../../core/audit/otlpSettings";
import { isOver } from "../../core/invocation/outcome";
import { l10nText } from "../../core/text/language";
import type { Store } from "../store/store";
import { type DeliveryParts, SignalDelivery } from "./signalDelivery";

/** Collects the invocations and refusals for the export. */
export interface AuditTrail {
  /** Records an event or its new state. Waits only for the disk, not for the collector. Never rejects. */
  readonly note: (event: AuditEvent) => Promise<void>;
}

/** The dependencies of the audit export. */
export interface AuditParts extends DeliveryParts {
  readonly store: Pick<Store, "noteEvent" | "takeEvents" | "endTurn">;
  /** Removes secrets from a JSON text. */
  readonly redact: (text: string) => string;
}

/**
 * Exports invocations and refusals with the OpenTelemetry Protocol. Each event stays in the store until the collector
 * has accepted it, even if this program, the collector or the connection fails.
 */
export class AuditExport implements AuditTrail {
  private readonly deliveries: readonly SignalDelivery[];
  private hasReportedDisk = false;
  /** The IDs of invocations that were recorded as running. */
  private readonly running = new Set<string>();

  constructor(private readonly parts: AuditParts) {
    this.deliveries = otlpSignals.map((signal) => new SignalDelivery(signal, parts));
  }

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

  /** Delivers what waits in the outbox. A signal that is paused waits for its next turn. */
  wake(): void {
    for (const delivery of this.deliveries) delivery.wake();
  }

  /** Ends all pauses and delivers, because settings may have changed. */
  restart(): void {
    for (const delivery of this.deliveries) delivery.restart();
  }

  /** Waits at most `milliseconds` for deliveries in progress, then stops. The next program delivers the rest. */
  async finish(milliseconds: number): Promise<void> {
    await Promise.all(this.deliveries.map((delivery) => delivery.finish(milliseconds)));
  }

  dispose(): void {
    for (const delivery of this.deliveries) delivery.dispose();
  }
}

function isRunning(event: AuditEvent): boolean {
  return event.kind === "invocation" && !isOver(event.record);
}
