import { linesText } from "../../../core/invocation/run/lineFailures";
import { personAt } from "../../engine/person";
import { type Terminal, UsageError } from "../../terminal";

/**
 * Chooses which lines with an `unknown` outcome are sent again: those of `--resend`, else those that a person chooses,
 * else none.
 */
export async function chooseLines(
  unknown: readonly number[],
  resend: string | undefined,
  terminal: Terminal,
): Promise<ReadonlySet<number>> {
  if (resend !== undefined) {
    const chosen = readLines(resend, unknown);
    if (typeof chosen === "string") throw new UsageError(`--resend: ${chosen}`);
    return chosen;
  }
  const { err, signal } = terminal;
  const readLine = personAt(terminal);
  if (unknown.length === 0 || readLine === undefined) return new Set();
  err(`The outcome of ${linesText(unknown)} is unknown: it may have run and may be billed.\n`);
  for (;;) {
    err("Send again (line numbers such as 3,17, all, or none): ");
    const answer = (await readLine(signal)).trim();
    signal.throwIfAborted();
    const chosen = readLines(answer === "" ? "none" : answer, unknown);
    if (typeof chosen !== "string") return chosen;
    err(`${chosen}\n`);
  }
}

/** Parses `all`, `none` or line numbers. Returns an error text for anything else. */
function readLines(text: string, unknown: readonly number[]): ReadonlySet<number> | string {
  if (text === "all") return new Set(unknown);
  if (text === "none") return new Set();
  if (!/^\d{1,15}(\s*,\s*\d{1,15})*$/.test(text)) {
    return "Expected line numbers such as 3,17, or all, or none.";
  }
  const lines = text.split(",").map(Number);
  const known = lines.filter((line) => !unknown.includes(line));
  return known.length === 0 ? new Set(lines) : `The outcome of ${linesText(known)} is not unknown.`;
}
