import { setTimeout as delay } from "node:timers/promises";
import { exitCodes } from "../../../core/findings/report";
import { type InvocationOutcome, statusOf } from "../../../core/invocation/invocation";
import { outcomeNotice } from "../../../core/invocation/outcomeNotice";
import {
  afterLine,
  isUncertain,
  type JournalEntry,
  lineFacts,
  mayExceed,
} from "../../../core/invocation/runJournal";
import { invocationPrice } from "../../../core/skill/price";
import type { SkillDetail } from "../../../core/skill/skill";
import { english } from "../../../core/text/language";
import { oneLine } from "../../../core/text/plainText";
import type { Asker } from "../../../engine/asker";
import type { Series } from "../../../engine/invoke";
import { type Allowances, askerByOptions, stopError } from "../../cliEngine";
import { CliError, type StatusLine, statusLine, type Terminal } from "../../command";
import type { PayloadOf } from "./checkLines";
import { type InputLine, inputLines, isToSend, type RunInputs } from "./inputLines";
import type { JournalFile } from "./journalFile";
import { type LinePace, linePace } from "./linePace";

/** What holds a run back; undefined for no limit. */
interface SendLimits {
  /** Invocations in any minute. */
  readonly perMinute: number | undefined;
  readonly maxCents: number | undefined;
  /** How long one line may wait for the registry's rate limit, in seconds. */
  readonly maxWait: number;
}

/** How the lines of a run are sent. */
interface LineSender {
  readonly skill: SkillDetail;
  readonly series: Series;
  readonly sending: LineAsker;
  readonly payloadOf: PayloadOf;
}

/** Answers for a run, and tells when the record of a line was begun. */
interface LineAsker {
  readonly asker: Asker;
  /** What is done right before the line leaves. */
  onStart: () => void;
}

/** Answers by options; waits for the rate limit of this machine as long as a line may wait. */
export function lineAsker(
  { allowed, maxWait }: { readonly allowed: Allowances; readonly maxWait: number },
  terminal: Terminal,
): LineAsker {
  const asker = askerByOptions(
    allowed,
    terminal,
    {
      inProgress: () => "later",
      rateLimit: ({ seconds }) => (seconds > maxWait ? "no" : "later"),
    },
    { started: () => one.onStart() },
  );
  const one: LineAsker = { asker, onStart: () => undefined };
  return one;
}

/** After this many unknown outcomes in a row the run stops: the cause affects all lines. */
const maxUnknownInARow = 3;

/**
 * Sends the lines that were checked, which `digests` names in order. Resolves to why it stopped early; undefined where
 * it did not.
 */
export async function sendLines(
  sender: LineSender,
  options: RunInputs & SendLimits,
  digests: readonly string[],
  journal: JournalFile,
  terminal: Terminal,
): Promise<CliError | undefined> {
  const before = journal.state();
  const status = statusLine(terminal);
  const progress = progressBar(digests.length, status);
  const pace = linePace(options.perMinute, () => performance.now());
  const sendOne = lineSender(sender, options, journal, pace, status, terminal);
  const changed = new CliError(
    `Stopped: ${options.inputsName} changed after its lines were checked. Continue with --resume.`,
  );
  let [unknownInARow, sent] = [0, 0];
  try {
    for await (const line of inputLines(options)) {
      if (!isToSend(line.line, options, before)) continue;
      // Reading takes as long as sending: nothing leaves that was not checked, counted and agreed to.
      if (line.digest !== digests[sent]) return changed;
      const outcome = await sendOne(line);
      if (outcome instanceof CliError) return outcome;
      sent += 1;
      progress(sent);
      unknownInARow = isUncertain(outcome) ? unknownInARow + 1 : 0;
      if (unknownInARow >= maxUnknownInARow) {
        return new CliError(
          `Stopped at line ${line.line}: the outcome of the last ${unknownInARow} invocations is unknown. Check them in the project, then continue with --resume.`,
          exitCodes.unknown,
        );
      }
    }
  } finally {
    status.end();
  }
  return sent < digests.length ? changed : undefined;
}

/**
 * Makes what sends one line until it is no longer refused by the rate limit, and notes it. Resolves to its outcome, or
 * to why the run stops there.
 */
function lineSender(
  { skill, series, sending, payloadOf }: LineSender,
  { again, maxCents, maxWait }: RunInputs & SendLimits,
  journal: JournalFile,
  pace: LinePace,
  status: StatusLine,
  { finish, signal }: Terminal,
): (line: InputLine) => Promise<InvocationOutcome | CliError> {
  const { slug } = skill.summary;
  const canceled = new CliError("Canceled. Continue with --resume.", exitCodes.unknown);
  const price = invocationPrice(skill);
  const listed = price.kind === "amount" ? { cents: price.cents } : {};
  const start = ({ line, digest }: InputLine): JournalEntry =>
    again.has(line)
      ? { kind: "again", line, at: Date.now(), ...listed }
      : { kind: "started", line, digest, at: Date.now(), ...listed };
  return async (inputLine) => {
    const { line } = inputLine;
    let waitedMs = 0;
    for (let refusals = 1; ; refusals += 1) {
      if (mayExceed(journal.state(), price, maxCents)) {
        return new CliError(
          "Stopped: the next invocation could exceed --max-cents.",
          exitCodes.findings,
        );
      }
      await passWindow(pace, signal);
      if (signal.aborted) return canceled;
      let isSent = false;
      sending.onStart = () => {
        journal.note(start(inputLine));
        isSent = true;
      };
      const told = () => {
        if (isSent) status.say(waitingText(line));
      };
      signal.addEventListener("abort", told, { once: true });
      const ending = await finish(series.invoke(payloadOf(inputLine), signal));
      signal.removeEventListener("abort", told);
      if (ending.kind === "stopped") {
        if (ending.stop.kind === "canceled") return canceled;
        const { message } = stopError(slug, ending.stop);
        return new CliError(
          `Stopped before line ${line}. ${message}\nContinue with --resume.`,
          exitCodes.findings,
        );
      }
      const { outcome } = ending;
      pace.answered();
      const end = afterLine(outcome);
      const output =
        outcome.kind === "success" || outcome.kind === "skillError"
          ? outcome.outputText
          : undefined;
      const kind = end === "ended" ? "ended" : "notRun";
      journal.note({ kind, line, ...lineFacts(outcome) }, output);
      if (end === "ended") return outcome;
      if (end === "stop" || outcome.kind !== "refused") {
        const message = outcomeNotice(slug, outcome, english)?.message ?? statusOf(outcome);
        const code = outcome.kind === "notSent" ? exitCodes.unknown : exitCodes.findings;
        return new CliError(`Stopped at line ${line}. ${oneLine(message, 500)}`, code);
      }
      const { retryAfterSeconds: seconds, policy } = outcome;
      pace.refused(refusals, { seconds, limit: policy?.rateLimit?.limit });
      const waitMs = pace.waitMs();
      waitedMs += waitMs;
      if (waitedMs > maxWait * 1000) {
        return new CliError(
          `Stopped at line ${line}: the rate limit requires a wait of ${Math.ceil(waitedMs / 1000)} s, more than --max-wait ${maxWait}. Continue later with --resume.`,
          exitCodes.findings,
        );
      }
      status.say(`Rate limit reached. Waiting ${Math.round(waitMs / 1000)} s.`);
    }
  };
}

/** Waits until a line may be sent; ends sooner where the user cancels. */
async function passWindow(pace: LinePace, signal: AbortSignal): Promise<void> {
  for (let left = pace.waitMs(); left > 0 && !signal.aborted; left = pace.waitMs()) {
    await delay(left, undefined, { signal }).catch(() => undefined);
  }
}

/** What was sent is waited for, and a user who cancels meanwhile is told. */
function waitingText(line: number): string {
  return `Waiting for the answer to line ${line}. Press Ctrl+C again to end now; its outcome is then unknown.`;
}

const barWidth = 24;

/** Draws a bar into the line. */
function progressBar(total: number, { show }: StatusLine): (done: number) => void {
  const startedAt = performance.now();
  let drawnAt = 0;
  return (done) => {
    const now = performance.now();
    if (done < total && now - drawnAt < 100) return;
    drawnAt = now;
    const filled = Math.round((done / total) * barWidth);
    const seconds = Math.ceil((((now - startedAt) / done) * (total - done)) / 1000);
    const bar = "#".repeat(filled).padEnd(barWidth, "-");
    show(`[${bar}] ${done}/${total}, ${seconds} s left`);
  };
}
