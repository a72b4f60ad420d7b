import { createReadStream } from "node:fs";
import { parse, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { type JournalState, nextChain, type RunCounts, settledCounts } from "../core/batch/journal";
import { isInShard, readShard, type Shard } from "../core/batch/shard";
import { exitCodes, findingsOf } from "../core/findings/report";
import type { InvocationOutcome } from "../core/invocation/invocation";
import { type InvocationPrice, invocationPrice } from "../core/invocation/limits/spending";
import { statusOf } from "../core/invocation/outcome/invocationStatus";
import { outcomeNotice } from "../core/invocation/outcome/outcomeNotice";
import { type Allowances, payloadGate } from "../core/invocation/permission/unattendedGate";
import { moneyText } from "../core/skill/description/priceText";
import type { SkillDetail } from "../core/skill/skill";
import { english } from "../core/text/language";
import { oneLine } from "../core/text/plainText";
import { openChecker, type PayloadChecker } from "./checkPayloads";
import { CliError, type Command, type Given, type Terminal, usageError } from "./command";
import { type JournalFile, openJournal } from "./journalFile";
import { type OpenRegistry, openRegistry, registryOption } from "./openRegistry";
import { addressOf, requireSkill, sha256 } from "./readSkill";
import { formatOption, plainFormats, readFormat } from "./report";
import { gateOptions, passSkillGate, readAllowances } from "./sendGates";

export const run: Command = {
  name: "run",
  operands: "INPUTS.jsonl",
  summary: "Invoke a skill with every line of a file, and keep a journal.",
  details: [
    "Each line of the file is a payload. All lines are checked before the first is sent, and their number, price and shortest duration are printed.",
    "The journal, beside the inputs, has the outcome and output of every line. A run that was interrupted, or killed, goes on with --resume behind the last line that was sent: no line is left out, and none is sent twice whose outcome is unknown. A line that certainly did not run, as after a rate limit, is sent again.",
    "`skill-registry merge` makes one file of the journals.",
  ],
  options: {
    skill: {
      value: "SLUG[@VERSION]",
      text: "The skill. Default: the file's name without its ending.",
    },
    journal: {
      value: "FILE",
      text: "Default: INPUTS.jsonl.journal, with a shard INPUTS.jsonl.3-10.journal.",
    },
    resume: { text: "Go on with a journal." },
    shard: {
      value: "I/N",
      text: "Take part I of N. A line stays in its part when lines are added.",
    },
    rate: { value: "N", text: "Send at most N invocations a minute." },
    "max-cents": {
      value: "N",
      text: "Stop before all lines together, with those in the journal, cost more than N cents.",
    },
    "check-only": { text: "Check the lines, say what they would cost, and send nothing." },
    ...gateOptions,
    ...formatOption(plainFormats),
    ...registryOption,
  },
  examples: [
    "skill-registry run text-stats.jsonl",
    "skill-registry run inputs.jsonl --skill redact-pii --yes --max-cents 500 --resume",
    "skill-registry run inputs.jsonl --skill text-stats --shard 3/10",
  ],
  run: async (given, terminal) => {
    const format = readFormat(given, "run", plainFormats);
    const options = readOptions(given, terminal);
    const registry = await openRegistry(given, terminal);
    let journal: JournalFile | undefined;
    try {
      const key = registry.projectKey();
      const skill = await requireSkill(registry, options.address, terminal.signal);
      await passSkillGate(skill, registry, options.allowed, terminal);
      const { slug, version } = skill.summary;
      if (!options.isCheckOnly) {
        const shard = given.text("shard") ?? "";
        const head = { journal: 1, skill: slug, version, registry: registry.name, shard } as const;
        journal = await openJournal(options.journalPath, head, given.isSet("resume"));
      }
      const checker = await openChecker(terminal);
      const plan = await checkLines(
        skill,
        key,
        options,
        journal?.state(),
        checker,
        terminal,
      ).finally(checker.close);
      terminal.err(planText(skill, plan, options));
      if (journal === undefined) return plan.lines === 0 ? exitCodes.nothing : exitCodes.good;
      const end = await sendLines(skill, key, registry, options, plan.left, journal, terminal);
      const counts = settledCounts(journal.state());
      terminal.out(
        format === "json"
          ? `${JSON.stringify({ ...counts, stopped: end?.message ?? null })}\n`
          : summaryText(counts),
      );
      if (end !== undefined) throw end;
      if (plan.lines === 0) return exitCodes.nothing;
      if (counts.failed > 0) return exitCodes.findings;
      return counts.unknown > 0 ? exitCodes.unknown : exitCodes.good;
    } finally {
      journal?.close();
      registry.close();
    }
  },
};

interface RunOptions {
  readonly inputs: string;
  readonly inputsName: string;
  readonly journalPath: string;
  readonly address: ReturnType<typeof addressOf>;
  readonly shard: Shard | undefined;
  readonly perMinute: number | undefined;
  readonly maxCents: number | undefined;
  readonly isCheckOnly: boolean;
  readonly allowed: Allowances;
}

function readOptions(given: Given, { cwd }: Terminal): RunOptions {
  const [inputsName, ...more] = given.operands;
  if (inputsName === undefined || more.length > 0)
    throw usageError("run", "Name one file of inputs.");
  const shardText = given.text("shard");
  const shard = shardText === undefined ? undefined : readShard(shardText);
  if (shardText !== undefined && shard === undefined) {
    throw usageError("run", "--shard takes a part and the number of parts, such as 3/10.");
  }
  const inputs = resolve(cwd, inputsName);
  const suffix = shard === undefined ? "" : `.${shard.index}-${shard.count}`;
  const journal = given.text("journal") ?? `${inputsName}${suffix}.journal`;
  // A slug may have dots: only the ending is cut off, as of payload files.
  const named = parse(inputsName).name;
  return {
    inputs,
    inputsName,
    journalPath: resolve(cwd, journal),
    address: addressOf(given.text("skill") ?? named, "run"),
    shard,
    perMinute: given.count("rate", 1),
    maxCents: given.count("max-cents", 0),
    isCheckOnly: given.isSet("check-only"),
    allowed: readAllowances(given),
  };
}

/** A line of the inputs, counted from 1 among all lines of the file. */
interface InputLine {
  readonly line: number;
  readonly text: string;
  readonly digest: string;
}

/** Reads the lines of the shard one by one; empty ones are none. */
async function* inputLines({ inputs, inputsName, shard }: RunOptions): AsyncGenerator<InputLine> {
  const stream = createReadStream(inputs, "utf8");
  let line = 0;
  try {
    for await (const text of createInterface({
      input: stream,
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      line += 1;
      if (text.trim() === "") continue;
      const digest = sha256(text);
      if (shard === undefined || isInShard(digest, shard)) yield { line, text, digest };
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CliError(`${inputsName} could not be read (${code}).`);
  } finally {
    stream.destroy();
  }
}

/** Tells whether a line is still to be sent as far as a journal says. */
function isLeft(
  line: number,
  { lastLine, last }: Pick<JournalState, "lastLine" | "last">,
): boolean {
  return line > lastLine || (line === lastLine && last === "notRun");
}

/** More problems than these are counted, not listed. */
const maxListed = 20;

/** Checks every line that is left. Throws a `CliError` where one may not be sent, or lines were changed since. */
async function checkLines(
  skill: SkillDetail,
  key: string,
  options: RunOptions,
  state: JournalState | undefined,
  checker: PayloadChecker,
  { err, signal }: Terminal,
): Promise<{ readonly lines: number; readonly left: number }> {
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

function planText(
  skill: SkillDetail,
  { lines, left }: { readonly lines: number; readonly left: number },
  { perMinute, maxCents }: RunOptions,
): string {
  const price = invocationPrice(skill);
  const cost =
    price.kind === "amount"
      ? `at most ${moneyText(price.cents * left, price.currency || undefined, english)}`
      : price.kind === "free"
        ? "free"
        : "at a price that is not known";
  const limit = maxCents === undefined ? "" : `, stopping at ${maxCents} cents`;
  const minutes = perMinute === undefined ? 0 : left / perMinute;
  const time = minutes < 1 ? "" : `, at least ${Math.ceil(minutes)} min at ${perMinute} a minute`;
  const done = lines === left ? "" : ` of ${lines}`;
  const invocations = left === 1 && done === "" ? "invocation" : "invocations";
  return `${left}${done} ${invocations} of ${skill.summary.slug}@${skill.summary.version}, ${cost}${limit}${time}.\n`;
}

function summaryText({ success, failed, unknown, cents }: RunCounts): string {
  const paid = Object.entries(cents).map(([currency, amount]) =>
    moneyText(amount, currency || undefined, english),
  );
  const cost = paid.length === 0 ? "" : ` Billed: ${paid.join(", ")}.`;
  return `${success} succeeded, ${failed} failed, ${unknown} with unknown outcome.${cost}\n`;
}

/** After so many in a row of which nobody knows whether they ran, something is wrong with all. */
const maxUnknownInARow = 3;
/** A registry that names no time counts over a minute. */
const usualHoldSeconds = 60;

/** Sends what is left, line by line. Resolves to why it stopped early; undefined where it did not. */
async function sendLines(
  skill: SkillDetail,
  key: string,
  { client }: OpenRegistry,
  options: RunOptions,
  left: number,
  journal: JournalFile,
  terminal: Terminal,
): Promise<CliError | undefined> {
  const { slug, version } = skill.summary;
  const price = invocationPrice(skill);
  const before = journal.state();
  const progress = progressOf(left, terminal);
  const gapMs = options.perMinute === undefined ? 0 : 60_000 / options.perMinute;
  // What was sent is waited for: the second Ctrl+C ends the process.
  const never = new AbortController().signal;
  let [nextAt, unknownInARow, sent] = [0, 0, 0];
  for await (const { line, text, digest } of inputLines(options)) {
    if (!isLeft(line, before)) continue;
    for (let isDone = false; !isDone; ) {
      if (exceeds(journal.state(), price, options.maxCents)) {
        return new CliError(
          "Stopped: the next invocation could pass the limit of --max-cents.",
          exitCodes.findings,
        );
      }
      if (!(await waitUntil(nextAt, terminal.signal))) {
        return new CliError("Canceled. Go on with --resume.", exitCodes.unknown);
      }
      nextAt = Math.max(nextAt, performance.now()) + gapMs;
      journal.note({ kind: "started", line, digest, at: Date.now() });
      const outcome = await client.invoke(
        { skillSlug: slug, version, inputText: text },
        key,
        never,
      );
      const end = endOf(outcome);
      const isNotRun = end !== "ended";
      const output =
        outcome.kind === "success" || outcome.kind === "skillError"
          ? outcome.outputText
          : undefined;
      journal.note({ kind: isNotRun ? "notRun" : "ended", line, ...factsOf(outcome) }, output);
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

/** Says what follows an outcome: the line is done, waits and is sent again, or the run ends before it. */
function endOf(outcome: InvocationOutcome): "ended" | "hold" | "stop" {
  if (outcome.kind === "notSent") return "stop";
  if (outcome.kind !== "refused") return "ended";
  if (outcome.reason === "rateLimit") return "hold";
  const ofThisLine = ["validation", "tooLarge", "registryError"];
  return ofThisLine.includes(outcome.reason) ? "ended" : "stop";
}

function isUncertain(outcome: InvocationOutcome): boolean {
  return (
    outcome.kind === "outcomeUnknown" ||
    (outcome.kind === "refused" && outcome.reason === "registryError")
  );
}

function factsOf(outcome: InvocationOutcome) {
  const isOnlyMetered = outcome.kind === "success" && outcome.acceptedNotRun;
  const status = isOnlyMetered ? "accepted, not run" : statusOf(outcome);
  if (outcome.kind === "notSent") return { status };
  const { invocationId, durationMs: milliseconds } = outcome;
  const facts = { status, milliseconds, ...(invocationId !== undefined && { invocationId }) };
  if (outcome.kind === "outcomeUnknown") return facts;
  const { code, amountCents: cents, currency } = outcome;
  return {
    ...facts,
    ...(code !== undefined && { code }),
    ...(cents !== undefined && cents > 0 && { cents }),
    ...(currency !== undefined && { currency }),
  };
}

/** Where the outcome of a line is not known, it is taken to have cost its price. */
function exceeds(
  state: JournalState,
  price: InvocationPrice,
  maxCents: number | undefined,
): boolean {
  if (maxCents === undefined) return false;
  if (price.kind === "unknown") return true;
  const { cents, unknown } = settledCounts(state);
  const each = price.kind === "amount" ? price.cents : 0;
  const spent = Object.values(cents).reduce((sum, amount) => sum + amount, 0);
  return spent + (unknown + 1) * each > maxCents;
}

/** Resolves to false where the user ended it meanwhile. */
async function waitUntil(time: number, signal: AbortSignal): Promise<boolean> {
  const left = time - performance.now();
  if (left > 0) await delay(left, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

const barWidth = 24;

/** Draws a bar on a terminal, and nothing elsewhere. */
function progressOf(total: number, { err, isTerminal }: Terminal): (done: number) => void {
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
