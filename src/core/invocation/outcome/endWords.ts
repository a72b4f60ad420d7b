import { moneyWords } from "../../skill/description/priceWords";
import type { Language } from "../../text/language";
import type { InvocationRecord } from "../record/invocationRecord";
import { endingWords } from "./statusWords";

/** Says in one line how a call ended, with what it cost and its invocation ID: for the status bar. */
export function endWords(record: InvocationRecord, language: Language): string {
  const { skillSlug, durationMs, amountCents = 0, currency, invocationId } = record;
  const ending = `${skillSlug}: ${endingWords(record, language)}, ${Math.round(durationMs)} ms`;
  const cost = amountCents > 0 ? [moneyWords(amountCents, currency, language)] : [];
  return [ending, ...cost, ...(invocationId === undefined ? [] : [invocationId])].join(" · ");
}
