import type { InvocationRecord } from "./invocationRecord";

/** Says in one line how a call ended, with its invocation ID: for the status bar. */
export function endWords(record: InvocationRecord): string {
  const id = record.invocationId === undefined ? "" : ` · ${record.invocationId}`;
  const end = record.acceptedNotRun ? "accepted, not run" : record.status;
  return `${record.skillSlug}: ${end}, ${Math.round(record.durationMs)} ms${id}`;
}
