import { setTimeout as delay } from "node:timers/promises";
import { exitCodes, findingsOf } from "../../../core/findings/report";
import {
  type Invocation,
  type InvocationOutcome,
  statusOf,
} from "../../../core/invocation/invocation";
import { outcomeNotice } from "../../../core/invocation/outcomeNotice";
import type { Objection } from "../../../core/invocation/permission/agreement";
import {
  type Allowances,
  payloadGate,
} from "../../../core/invocation/permission/unattendedConsent";
import {
  afterLine,
  isInShard,
  isLeft,
  isUncertain,
  type JournalState,
  lineFacts,
  mayExceed,
  nextChain,
  type Shard,
} from "../../../core/invocation/runJournal";
import { invocationPrice } from "../../../core/skill/price";
import { inputSchemaOf, type SkillDetail } from "../../../core/skill/skill";
import { english } from "../../../core/text/language";
import { moneyText } from "../../../core/text/money";
import { oneLine } from "../../../core/text/plainText";
import { CliError, type PayloadChecker, type Terminal } from "../../command";
import { sha256 } from "../../openRegistry";
import {
  decode,
  fileReason,
  isSystemError,
  linesOf,
  NotTextError,
  readError,
} from "../../textFile";
import type { JournalFile } from "./journalFile";

/** What holds a run back; undefined for no limit. */
interface SendLimits {
  readonly perMinute: number | undefined;
  readonly maxCents: number | undefined;
}

/** How the lines of a run are sent, as long as there is no objection to the skill. */
interface LineSender {
  readonly skill: SkillDetail;
  readonly objection: Objection;
  readonly send: (invocation: Invocation) => Promise<InvocationOutcome>;
}

/** After this many unknown outcomes in a row the run stops: the cause affects all lines. */
const maxUnknownInARow = 3;
/** A registry that names no time counts over a minute. */
const usualHoldSeconds = 60;

/**
 * Sends the lines that were checked, which `digests` names in order. Resolves to why it stopped early; undefined where
 * it did not.
 */
export async function sendLines(
  { skill, objection, send }: LineSender,
  options: RunInputs & SendLimits,
  digests: readonly string[],
  journal: JournalFile,
  terminal: Terminal,
): Promise<CliError | undefined> {
  const { slug, version } = skill.summary;
  const price = invocationPrice(skill);
  const before = journal.state();
  const progress = progressBar(digests.length, terminal);
  const gapMs = options.perMinute === undefined ? 0 : 60_000 / options.perMinute;
  const changed = new CliError(
    `Stopped: ${options.inputsName} changed after its lines were checked. Continue with --resume.`,
  );
  let [nextAt, unknownInARow, sent] = [0, 0, 0];
  for await (const { line, text, digest } of inputLines(options)) {
    if (!isLeft(line, before)) continue;
    // Reading takes as long as sending: nothing leaves that was not checked, counted and agreed to.
    if (digest !== digests[sent]) return changed;
    for (let isDone = false; !isDone; ) {
      if (mayExceed(journal.state(), price, options.maxCents)) {
        return new CliError(
          "Stopped: the next invocation could exceed --max-cents.",
          exitCodes.findings,
        );
      }
      const invocation = { skillSlug: slug, version, inputText: text };
      await waitUntil(nextAt, terminal.signal);
      const why = terminal.signal.aborted ? undefined : await objection(invocation);
      if (terminal.signal.aborted) {
        return new CliError("Canceled. Continue with --resume.", exitCodes.unknown);
      }
      if (why !== undefined) {
        return new CliError(
          `Stopped before line ${line}. ${why}\nContinue with --resume.`,
          exitCodes.findings,
        );
      }
      nextAt = Math.max(nextAt, performance.now()) + gapMs;
      journal.note({ kind: "started", line, digest, at: Date.now() });
      const outcome = await send(invocation);
      const end = afterLine(outcome);
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
        terminal.err(`Rate limit reached. Waiting ${seconds} s.\n`);
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
        `Stopped at line ${line}: the outcome of the last ${unknownInARow} invocations is unknown. Check them in the project, then continue with --resume.`,
        exitCodes.unknown,
      );
    }
  }
  return sent < digests.length ? changed : undefined;
}

/** Resolves sooner where the user cancels. */
async function waitUntil(time: number, signal: AbortSignal): Promise<void> {
  const left = time - performance.now();
  if (left > 0) await delay(left, undefined, { signal }).catch(() => undefined);
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

/** The inputs of a run. */
export interface RunInputs {
  /** The path of the file. */
  readonly inputs: string;
  /** How it is named in messages. */
  readonly inputsName: string;
  /** Undefined for all lines. */
  readonly shard: Shard | undefined;
}

/** A line of the inputs, counted from 1 among all lines of the file. */
interface InputLine {
  readonly line: number;
  readonly text: string;
  readonly digest: string;
}

/** Reads the lines of the shard one by one; empty ones are none. */
async function* inputLines({ inputs, inputsName, shard }: RunInputs): AsyncGenerator<InputLine> {
  let line = 0;
  try {
    for await (const bytes of linesOf(inputs)) {
      line += 1;
      const text = decode(bytes);
      if (text.trim() === "") continue;
      const digest = sha256(text);
      if (shard === undefined || isInShard(digest, shard)) yield { line, text, digest };
    }
  } catch (error) {
    if (error instanceof NotTextError) {
      throw new CliError(`${inputsName}:${line} could not be read: ${fileReason(error)}.`);
    }
    throw isSystemError(error) ? readError(inputsName, error) : error;
  }
}

/** What a run is about to do: how many lines there are, and the digests of those that are left to send, in order. */
interface RunPlan {
  readonly lines: number;
  readonly left: readonly string[];
}

/** More problems than these are counted, not listed. */
const maxListed = 20;

/** Checks every line that is left. Throws a `CliError` where one may not be sent, or lines were changed since. */
export async function checkLines(
  skill: SkillDetail,
  key: string,
  options: RunInputs & { readonly allowed: Allowances },
  state: JournalState | undefined,
  checker: PayloadChecker,
  { err, signal }: Terminal,
): Promise<RunPlan> {
  const { inputsName, allowed } = options;
  const left: string[] = [];
  let [lines, bad, chain] = [0, 0, ""];
  for await (const { line, text, digest } of inputLines(options)) {
    signal.throwIfAborted();
    lines += 1;
    if (state !== undefined && line <= state.lastLine) {
      chain = nextChain(chain, digest, sha256);
    }
    if (state !== undefined && !isLeft(line, state)) continue;
    left.push(digest);
    const check = await checker.check(text, inputSchemaOf(skill), key);
    const stop = payloadGate(skill.summary.slug, check, allowed, english);
    if (stop === undefined) continue;
    bad += 1;
    if (bad > maxListed) continue;
    for (const { message, start, rule } of findingsOf(check.problems, text, inputsName)) {
      err(
        `${inputsName}:${line}:${(start?.character ?? 0) + 1}: ${oneLine(message, 300)} (${rule})\n`,
      );
    }
  }
  if (state !== undefined && chain !== state.chain) {
    throw new CliError(
      `Nothing was sent: lines of ${inputsName} changed since they were sent. Restore them; a new journal would send and bill all lines again.`,
    );
  }
  if (bad > 0) {
    const which = bad === 1 ? "1 line" : `${bad} lines`;
    throw new CliError(
      `Nothing was sent: ${which} of ${inputsName} cannot be sent.`,
      exitCodes.findings,
    );
  }
  return { lines, left };
}

/** What holds a run back, as far as it is known before the first line is sent. */
interface PlanLimits {
  /** What the person allows, spread evenly over a minute. */
  readonly perMinute?: number | undefined;
  /** What the project allows in any minute. */
  readonly rateLimit?: number | undefined;
  readonly maxCents?: number | undefined;
}

/** Describes how many invocations a run makes, what they cost at most, and how long they take at least. */
export function planText(skill: SkillDetail, plan: RunPlan, limits: PlanLimits): string {
  const { lines } = plan;
  const left = plan.left.length;
  const { maxCents } = limits;
  const price = invocationPrice(skill);
  const cost =
    price.kind === "amount"
      ? `at most ${moneyText(price.cents * left, price.currency || undefined, english)}`
      : price.kind === "free"
        ? "free"
        : "at an unknown price";
  const limit = maxCents === undefined ? "" : `, stopping at ${maxCents} cents`;
  const time = timeText(left, limits);
  const done = lines === left ? "" : ` of ${lines}`;
  const invocations = left === 1 && done === "" ? "invocation" : "invocations";
  return `${left}${done} ${invocations} of ${skill.summary.slug}@${oneLine(skill.summary.version)}, ${cost}${limit}${time}.\n`;
}

function timeText(left: number, { perMinute = 0, rateLimit = 0 }: PlanLimits): string {
  const spread = perMinute > 0 ? left / perMinute : 0;
  // The first minute takes as many at once as the limit allows.
  const limited = rateLimit > 0 ? Math.floor((left - 1) / rateLimit) : 0;
  if (Math.max(spread, limited) < 1) return "";
  return spread >= limited
    ? `, at least ${Math.ceil(spread)} min at ${perMinute} per minute`
    : `, at least ${limited} min at the project's limit of ${rateLimit} per minute`;
}
