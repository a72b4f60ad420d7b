import type { Terminal } from "./command";

const barWidth = 24;

/** Draws a bar on a terminal, and nothing elsewhere. */
export function progressBar(total: number, { err, isTerminal }: Terminal): (done: number) => void {
  if (!isTerminal) return () => undefined;
  const startedAt = performance.now();
  let drawnAt = 0;
  return (done) => {
    const now = performance.now();
    if (done < total && now - drawnAt < 100) return;
    drawnAt = now;
    const filled = Math.round((done / total) * barWidth);
    const seconds = Math.ceil((((now - startedAt) / done) * (total - done)) / 1000);
    const bar = "#".repeat(filled).padEnd(barWidth, "-");
    err(`\r[${bar}] ${done}/${total}, ${seconds} s left   ${done === total ? "\n" : ""}`);
  };
}
