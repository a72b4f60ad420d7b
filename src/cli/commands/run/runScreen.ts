import type { BatchOutputs } from "../../../batch/batchRun";
import { waitText } from "../../../core/invocation/rateLimit";
import { failureFindings, linesText } from "../../../core/invocation/run/lineFailures";
import { type OutcomeRow, outcomeRows } from "../../../core/invocation/run/outcomeRows";
import {
  type JournalState,
  type RunCounts,
  settledCounts,
} from "../../../core/invocation/run/runJournal";
import { english } from "../../../core/text/language";
import { moneyText } from "../../../core/text/money";
import type { StatusLine } from "../../output/statusLine";
import { type TableColumn, tableOf } from "../../output/table";
import { findingText } from "../../output/writeReport";
import type { Terminal } from "../../terminal";

const barWidth = 24;
/** Milliseconds between two drawings; faster changes cannot be read. */
const drawMs = 100;

/** Draws the progress of the run: speed, cost, remaining time, and the wait for the rate limit of `perMinute`. */
export function runScreen(
  total: number,
  { show, print, end }: StatusLine,
  journal: { readonly state: () => JournalState },
  perMinute = Number.POSITIVE_INFINITY,
): BatchOutputs["screen"] & { readonly close: () => void } {
  const startedAt = performance.now();
  const minMs = Math.floor(Math.max(0, total - 1) / perMinute) * 60_000;
  let [done, doneAt] = [0, startedAt];
  let drawnAt = Number.NEGATIVE_INFINITY;
  let next: NodeJS.Timeout | undefined;
  let waitsUntil = 0;
  let countdown: NodeJS.Timeout | undefined;
  const draw = () => {
    drawnAt = performance.now();
    const wait = Math.ceil((waitsUntil - drawnAt) / 1000);
    clearTimeout(countdown);
    countdown = wait > 0 ? setTimeout(draw, 1000) : undefined;
    const filled = Math.round((done / total) * barWidth);
    const bar = "#".repeat(filled).padEnd(barWidth, "-");
    const each = (doneAt - startedAt) / done;
    const restMs = Math.max(each * (total - done), minMs - (drawnAt - startedAt));
    const seconds = Math.ceil((done < total ? restMs : 0) / 1000);
    const rate =
      each > 1000 ? `${(60_000 / each).toFixed(0)}/min` : `${(1000 / each).toFixed(0)}/s`;
    const costs = amountTexts(settledCounts(journal.state()).cents);
    const pace = done === 0 ? [] : [rate, ...costs, `${seconds} s left`];
    const waiting = wait > 0 ? [`rate limit: ${waitText(wait, english)}`] : [];
    // A narrow terminal cuts off the end, so waits come before estimates.
    const facts = [`${done}/${total}`, ...waiting, ...pace];
    show(`[${bar}] ${facts.join(", ")}`);
  };
  const drawNoted = () => {
    if (next === undefined) return;
    clearTimeout(next);
    next = undefined;
    draw();
  };
  return {
    say: print,
    // Draw soon, since the next line may take a minute to end.
    done: (count: number) => {
      [done, doneAt] = [count, performance.now()];
      if (doneAt - drawnAt >= drawMs) draw();
      else next ??= setTimeout(drawNoted, drawMs);
    },
    // Draw only once if several lines end together.
    waits: (seconds: number) => {
      waitsUntil = Math.max(waitsUntil, performance.now() + seconds * 1000);
      draw();
    },
    /** Draws the last state if needed, and nothing afterwards. */
    close: () => {
      waitsUntil = 0;
      clearTimeout(countdown);
      drawNoted();
      end();
    },
  };
}

/** The state of a run at its end. */
interface RunSummary {
  readonly state: JournalState;
  /** Why the run stopped early; null if it did not. */
  readonly stopped: string | null;
  readonly isBuiltIn: boolean;
}

const columns: readonly TableColumn<OutcomeRow>[] = [
  { head: "Lines", of: ({ count }) => String(count), isNumber: true },
  { head: "Outcome", of: ({ outcome }) => outcome },
  {
    head: "Reason",
    of: ({ reason, outcome }) => reason || (outcome === "failed" ? "other" : ""),
    empty: "",
  },
  {
    head: "Which",
    of: ({ count, lines }) => (lines.length > 0 ? linesText(lines, count) : ""),
    empty: "",
  },
];

/** Writes how the lines of a run ended, by reason, and their cost. */
export function writeSummary(
  { state, stopped, isBuiltIn }: RunSummary,
  format: "text" | "json",
  { out, print, err, columns: width }: Pick<Terminal, "out" | "print" | "err" | "columns">,
  inputsName: string,
): void {
  const counts = settledCounts(state);
  const { failures } = state;
  if (format === "json") {
    out(`${JSON.stringify({ ...counts, failures, stopped })}\n`);
  } else {
    const rows = outcomeRows(state);
    if (rows.some(({ outcome }) => outcome !== "succeeded")) {
      const table = tableOf(rows, columns, width === undefined ? {} : { width });
      out(table.replace(/ +$/gm, ""));
    }
    print(summaryText(counts, isBuiltIn));
  }
  for (const finding of failureFindings(failures, inputsName)) err(findingText(finding));
}

function summaryText(counts: RunCounts, isBuiltIn: boolean): string {
  const { success, failed, unknown, unpriced } = counts;
  const sumText = (title: string, amounts: readonly string[]) =>
    amounts.length === 0 ? "" : ` ${title}: ${amounts.join(", ")}.`;
  const billed = sumText(
    isBuiltIn ? "Sample cost, not billed" : "Billed",
    amountTexts(counts.cents),
  );
  const expected = sumText(
    "Expected cost of invocations without a named amount",
    amountTexts(counts.expected),
  );
  const rest = unpriced === 0 ? "" : ` The cost of ${unpriced} is not known.`;
  return `${success} succeeded, ${failed} failed, ${unknown} with unknown outcome.${billed}${expected}${rest}\n`;
}

/** Formats the sums of a run, one text per currency. */
function amountTexts(sums: RunCounts["cents"]): readonly string[] {
  return Object.entries(sums).map(([currency, amount]) => moneyText(amount, currency, english));
}
