import { waitText } from "../../../core/invocation/rateLimit";
import { type RunCounts, settledCounts } from "../../../core/invocation/run/runJournal";
import { english } from "../../../core/text/language";
import { moneyText } from "../../../core/text/money";
import type { StatusLine } from "../../output/statusLine";
import type { JournalFile } from "./journalFile";

const barWidth = 24;
/** Nobody reads a line that changes more often. */
const drawMs = 100;

/**
 * Draws how far the run is into the line: how fast it goes, what it has cost, how long it takes, and how long it waits
 * for the rate limit, which lets at most `perMinute` leave in any minute.
 */
export function progressBar(
  total: number,
  { show }: Pick<StatusLine, "show">,
  journal: Pick<JournalFile, "state">,
  perMinute = Number.POSITIVE_INFINITY,
) {
  const startedAt = performance.now();
  const leastMs = Math.floor(Math.max(0, total - 1) / perMinute) * 60_000;
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
    const restMs = Math.max(each * (total - done), leastMs - (drawnAt - startedAt));
    const seconds = Math.ceil((done < total ? restMs : 0) / 1000);
    const rate =
      each > 1000 ? `${(60_000 / each).toFixed(0)}/min` : `${(1000 / each).toFixed(0)}/s`;
    const costs = amountTexts(settledCounts(journal.state()).cents);
    const pace = done === 0 ? [] : [rate, ...costs, `${seconds} s left`];
    const waiting = wait > 0 ? [`rate limit: ${waitText(wait, english)}`] : [];
    // A narrow terminal cuts the end: what is awaited comes before what is estimated.
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
    /** Draws so many lines as done, at once or soon: the next one may end a minute later. */
    note: (count: number) => {
      [done, doneAt] = [count, performance.now()];
      if (doneAt - drawnAt >= drawMs) draw();
      else next ??= setTimeout(drawNoted, drawMs);
    },
    /** Counts down a wait for the rate limit; of several that end soon after each other, the last. */
    wait: (seconds: number) => {
      waitsUntil = Math.max(waitsUntil, performance.now() + seconds * 1000);
      draw();
    },
    /** Draws what was noted and not drawn yet, and nothing after it. */
    close: () => {
      waitsUntil = 0;
      clearTimeout(countdown);
      drawNoted();
    },
  };
}

/** Writes sums of a run, a text for each currency. */
export function amountTexts(sums: RunCounts["cents"]): readonly string[] {
  return Object.entries(sums).map(([currency, amount]) => moneyText(amount, currency, english));
}
