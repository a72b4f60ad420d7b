import { type LocalizableText, l10nText } from "../text/language";

/** A collector's answer: its HTTP status, the wait it asks for, and the number of rejected entries. */
export type CollectorAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly retryAfterSeconds?: number | undefined;
      /** How many spans or log records it rejected for good. */
      readonly rejected: number;
    }
  | { readonly kind: "failed" };

/** The decision after an answer: delivered, to be sent again, or rejected. */
export type Delivery =
  | { readonly kind: "taken"; readonly note?: LocalizableText }
  | { readonly kind: "later"; readonly afterSeconds: number }
  | { readonly kind: "rejected"; readonly status: number };

const firstPauseSeconds = 1;
/** Upper limit of a pause, so that a collector that is back is found within five minutes. */
export const longestPauseSeconds = 300;

/** The statuses that the protocol calls retryable: OTLP/HTTP, "Failures". */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Decides what an answer means after `failures` consecutive failures. */
export function deliveryAfter(answer: CollectorAnswer, failures: number): Delivery {
  const pause = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(failures, 20));
  if (answer.kind === "failed") return { kind: "later", afterSeconds: pause };
  const { status, retryAfterSeconds = 0, rejected } = answer;
  if (status >= 200 && status < 300) {
    if (rejected === 0) return { kind: "taken" };
    return {
      kind: "taken",
      note: l10nText("Audit entries that the collector rejected: {count}.", { count: rejected }),
    };
  }
  if (retryable.has(status)) {
    return { kind: "later", afterSeconds: Math.max(pause, retryAfterSeconds) };
  }
  return { kind: "rejected", status };
}

/** The entries of one delivery: some 200 KB. */
const maxBatch = 100;
/** After this many entries that were rejected alone, without a success, the collector is at fault. */
const enoughSuspects = 2;

/**
 * Chooses the next entries, so that one that the collector always rejects does not block the others. A rejected batch
 * is halved until one entry is rejected alone. That entry is skipped, and tried again once the collector accepted
 * another one: only then is the entry at fault, not the collector.
 */
export class BatchChoice {
  #size = maxBatch;
  /** The entries that were rejected alone. */
  readonly #suspects = new Set<string>();
  /** Whether the skipped entries are being tried again. */
  #isConfirming = false;
  #rejectedInRow = 0;
  /** Whether the collector accepted anything since the last pause. */
  #hasTaken = false;

  /** The number of entries to send next. */
  get size(): number {
    return this.#isConfirming ? 1 : this.#size;
  }

  /** Which entries they are among: only those that were rejected alone, or all but those. */
  get among(): { readonly ids: readonly string[]; readonly areExcluded: boolean } {
    return { ids: [...this.#suspects], areExcluded: !this.#isConfirming };
  }

  /** Records that the collector accepted entries. */
  take(ids: readonly string[]): void {
    for (const id of ids) this.#suspects.delete(id);
    this.#size = Math.min(maxBatch, this.#size * 2);
    this.#rejectedInRow = 0;
    this.#hasTaken = true;
    this.#isConfirming = this.#suspects.size > 0;
  }

  /**
   * Records that it rejected entries, and returns the next step: another batch, a pause, or to set the one entry aside.
   */
  reject(ids: readonly string[]): "goOn" | "pause" | "setAside" {
    const [id, ...others] = ids;
    if (id === undefined || others.length > 0) {
      this.#size = Math.ceil(ids.length / 2);
      return "goOn";
    }
    if (this.#isConfirming) {
      this.#suspects.delete(id);
      this.#isConfirming = this.#suspects.size > 0;
      return "setAside";
    }
    this.#suspects.add(id);
    this.#rejectedInRow += 1;
    if (this.#rejectedInRow % enoughSuspects > 0) return "goOn";
    this.#hasTaken = false;
    return "pause";
  }

  /** Records that no entry is left to send, and returns the next step. */
  end(): "goOn" | "pause" | "done" {
    if (this.#suspects.size === 0) return "done";
    const mayConfirm = this.#hasTaken && !this.#isConfirming;
    // The skipped entries may be gone meanwhile.
    const next = mayConfirm || this.#isConfirming ? "goOn" : "pause";
    if (!mayConfirm) this.#suspects.clear();
    this.#isConfirming = mayConfirm;
    this.#hasTaken = false;
    return next;
  }
}
