import type { SkillRun } from "../skillRun";

interface Input {
  readonly title: string;
  readonly figures: readonly number[];
  readonly unit?: string;
}

const reportMilliseconds = 10_000;

/** Summarizes figures slowly. */
export const run: SkillRun<Input> = async ({ title, figures, unit = "" }, { signal, wait }) => {
  await wait(reportMilliseconds, signal);
  const sorted = [...figures].sort((a, b) => a - b);
  const sum = sorted.reduce((total, figure) => total + figure, 0);
  const summary = {
    count: sorted.length,
    sum: round(sum),
    mean: round(sum / sorted.length),
    median: percentile(sorted, 0.5),
    percentile90: percentile(sorted, 0.9),
    lowest: round(sorted[0] ?? 0),
    highest: round(sorted.at(-1) ?? 0),
  };
  const show = (figure: number) => `${figure}${unit === "" ? "" : ` ${unit}`}`;
  const counted = summary.count === 1 ? "1 figure" : `${summary.count} figures`;
  const text = `${title}: ${counted}, half of them ${show(summary.median)} or less, nine in ten ${show(summary.percentile90)} or less.`;
  return { title, summary, text };
};

// Interpolate linearly between the two nearest ranks.
function percentile(sorted: readonly number[], share: number): number {
  const rank = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0];
  return round(below + (above - below) * (rank - Math.floor(rank)));
}

function round(number: number): number {
  return Math.round(number * 1000) / 1000;
}
