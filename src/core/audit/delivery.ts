import { type LocalizableText, l10nText } from "../text/language";

/** How a collector answered: its HTTP status, and what it says about waiting and about what it did not take. */
export type CollectorAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly retryAfterSeconds?: number | undefined;
      /** How many spans or log records it rejected for good. */
      readonly rejected: number;
    }
  | { readonly kind: "failed" };

/** What becomes of events after an answer: the collector has them, they are sent again later, or it rejects them. */
export type Delivery =
  | { readonly kind: "taken"; readonly note?: LocalizableText }
  | { readonly kind: "later"; readonly afterSeconds: number }
  | { readonly kind: "rejected"; readonly status: number };

const firstPauseSeconds = 1;
/** A collector that is back is found within five minutes. */
export const longestPauseSeconds = 300;

/** What the protocol calls retryable: OTLP/HTTP, "Failures". */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Decides what an answer means after `failures` that came before it without a success between. */
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

/** What one delivery sends: some 200 KB. */
const maxBatch = 100;
/** So many entries, each rejected alone, and none taken: it is not about the entries. */
const enoughSuspects = 2;

/**
 * Chooses which entries go next, so that one that the collector rejects for ever does not keep back the others: a
 * rejected batch is halved until one entry is rejected alone. It is passed over, and tried again once the collector has
 * taken another one. Only then is it known that the entry is at fault, and not the collector.
 */
export class BatchChoice {
  #size = maxBatch;
  /** The entries that were rejected alone. */
  readonly #suspects = new Set<string>();
  /** Whether the suspects are tried again. */
  #isConfirming = false;
  #rejectedInRow = 0;
  /** Whether the collector took something since the last pause. */
  #hasTaken = false;

  /** How many entries go next. */
  get size(): number {
    return this.#isConfirming ? 1 : this.#size;
  }

  /** Returns whether an entry may be among them. */
  isNext(id: string): boolean {
    return this.#suspects.has(id) === this.#isConfirming;
  }

  /** Notes that the collector took entries. */
  take(ids: readonly string[]): void {
    for (const id of ids) this.#suspects.delete(id);
    this.#size = Math.min(maxBatch, this.#size * 2);
    this.#rejectedInRow = 0;
    this.#hasTaken = true;
    this.#isConfirming = this.#suspects.size > 0;
  }

  /** Notes that it rejected them, and returns what follows: the next batch, a pause, or that the one entry is set aside. */
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

  /** Notes that no entry is left that may be next, and returns what follows. */
  end(): "goOn" | "pause" | "done" {
    if (this.#suspects.size === 0) return "done";
    const mayConfirm = this.#hasTaken && !this.#isConfirming;
    // What was to be confirmed may have gone meanwhile.
    const next = mayConfirm || this.#isConfirming ? "goOn" : "pause";
    if (!mayConfirm) this.#suspects.clear();
    this.#isConfirming = mayConfirm;
    this.#hasTaken = false;
    return next;
  }
}
