import { createHash } from "node:crypto";
import { untoldDoubts } from "../core/environment/placeholderDoubts";
import { CommandError } from "../core/findings/commandError";
import { exitCodes, type Finding, findingsOf } from "../core/findings/report";
import { lowestLimit } from "../core/invocation/rateLimit";
import {
  type JournalState,
  noLines,
  numberedDigest,
  withDigest,
} from "../core/invocation/run/runJournal";
import type { PayloadProblem } from "../core/payload/payloadCheck";
import { invocationPrice } from "../core/skill/price";
import type { SkillDetail } from "../core/skill/skill";
import { english } from "../core/text/language";
import { moneyText } from "../core/text/money";
import { oneLine } from "../core/text/plainText";
import { sha256 } from "../engine/sha256";
import { inputLines, isToSend, type RunInputs, shortDigest } from "./inputLines";
import type { InputLine } from "./lineDispatcher";

/** The plan of a run: the number of lines, and the short digests of the lines to send, in order. */
interface RunPlan {
  readonly lines: number;
  /** SHA-256 of the inputs, with the lines of all shards, in hex. */
  readonly inputs: string;
  readonly toSend: readonly number[];
}

/**
 * The maximum number of lines, and of their characters, that are checked together. Checking several together takes less
 * time per line.
 */
const [linesAtOnce, charactersAtOnce] = [64, 8_000_000];

/** The maximum number of listed problems. The rest are counted. */
const maxListed = 20;

/** The callbacks that check lines. */
interface LineChecks {
  /** Checks a line exactly as it will be sent. `maySend` is false if it must not be sent. */
  readonly check: (
    line: InputLine,
  ) => Promise<{ readonly maySend: boolean; readonly problems: readonly PayloadProblem[] }>;
  /** Called with each problem of a line that must not be sent, and once with each word that is sent as text. */
  readonly found: (finding: Finding) => void;
}

/**
 * Checks all lines that will be sent. Throws a `CommandError` if a line must not be sent, or if lines have changed
 * since they were sent.
 */
export async function checkLines(
  options: RunInputs,
  { check, found }: LineChecks,
  state: JournalState | undefined,
  signal: AbortSignal,
): Promise<RunPlan> {
  const { inputsName } = options;
  const toSend: number[] = [];
  let [lines, bad, count, sent] = [0, 0, 0, noLines];
  const told = new Set<string>();
  const whole = createHash("sha256");
  let [waiting, characters]: [InputLine[], number] = [[], 0];
  const checkWaiting = async () => {
    const checked = await Promise.all(
      waiting.map(async (line) => ({ ...line, ...(await check(line)) })),
    );
    [waiting, characters] = [[], 0];
    signal.throwIfAborted();
    for (const { line, text, maySend, problems } of checked) {
      if (!maySend) bad += 1;
      const listed = maySend ? untoldDoubts({ problems }, told) : problems;
      for (const finding of findingsOf(listed, text, inputsName)) {
        if (count >= maxListed) break;
        count += 1;
        found({ ...finding, start: { line: line - 1, character: finding.start?.character ?? 0 } });
      }
    }
  };
  for await (const inputLine of inputLines(options, (bytes) => whole.update(bytes).update("\n"))) {
    const { line, digest } = inputLine;
    signal.throwIfAborted();
    lines += 1;
    if (state !== undefined && line <= state.lastLine && !state.notRun.has(line)) {
      sent = withDigest(sent, numberedDigest(line, digest, sha256));
    }
    if (state !== undefined && !isToSend(line, options, state)) continue;
    toSend.push(shortDigest(digest));
    waiting.push(inputLine);
    characters += inputLine.text.length;
    if (waiting.length >= linesAtOnce || characters >= charactersAtOnce) await checkWaiting();
  }
  await checkWaiting();
  if (state !== undefined && sent !== state.digest) {
    throw new CommandError(
      `Nothing was sent: lines of ${inputsName} changed since they were sent. Restore them; a new journal would send and bill all lines again.`,
    );
  }
  if (bad > 0) {
    const which = bad === 1 ? "1 line" : `${bad} lines`;
    throw new CommandError(
      `Nothing was sent: ${which} of ${inputsName} cannot be sent.`,
      exitCodes.findings,
    );
  }
  return { lines, inputs: whole.digest("hex"), toSend };
}

/** The limits of a run that are known before its first line is sent. */
interface PlanLimits {
  /** The person's own limit per minute. */
  readonly perMinute?: number | undefined;
  /** The project's rate limit per minute. */
  readonly rateLimit?: number | undefined;
  readonly maxCents?: number | undefined;
}

/** Describes how many invocations a run makes, their maximum cost, and their minimum time. */
export function planText(skill: SkillDetail, plan: RunPlan, limits: PlanLimits): string {
  const { lines } = plan;
  const count = plan.toSend.length;
  const { maxCents } = limits;
  const price = invocationPrice(skill);
  const cost =
    price.kind === "amount"
      ? `at most ${moneyText(price.cents * count, price.currency, english)}`
      : price.kind === "free"
        ? "free"
        : "at an unknown price";
  const sample =
    price.kind !== "free" && skill.summary.isSample === true
      ? " (sample price; the built-in registry bills nothing)"
      : "";
  const limit = maxCents === undefined ? "" : `, stopping at ${maxCents} cents`;
  const time = timeText(count, limits);
  const done = lines === count ? "" : ` of ${lines}`;
  const invocations = count === 1 && done === "" ? "invocation" : "invocations";
  return `${count}${done} ${invocations} of ${skill.summary.slug}@${oneLine(skill.summary.version)}, ${cost}${sample}${limit}${time}.\n`;
}

function timeText(count: number, { perMinute, rateLimit }: PlanLimits): string {
  const limit = lowestLimit(perMinute, rateLimit);
  if (limit === undefined) return "";
  // The first lines, as many as the limit allows, start without waiting.
  const minutes = Math.floor((count - 1) / limit);
  if (minutes < 1) return "";
  return limit === perMinute
    ? `, at least ${minutes} min at ${limit} per minute`
    : `, at least ${minutes} min at the project's limit of ${limit} per minute`;
}
