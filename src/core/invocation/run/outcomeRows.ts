import type { JournalState } from "./runJournal";
import { settledCounts, unknownLines } from "./runJournal";

/** Lines of a run with the same status and reason. */
export interface OutcomeRow {
  readonly count: number;
  readonly outcome: "succeeded" | "failed" | "unknown";
  /**
   * For failed lines, the code of the registry or the skill, else their status. Empty for other lines, and for failed
   * ones beyond the maximum number of reasons.
   */
  readonly reason: string;
  /** The first of these lines in order; empty for successful ones. */
  readonly lines: readonly number[];
}

/** Lists how the lines of a run ended and why: successful ones, failed ones (the most frequent first), unknown ones. */
export function outcomeRows(state: JournalState): readonly OutcomeRow[] {
  const { success, unknown } = settledCounts(state);
  const failed = state.failures
    .toSorted((one, other) => other.count - one.count)
    .map(({ code, count, lines }): OutcomeRow => {
      return { count, outcome: "failed", reason: code, lines };
    });
  const rows: readonly OutcomeRow[] = [
    { count: success, outcome: "succeeded", reason: "", lines: [] },
    ...failed,
    { count: unknown, outcome: "unknown", reason: "", lines: unknownLines(state) },
  ];
  return rows.filter(({ count }) => count > 0);
}
