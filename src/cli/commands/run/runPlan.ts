import { exitCodes, findingsOf } from "../../../core/findings/report";
import {
  type Allowances,
  payloadGate,
} from "../../../core/invocation/permission/unattendedConsent";
import {
  isInShard,
  isLeft,
  type JournalState,
  nextChain,
  type Shard,
} from "../../../core/invocation/runJournal";
import { invocationPrice } from "../../../core/invocation/spending";
import type { SkillDetail } from "../../../core/skill/skill";
import { english } from "../../../core/text/language";
import { moneyText } from "../../../core/text/money";
import { oneLine } from "../../../core/text/plainText";
import type { PayloadChecker } from "../../checkPayloads";
import { CliError, type Terminal } from "../../command";
import { sha256 } from "../../readSkill";
import {
  decode,
  fileReason,
  isSystemError,
  linesOf,
  NotTextError,
  readError,
} from "../../textFile";

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
export async function* inputLines({
  inputs,
  inputsName,
  shard,
}: RunInputs): AsyncGenerator<InputLine> {
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

/** What a run is about to do: how many lines there are, and how many of them are left to send. */
interface RunPlan {
  readonly lines: number;
  readonly left: number;
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
  let [lines, left, bad, chain] = [0, 0, 0, ""];
  for await (const { line, text, digest } of inputLines(options)) {
    signal.throwIfAborted();
    lines += 1;
    if (state !== undefined && line <= state.lastLine) {
      chain = nextChain(chain, digest, sha256);
    }
    if (state !== undefined && !isLeft(line, state)) continue;
    left += 1;
    const check = await checker.check(text, skill.inputSchema, key);
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
      `Lines of ${inputsName} that were sent are no longer what they were. Nothing was sent.`,
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

/** Says how many invocations a run makes, what they cost at most, and how long they take at least. */
export function planText(skill: SkillDetail, { lines, left }: RunPlan, limits: PlanLimits): string {
  const { maxCents } = limits;
  const price = invocationPrice(skill);
  const cost =
    price.kind === "amount"
      ? `at most ${moneyText(price.cents * left, price.currency || undefined, english)}`
      : price.kind === "free"
        ? "free"
        : "at a price that is not known";
  const limit = maxCents === undefined ? "" : `, stopping at ${maxCents} cents`;
  const time = timeText(left, limits);
  const done = lines === left ? "" : ` of ${lines}`;
  const invocations = left === 1 && done === "" ? "invocation" : "invocations";
  return `${left}${done} ${invocations} of ${skill.summary.slug}@${skill.summary.version}, ${cost}${limit}${time}.\n`;
}

function timeText(left: number, { perMinute = 0, rateLimit = 0 }: PlanLimits): string {
  const spread = perMinute > 0 ? left / perMinute : 0;
  // The first minute takes as many at once as the limit allows.
  const limited = rateLimit > 0 ? Math.floor((left - 1) / rateLimit) : 0;
  if (Math.max(spread, limited) < 1) return "";
  return spread >= limited
    ? `, at least ${Math.ceil(spread)} min at ${perMinute} a minute`
    : `, at least ${limited} min at the ${rateLimit} a minute that the project allows`;
}
