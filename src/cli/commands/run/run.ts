import { parse, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { queuedEnvironment } from "../../../core/environment/payloadEnvironment";
import { exitCodes } from "../../../core/findings/report";
import { lowerOf } from "../../../core/invocation/rateLimit";
import { failureFindings, linesText } from "../../../core/invocation/run/lineFailures";
import { notSentResult } from "../../../core/invocation/run/queuedLine";
import {
  emptyJournal,
  type RunCounts,
  settledCounts,
  unknownLines,
} from "../../../core/invocation/run/runJournal";
import { readShard } from "../../../core/invocation/run/shard";
import type { SentPayload } from "../../../engine/passage";
import type { RunQueue } from "../../../queue/runQueue";
import { command } from "../../command";
import {
  type Allowances,
  askerByOptions,
  gateOptions,
  openEngine,
  readAllowances,
  sayingWaits,
  stopError,
  usualJobs,
} from "../../engine/cliEngine";
import { checkedBy, openChecker } from "../../engine/payloadChecker";
import { questionsAt } from "../../engine/person";
import type { OptionTable, OptionValues } from "../../options";
import { statusLine } from "../../output/statusLine";
import { findingText, formatOption } from "../../output/writeReport";
import { environmentOption, openPlace } from "../../registry/environment";
import { addressOf, readSkill, requireSkill, skillOptions } from "../../registry/openRegistry";
import { readRateLimits } from "../../registry/project";
import { type Terminal, UsageError } from "../../terminal";
import { checkLines, type PayloadOf, planText } from "./checkLines";
import type { RunInputs } from "./inputLines";
import { type JournalFile, openJournal } from "./journalFile";
import { amountTexts } from "./progressBar";
import { type GivenQueue, queueGiven, queueOptions, usable } from "./queueOptions";
import { type LineCarrier, sendLines } from "./sendLines";
import { chooseLines } from "./unknownLines";

/** Ten minutes: a registry that asks for more has a limit of another kind than one a minute. */
const usualMaxWait = 600;
/** A queue needs no more lines than all workers send at once, and Redis holds no more. */
const usualQueued = 200;

const sends = { not: ["check-only"] } as const;

const options = {
  skill: {
    value: "SLUG[@VERSION]",
    text: "The skill. Default: the file name without its extension.",
  },
  journal: {
    value: "FILE",
    text: "The journal. Default: INPUTS.jsonl.journal, for a shard INPUTS.jsonl.3-10.journal.",
    ...sends,
  },
  resume: { text: "Continue from the journal.", ...sends },
  resend: {
    value: "LINES",
    text: "Lines with an unknown outcome to send again: numbers such as 3,17, all, or none. Default: ask on a terminal, else none.",
    needs: ["resume"],
  },
  shard: {
    value: "I/N",
    text: "Send shard I of N, such as 3/10. Adding lines does not move others.",
  },
  "check-only": { text: "Check the lines and print what they would cost. Nothing is sent." },
  jobs: {
    value: "N",
    text: `Have N invocations under way at once. Default: what the rate limit allows, at most ${usualJobs}; with --queue, ${usualQueued} lines are in it.`,
    count: { least: 1 },
    group: "Limits",
    ...sends,
  },
  rate: {
    value: "N",
    text: "Send at most N invocations in any minute.",
    count: { least: 1 },
    group: "Limits",
  },
  "max-wait": {
    value: "SECONDS",
    text: "Stop where a line would wait longer for the rate limit, in all.",
    count: { least: 0 },
    default: usualMaxWait,
    group: "Limits",
    ...sends,
  },
  "max-cents": {
    value: "N",
    text: "Stop before the total cost, including lines in the journal, exceeds N cents; several currencies are added up.",
    count: { least: 0 },
    group: "Limits",
  },
  ...queueOptions,
  queue: { ...queueOptions.queue, ...sends },
  ...gateOptions,
  format: { ...formatOption.format, ...sends },
  environment: { ...environmentOption.environment, not: ["queue"] },
  ...skillOptions,
} as const satisfies OptionTable;

export const run = command({
  name: "run",
  operands: "INPUTS.jsonl",
  summary: "Invoke a skill once for each line of a file, and keep a journal.",
  details: [
    "Each line of the file is a payload. All lines are checked before the first is sent, and their number, price and minimum duration are printed. The duration follows from --rate and, with a user token, from the project's rate limit.",
    "The journal, next to the inputs, has the outcome and output of every line, and why it failed; the run names these reasons at its end. After an interruption, even a kill, --resume continues after the last line that was sent: no line is skipped, and none with an unknown outcome is sent twice unless you name it. A line that certainly did not run, such as after a rate limit, is sent again.",
    "Several invocations are under way at once. They leave in the order of the lines; the journal has the outcomes in the order in which they came, and `skill-registry merge` in the order of the lines.",
    "With a user token, no more invocations are under way on this machine than fit what is left of the project's budget. Without one, a skill that costs is invoked one at a time, unless --jobs or --max-cents is given. With --max-cents the first line goes alone: what it is billed is the price of the others.",
    "Invocations keep to --rate and the project's rate limit in any minute, together with all others of this machine. Where the registry refuses one because of a rate limit, the run waits.",
    "With --queue, the lines are sent by any number of `skill-registry work` on any machines, with the Project Keys of these. This command keeps the journal and is to stay until it has ended. A line whose worker died after it claimed the line has an unknown outcome and is not sent again.",
    "Every five minutes the skill is read again. Where it changed at the registry, the run stops; --resume checks all lines that are left against it as it is now.",
    "`skill-registry merge` joins the journals of shards into one file.",
  ],
  options,
  examples: [
    ["See what all lines would cost", "skill-registry run text-stats.jsonl --check-only"],
    ["Send them", "skill-registry run text-stats.jsonl"],
    [
      "Continue after an interruption, for at most 5.00",
      "skill-registry run inputs.jsonl --skill redact-pii --yes --max-cents 500 --resume",
    ],
    ["Send a tenth", "skill-registry run inputs.jsonl --skill text-stats --shard 3/10"],
  ],
  run: async ({ operands, options: given }, terminal) => {
    const { format } = given;
    const options = readOptions(operands, given, terminal);
    const { registry, ...place } = await openPlace(given, terminal, { isByKey: true });
    const environment =
      options.queue === undefined ? place.environment : queuedEnvironment(place.environment);
    const checker = await openChecker(terminal);
    const { engine, caller, close } = await openEngine(registry, "run", options.allowed, terminal);
    const status = statusLine(terminal);
    let queue: RunQueue | undefined;
    let journal: JournalFile | undefined;
    try {
      const key = registry.projectKey();
      const readAt = performance.now();
      const skill = await requireSkill(registry, options.address, terminal.signal);
      const { slug, version } = skill.summary;
      const rateLimit = (await readRateLimits(registry, given, terminal.signal))(slug);
      const perMinute = lowerOf(options.perMinute, rateLimit);
      const questions = questionsAt(terminal);
      const waits = sayingWaits(status.say);
      const asker = askerByOptions(options.allowed, terminal, questions, slug, waits);
      const wanted = {
        ...{ registry, skill, readAt, isTestRun: false, caller, perMinute },
        // What was sent is waited for: the second Ctrl+C ends the process.
        isWaitedFor: true,
        isNumberChosen: options.jobs !== undefined || options.maxCents !== undefined,
      };
      const series = await engine.open(wanted, asker, terminal.signal);
      if (series.kind === "stopped") throw stopError(slug, series.stop, questions);
      questions.close();
      if (!options.isCheckOnly) {
        const shard = given.shard ?? "";
        const head = { journal: 1, skill: slug, version, registry: registry.name, shard } as const;
        journal = await openJournal(options.journalPath, head, given.resume);
        queue = await options.queue?.open(skill, registry, perMinute, journal, terminal);
        await usable(takeLeftLines(journal, queue, terminal));
      }
      const before = journal?.state() ?? emptyJournal;
      const again =
        journal === undefined
          ? new Set<number>()
          : await chooseLines(unknownLines(before), given.resend, terminal);
      const inputs = { ...options, again };
      const payloadOf: PayloadOf = (line, found) => {
        const source = `${pathToFileURL(options.inputs).href}#${line.line}`;
        return checkedBy(checker, line.text, source, { key, environment }, found);
      };
      const objectionTo = (payload: SentPayload) =>
        engine.check(wanted, payload, asker, terminal.signal);
      const lines = { ...inputs, payloadOf, objectionTo };
      const plan = await checkLines(lines, journal?.state(), terminal);
      terminal.err(planText(skill, plan, { ...options, rateLimit }));
      if (journal === undefined) return plan.lines === 0 ? exitCodes.nothing : exitCodes.good;
      if (plan.left.length > 0) await questions.confirmPlan();
      if (plan.left.length > 0 && plan.lines !== before.lines) {
        journal.note({ kind: "planned", lines: plan.lines });
      }
      const carrier: LineCarrier = queue === undefined ? series : carriedBy(queue);
      const lists = async (other: string) => {
        const address = { slug, version: other };
        return (await readSkill(registry, address, terminal.signal)).ok;
      };
      const sender = { skill, asker, series: carrier, payloadOf, lists };
      const jobs = options.jobs ?? usualJobsOf(queue, perMinute);
      const allowsUnexecuted = asker.allowsUnexecuted();
      const limits = { ...inputs, jobs, status, perMinute, allowsUnexecuted };
      const end = await sendLines(sender, limits, plan.left, journal, terminal);
      const counts = settledCounts(journal.state());
      const { failures } = journal.state();
      terminal.out(
        format === "json"
          ? `${JSON.stringify({ ...counts, failures, stopped: end?.message ?? null })}\n`
          : summaryText(counts, registry.isBuiltIn),
      );
      for (const finding of failureFindings(failures, options.inputsName)) {
        terminal.err(findingText(finding));
      }
      if (counts.failed > 0) terminal.err(failedText(options.journalPath, terminal.cwd));
      const unknown = unknownLines(journal.state());
      if (unknown.length > 0) {
        terminal.err(
          `The outcome of ${linesText(unknown)} is unknown.${lateText(queue)} Check in the project, then send what did not run with --resume --resend.\n`,
        );
      }
      if (end !== undefined) throw end;
      if (plan.lines === 0) return exitCodes.nothing;
      if (counts.failed > 0) return exitCodes.findings;
      return counts.unknown > 0 ? exitCodes.unknown : exitCodes.good;
    } finally {
      await queue?.close();
      await journal?.close();
      await close();
      checker.close();
      registry.close();
    }
  },
});

interface RunOptions extends Omit<RunInputs, "again"> {
  readonly journalPath: string;
  readonly address: ReturnType<typeof addressOf>;
  readonly perMinute: number | undefined;
  readonly jobs: number | undefined;
  readonly maxWait: number;
  readonly maxCents: number | undefined;
  readonly isCheckOnly: boolean;
  readonly queue: GivenQueue | undefined;
  readonly allowed: Allowances;
}

function readOptions(
  operands: readonly string[],
  given: OptionValues<typeof options>,
  { cwd }: Terminal,
): RunOptions {
  const [inputsName, ...more] = operands;
  if (inputsName === undefined || more.length > 0)
    throw new UsageError("Specify one file of inputs.");
  const { shard: shardText } = given;
  const shard = shardText === undefined ? undefined : readShard(shardText);
  if (shardText !== undefined && shard === undefined) {
    throw new UsageError("--shard expects I/N, such as 3/10.");
  }
  const inputs = resolve(cwd, inputsName);
  const suffix = shard === undefined ? "" : `.${shard.index}-${shard.count}`;
  const journal = given.journal ?? `${inputsName}${suffix}.journal`;
  // A slug may have dots: only the ending is cut off, as of payload files.
  const named = parse(inputsName).name;
  return {
    inputs,
    inputsName,
    journalPath: resolve(cwd, journal),
    address: addressOf(given.skill ?? named),
    shard,
    perMinute: given.rate,
    jobs: given.jobs,
    maxWait: given["max-wait"],
    maxCents: given["max-cents"],
    isCheckOnly: given["check-only"],
    queue: queueGiven(given),
    allowed: readAllowances(given),
  };
}

function usualJobsOf(queue: RunQueue | undefined, perMinute = usualJobs): number {
  return queue === undefined ? Math.min(usualJobs, perMinute) : usualQueued;
}

/**
 * Notes what the queue knows of lines that a run before left without an outcome, since it was killed or a worker was
 * silent: how they ended, or that nobody sent them.
 */
async function takeLeftLines(
  journal: JournalFile,
  queue: RunQueue | undefined,
  { err, signal }: Terminal,
): Promise<void> {
  const waiting = () => err("Waiting for the answers to lines that the run before left.\n");
  const { open, queued } = journal.state();
  const noted = { ended: 0, notRun: 0 };
  for (const run of queue === undefined
    ? []
    : new Set([...open.values()].map((one) => one.queued))) {
    if (run === "") continue;
    const left = await queue?.leftBy(run, signal, waiting);
    for (const [line, { queued: by }] of open) {
      const known = by === run ? left?.(line) : undefined;
      if (known === undefined) continue;
      const kind = known === "notSent" ? "notRun" : "ended";
      const { facts, outputText } = known === "notSent" ? notSentResult() : known;
      journal.note({ kind, line, ...facts }, outputText);
      noted[kind] += 1;
    }
  }
  if (noted.ended + noted.notRun > 0) {
    err(
      `Of the lines with an unknown outcome, the queue knows that ${noted.ended} ended and ${noted.notRun} were not sent.\n`,
    );
  }
  const now = queue?.id ?? "";
  if (now !== queued) journal.note({ kind: "queued", run: now });
}

function lateText(queue: RunQueue | undefined): string {
  return queue === undefined
    ? ""
    : " What a worker still hands in within a day, --resume takes from the queue.";
}

/** The start is in the journal before anybody can take the line. */
function carriedBy(queue: RunQueue): LineCarrier {
  return {
    invoke: async ({ text }, signal, asker, line) => {
      await queue.room(text);
      await asker.started();
      return queue.send(line, text, signal);
    },
  };
}

/** No run sends a line again that has ended. */
function failedText(journalPath: string, cwd: string): string {
  const name = relative(cwd, journalPath);
  return `${name} says of each line why it failed. --resume sends none of them again: run them, corrected where needed, from a file of their own.\n`;
}

function summaryText(counts: RunCounts, isBuiltIn: boolean): string {
  const { success, failed, unknown, unpriced } = counts;
  const said = (title: string, amounts: readonly string[]) =>
    amounts.length === 0 ? "" : ` ${title}: ${amounts.join(", ")}.`;
  const billed = said(isBuiltIn ? "Sample cost, not billed" : "Billed", amountTexts(counts.cents));
  const expected = said("Expected where no amount was named", amountTexts(counts.expected));
  const rest = unpriced === 0 ? "" : ` The cost of ${unpriced} is not known.`;
  return `${success} succeeded, ${failed} failed, ${unknown} with unknown outcome.${billed}${expected}${rest}\n`;
}
