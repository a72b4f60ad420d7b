import { setTimeout as delay } from "node:timers/promises";
import { exitCodes } from "../../../core/findings/report";
import { statusOf } from "../../../core/invocation/invocationStatus";
import { outcomeNotice } from "../../../core/invocation/outcomeNotice";
import {
  isLeft,
  isUncertain,
  lineEnd,
  lineFacts,
  mayExceed,
} from "../../../core/invocation/runJournal";
import { invocationPrice } from "../../../core/invocation/spending";
import type { SkillDetail } from "../../../core/skill/skill";
import { english } from "../../../core/text/language";
import { oneLine } from "../../../core/text/plainText";
import { CanceledError, CliError, type Terminal } from "../../command";
import type { OpenRegistry } from "../../openRegistry";
import type { JournalFile } from "./journalFile";
import { inputLines, type RunInputs } from "./runPlan";

/** What holds a run back; undefined for no limit. */
interface SendLimits {
  readonly perMinute: number | undefined;
  readonly maxCents: number | undefined;
}

/** After so many unknown outcomes in a row the run stops: the cause concerns all lines. */
const maxUnknownInARow = 3;
/** A registry that names no time counts over a minute. */
const usualHoldSeconds = 60;

/** Sends what is left, line by line. Resolves to why it stopped early; undefined where it did not. */
export async function sendLines(
  skill: SkillDetail,
  key: string,
  { client }: OpenRegistry,
  options: RunInputs & SendLimits,
  left: number,
  journal: JournalFile,
  terminal: Terminal,
): Promise<CliError | undefined> {
  const { slug, version } = skill.summary;
  const price = invocationPrice(skill);
  const before = journal.state();
  const progress = progressBar(left, terminal);
  const gapMs = options.perMinute === undefined ? 0 : 60_000 / options.perMinute;
  // What was sent is waited for: the second Ctrl+C ends the process.
  const never = new AbortController().signal;
  let [nextAt, unknownInARow, sent] = [0, 0, 0];
  for await (const { line, text, digest } of inputLines(options)) {
    if (!isLeft(line, before)) continue;
    for (let isDone = false; !isDone; ) {
      if (mayExceed(journal.state(), price, options.maxCents)) {
        return new CliError(
          "Stopped: the next invocation could pass the limit of --max-cents.",
          exitCodes.findings,
        );
      }
      if (!(await waitUntil(nextAt, terminal.signal))) {
        return new CanceledError("Canceled. Go on with --resume.");
      }
      nextAt = Math.max(nextAt, performance.now()) + gapMs;
      journal.note({ kind: "started", line, digest, at: Date.now() });
      const outcome = await client.invoke(
        { skillSlug: slug, version, inputText: text },
        key,
        never,
      );
      const end = lineEnd(outcome);
      const isNotRun = end !== "ended";
      const output =
        outcome.kind === "success" || outcome.kind === "skillError"
          ? outcome.outputText
          : undefined;
      journal.note({ kind: isNotRun ? "notRun" : "ended", line, ...lineFacts(outcome) }, output);
      if (end === "stop") {
        const message = outcomeNotice(slug, outcome, english)?.message ?? statusOf(outcome);
        const code = outcome.kind === "notSent" ? exitCodes.unknown : exitCodes.findings;
        return new CliError(`Stopped at line ${line}. ${oneLine(message, 500)}`, code);
      }
      if (end === "hold") {
        const seconds =
          (outcome.kind === "refused" && outcome.retryAfterSeconds) || usualHoldSeconds;
        terminal.err(`The rate limit is reached: waiting ${seconds} s.\n`);
        nextAt = performance.now() + seconds * 1000;
        continue;
      }
      isDone = true;
      sent += 1;
      progress(sent);
      unknownInARow = isUncertain(outcome) ? unknownInARow + 1 : 0;
    }
    if (unknownInARow >= maxUnknownInARow) {
      return new CliError(
        `Stopped at line ${line}: of the last ${unknownInARow} invocations it is not known whether they ran.`,
        exitCodes.unknown,
      );
    }
  }
  return undefined;
}

/** Resolves to false where the user ended it meanwhile. */
async function waitUntil(time: number, signal: AbortSignal): Promise<boolean> {
  const left = time - performance.now();
  if (left > 0) await delay(left, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

const barWidth = 24;

/** Draws a bar on a terminal, and nothing elsewhere. */
function progressBar(total: number, { err, isTerminal }: Terminal): (done: number) => void {
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
