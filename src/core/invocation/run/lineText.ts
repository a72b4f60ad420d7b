import { abandonedFacts } from "../outcome";
import type { JournalState } from "./runJournal";

/** The first members of entries with a result. */
const kinds = ['{"kind":"ended",', '{"kind":"notRun",'];

/**
 * Writes the result of a line for users from its last journal entry: its number, status and facts, and its output as
 * the registry's own JSON text. Undefined for a line that was never sent.
 */
export function lineText(
  line: number,
  entry: string | undefined,
  state: Pick<JournalState, "open" | "unknown">,
): string | undefined {
  if (entry !== undefined) {
    const kind = kinds.find((start) => entry.startsWith(start));
    return kind === undefined ? entry : `{${entry.slice(kind.length)}`;
  }
  const isUnknown = state.open.has(line) || state.unknown.includes(line);
  return isUnknown ? JSON.stringify({ line, ...abandonedFacts }) : undefined;
}
