/** Summarizes numbers: count, sum, mean, median and 90th percentile, to three digits. */
export function summarizeFigures(figures: readonly number[]) {
  const sorted = [...figures].sort((a, b) => a - b);
  const sum = sorted.reduce((total, figure) => total + figure, 0);
  return {
    count: sorted.length,
    sum: round(sum),
    mean: round(sum / sorted.length),
    median: round(percentile(sorted, 0.5)),
    percentile90: round(percentile(sorted, 0.9)),
    lowest: round(sorted[0] ?? 0),
    highest: round(sorted.at(-1) ?? 0),
  };
}

// Linear between the two nearest ranks.
function percentile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return below + (above - below) * (place - Math.floor(place));
}

function round(number: number): number {
  return Math.round(number * 1000) / 1000;
}
