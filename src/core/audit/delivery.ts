import { isSuccessStatus } from "../registry/httpStatus";

/** A collector's response: its HTTP status, the pause that it requests, and the number of rejected entries. */
export type CollectorAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly retryAfterSeconds?: number | undefined;
      /** The number of spans or log records that the collector rejected permanently. */
      readonly rejected: number;
    }
  | { readonly kind: "failed" };

/**
 * The result of a delivery. `taken`: the collector accepted the entries. `partly`: it rejected some of them, does not say
 * which, and must not get them again (OTLP, "Partial Success"). `later`: send them again. `rejected`: the collector
 * rejected the request.
 */
export type Delivery =
  | { readonly kind: "taken" }
  | { readonly kind: "partly"; readonly rejected: number }
  | { readonly kind: "later"; readonly afterSeconds: number }
  | { readonly kind: "rejected"; readonly status: number };

const firstPauseSeconds = 1;
/** The maximum pause, so that delivery continues at most five minutes after a collector has recovered. */
export const longestPauseSeconds = 300;

/** The statuses that the protocol calls retryable: OTLP/HTTP, "Failures". */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Decides by the response and the number of consecutive failures how delivery continues. */
export function deliveryAfter(answer: CollectorAnswer, failures: number): Delivery {
  const pause = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(failures, 20));
  if (answer.kind === "failed") return { kind: "later", afterSeconds: pause };
  const { status, retryAfterSeconds = 0, rejected } = answer;
  if (isSuccessStatus(status)) {
    return rejected === 0 ? { kind: "taken" } : { kind: "partly", rejected };
  }
  if (retryable.has(status)) {
    return { kind: "later", afterSeconds: Math.max(pause, retryAfterSeconds) };
  }
  return { kind: "rejected", status };
}

/** The maximum number of entries in a delivery. */
const maxBatch = 100;
/** After this many individual rejections without a success, the collector is at fault and not the entries. */
const enoughSuspects = 2;

/**
 * Chooses the entries of the next delivery, so that an entry that is always rejected does not block the others. Halves
 * a rejected batch until a single entry is rejected. Skips that entry, and tries it again after the collector accepted
 * another one. Only a second rejection proves that the entry is at fault.
 */
export class BatchChoice {
  #size = maxBatch;
  /** The entries that were rejected individually. */
  readonly #suspects = new Set<string>();
  /** Whether the skipped entries are sent again now. */
  #isConfirming = false;
  #rejectedInRow = 0;
  /** Whether the collector accepted anything since the last pause. */
  #hasTaken = false;

  /** The number of entries to send next. */
  get size(): number {
    return this.#isConfirming ? 1 : this.#size;
  }

  /** Returns the candidates for the next delivery: only the skipped entries, or all others. */
  get candidates(): { readonly ids: readonly string[]; readonly areExcluded: boolean } {
    return { ids: [...this.#suspects], areExcluded: !this.#isConfirming };
  }

  /** Records accepted entries. */
  take(ids: readonly string[]): void {
    for (const id of ids) this.#suspects.delete(id);
    this.#size = Math.min(maxBatch, this.#size * 2);
    this.#rejectedInRow = 0;
    this.#hasTaken = true;
    this.#isConfirming = this.#suspects.size > 0;
  }

  /** Records rejected entries. Returns the next step: continue, pause, or set the single entry aside. */
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

  /** Records that no candidates remain. Returns the next step. */
  end(): "goOn" | "pause" | "done" {
    if (this.#suspects.size === 0) return "done";
    const mayConfirm = this.#hasTaken && !this.#isConfirming;
    // Other programs may have removed the skipped entries meanwhile.
    const next = mayConfirm || this.#isConfirming ? "goOn" : "pause";
    if (!mayConfirm) this.#suspects.clear();
    this.#isConfirming = mayConfirm;
    this.#hasTaken = false;
    return next;
  }
}
