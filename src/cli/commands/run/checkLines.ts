import { exitCodes, findingsOf } from "../../../core/findings/report";
import { lowerOf } from "../../../core/invocation/rateLimit";
import {
  type JournalState,
  noLines,
  placedDigest,
  withDigest,
} from "../../../core/invocation/run/runJournal";
import type { PayloadCheck } from "../../../core/payload/payloadCheck";
import { invocationPrice } from "../../../core/skill/price";
import type { SkillDetail } from "../../../core/skill/skill";
import { english } from "../../../core/text/language";
import { moneyText } from "../../../core/text/money";
import { oneLine } from "../../../core/text/plainText";
import type { SentPayload } from "../../../engine/passage";
import { sha256 } from "../../../engine/sha256";
import { findingText } from "../../output/writeReport";
import { CliError, type Terminal } from "../../terminal";
import { type InputLine, inputLines, isToSend, type RunInputs } from "./inputLines";

/** What a run is about to do: how many lines there are, and the digests of those that are left to send, in order. */
interface RunPlan {
  readonly lines: number;
  readonly left: readonly string[];
}

/** Lines that are checked at once, which takes less for each. */
const linesAtOnce = 64;

/** More problems than these are counted, not listed. */
const maxListed = 20;

/** Makes the payload of a line, as it is checked and sent; `found` hears of each check. */
export type PayloadOf = (line: InputLine, found?: (check: PayloadCheck) => void) => SentPayload;

/** How lines are checked. */
interface LineChecks {
  readonly payloadOf: PayloadOf;
  /** Undefined where a payload may be sent. */
  readonly objectionTo: (payload: SentPayload) => Promise<object | undefined>;
}

/** Checks every line that is left. Throws a `CliError` where one may not be sent, or lines were changed since. */
export async function checkLines(
  options: RunInputs & LineChecks,
  state: JournalState | undefined,
  { err, signal }: Terminal,
): Promise<RunPlan> {
  const { inputsName, payloadOf, objectionTo } = options;
  const left: string[] = [];
  let [lines, bad, listed, sent] = [0, 0, 0, noLines];
  let waiting: InputLine[] = [];
  const check = async (inputLine: InputLine) => {
    let problems: PayloadCheck["problems"] = [];
    const payload = payloadOf(inputLine, (found) => {
      problems = found.problems;
    });
    return { ...inputLine, stop: await objectionTo(payload), problems };
  };
  const checkWaiting = async () => {
    const checked = await Promise.all(waiting.map(check));
    waiting = [];
    signal.throwIfAborted();
    for (const { line, text, stop, problems } of checked) {
      if (stop === undefined) continue;
      bad += 1;
      for (const finding of findingsOf(problems, text, inputsName)) {
        if (listed >= maxListed) break;
        listed += 1;
        const start = { line: line - 1, character: finding.start?.character ?? 0 };
        err(findingText({ ...finding, start }));
      }
    }
  };
  for await (const inputLine of inputLines(options)) {
    const { line, digest } = inputLine;
    signal.throwIfAborted();
    lines += 1;
    if (state !== undefined && line <= state.lastLine && !state.notRun.has(line)) {
      sent = withDigest(sent, placedDigest(line, digest, sha256));
    }
    if (state !== undefined && !isToSend(line, options, state)) continue;
    left.push(digest);
    waiting.push(inputLine);
    if (waiting.length >= linesAtOnce) await checkWaiting();
  }
  await checkWaiting();
  if (state !== undefined && sent !== state.digest) {
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
  /** What the person allows in any minute. */
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
      ? `at most ${moneyText(price.cents * left, price.currency, english)}`
      : price.kind === "free"
        ? "free"
        : "at an unknown price";
  const sample =
    price.kind !== "free" && skill.summary.isSample === true
      ? " (sample price; the built-in registry bills nothing)"
      : "";
  const limit = maxCents === undefined ? "" : `, stopping at ${maxCents} cents`;
  const time = timeText(left, limits);
  const done = lines === left ? "" : ` of ${lines}`;
  const invocations = left === 1 && done === "" ? "invocation" : "invocations";
  return `${left}${done} ${invocations} of ${skill.summary.slug}@${oneLine(skill.summary.version)}, ${cost}${sample}${limit}${time}.\n`;
}

function timeText(left: number, { perMinute, rateLimit }: PlanLimits): string {
  const limit = lowerOf(perMinute, rateLimit);
  if (limit === undefined) return "";
  // The first minute takes as many at once as the limit allows.
  const minutes = Math.floor((left - 1) / limit);
  if (minutes < 1) return "";
  return limit === perMinute
    ? `, at least ${minutes} min at ${limit} per minute`
    : `, at least ${minutes} min at the project's limit of ${limit} per minute`;
}
