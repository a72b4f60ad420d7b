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

/** What becomes of events after an answer: the collector has them, they are sent again later, or only once asked for. */
export type Delivery =
  | { readonly kind: "taken"; readonly note?: LocalizableText }
  | { readonly kind: "later"; readonly afterSeconds: number }
  | { readonly kind: "stopped"; readonly problem: LocalizableText };

const firstPauseSeconds = 1;
/** A collector that is back is found within five minutes. */
const longestPauseSeconds = 300;

/** Decides what an answer means after `failures` that came before it without a success between. */
export function deliveryAfter(answer: CollectorAnswer, failures: number): Delivery {
  const pause = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(failures, 20));
  if (answer.kind === "failed") return { kind: "later", afterSeconds: pause };
  const { status, retryAfterSeconds = 0, rejected } = answer;
  if (status >= 200 && status < 300) {
    if (rejected === 0) return { kind: "taken" };
    return {
      kind: "taken",
      note: l10nText("The collector rejected {count} audit entries.", { count: rejected }),
    };
  }
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: "later", afterSeconds: Math.max(pause, retryAfterSeconds) };
  }
  const problem = l10nText(
    "The collector does not accept the audit export: HTTP {status}. What it lacks is kept and sent with the next start.",
    { status: String(status) },
  );
  return { kind: "stopped", problem };
}
