import type { Language } from "../text/language";
import type { InvocationRecord } from "./invocationRecord";
import { endingWords } from "./statusWords";

/** Says in one line how a call ended, with its invocation ID: for the status bar. */
export function endWords(record: InvocationRecord, language: Language): string {
  const id = record.invocationId === undefined ? "" : ` · ${record.invocationId}`;
  const ending = endingWords(record, language);
  return `${record.skillSlug}: ${ending}, ${Math.round(record.durationMs)} ms${id}`;
}
