import { stat } from "node:fs/promises";
import { parse, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runBatch } from "../../../batch/batchRun";
import { checkLines, planText } from "../../../batch/checkLines";
import { Journal } from "../../../batch/journal";
import { lineDispatcher } from "../../../batch/lineDispatcher";
import { OrderedResults, openResults, type ResultFile } from "../../../batch/results";
import { lineSender } from "../../../batch/sendLine";
import { environmentName } from "../../../core/environment/payloadEnvironment";
import { CommandError } from "../../../core/findings/commandError";
import { exitCodes } from "../../../core/findings/report";
import type { Stop } from "../../../core/invocation/permission/question";
import { linesText } from "../../../core/invocation/run/lineFailures";
import {
  emptyJournal,
  type JournalState,
  settledCounts,
  unknownLines,
} from "../../../core/invocation/run/runJournal";
import type { PayloadCheck } from "../../../core/payload/payloadCheck";
import { invocationPrice } from "../../../core/skill/price";
import { inputSchemaOf } from "../../../core/skill/skill";
import { addressText } from "../../../core/skill/skillAddress";
import { readError } from "../../../engine/files/textFile";
import { command } from "../../command";
import { askerByOptions, waitingAnswers } from "../../engine/askerByOptions";
import { defaultJobs, gateOptions, readAllowances, stopError } from "../../engine/cliEngine";
import { openChecker } from "../../engine/payloadChecker";
import { questionsAt } from "../../engine/person";
import { type OptionTable, type OptionValues, rowsWith } from "../../options";
import { statusLine } from "../../output/statusLine";
import { findingText, formatOption } from "../../output/writeReport";
import { environmentOption, openEnvironment } from "../../registry/environment";
import { skillOptions } from "../../registry/openRegistry";
import { rateLimits } from "../../registry/project";
import { addressOf, readSkill, requireSkill } from "../../registry/readSkill";
import { type Terminal, UsageError } from "../../terminal";
import { openInvocations, payloadFor } from "../../window/openInvocations";
import { runScreen, writeSummary } from "./runScreen";
import { chooseShard, confirmStart, limitPerMinute, limitsOf, shardText } from "./shardOptions";
import { chooseLines } from "./unknownLines";

/** The default of --max-wait: ten minutes, in seconds. A limit per minute never requires a longer wait. */
const defaultMaxWait = 600;

const sentGroup = { group: "What is sent" } as const;
const notCheckOnly = { not: ["check-only"] } as const;

const options = {
  skill: {
    value: "SLUG[@VERSION]",
    text: "The skill. Default: the file name without its extension.",
    ...sentGroup,
  },
  resume: {
    text: "Continue from the journal. Asks first if that is missing.",
    ...sentGroup,
    ...notCheckOnly,
  },
  resend: {
    value: "LINES",
    text: "Lines with an unknown outcome to send again: numbers such as 3,17, all, or none. Default: ask on a terminal, else none.",
    needs: ["resume"],
    ...sentGroup,
  },
  shard: {
    value: "I/N",
    text: "Send shard I of N, such as 3/10. Adding lines does not move others. auto reads I and N from a Slurm array, an array job of AWS Batch or a parallel job of Azure Pipelines; auto/N reads I from an indexed Job of Kubernetes. A shard continues from its journal if auto finds one.",
    ...sentGroup,
  },
  "check-only": {
    text: "Check the lines and print what they would cost. Nothing is sent.",
    ...sentGroup,
  },
  jobs: {
    value: "N",
    text: `Run N invocations at the same time. Default: as many as the rate limit allows, at most ${defaultJobs}.`,
    count: { min: 1 },
    group: "Limits",
    ...notCheckOnly,
  },
  rate: {
    value: "N",
    text: "Send at most N invocations in any minute. Each shard takes its part.",
    count: { min: 1 },
    group: "Limits",
  },
  "max-wait": {
    value: "SECONDS",
    text: "Stop before a line that would have to wait longer than this for the rate limit. Raise it for a registry with hourly limits; 0 never waits.",
    count: { min: 0 },
    default: defaultMaxWait,
    group: "Limits",
    ...notCheckOnly,
  },
  "max-cents": {
    value: "N",
    text: "Stop before the total cost, including lines in the journal, exceeds N cents. Amounts in several currencies exceed it. Each shard takes its part.",
    count: { min: 0 },
    group: "Limits",
  },
  out: {
    value: "FILE",
    text: "Write the result of each line to this file, in the order of the lines, as soon as it is final. - is standard output.",
    group: "Output",
    ...notCheckOnly,
  },
  journal: {
    value: "FILE",
    text: "The journal, from which `skill-registry merge` can write the results later. Default: INPUTS.jsonl.journal, or INPUTS.jsonl.3-10.journal for a shard.",
    group: "Output",
    ...notCheckOnly,
  },
  ...gateOptions,
  "keep-texts": { ...gateOptions["keep-texts"], ...notCheckOnly },
  format: { ...formatOption.format, text: "How the summary is written.", ...notCheckOnly },
  ...rowsWith({ ...environmentOption, ...skillOptions }, sentGroup),
  timeout: { ...skillOptions.timeout, group: "Limits" },
} as const satisfies OptionTable;

export const run = command({
  name: "run",
  operands: "[SLUG[@VERSION]] INPUTS.jsonl",
  summary: "Invoke a skill once for each line of a file.",
  details: [
    "Each line of the file is a payload. A JSON list of payloads and CSV with a header are read too: cells get the types of the input schema, empty ones are left out, and lines are numbered by the file (CSV) or by the list. All lines are checked before the first is sent, and their number, price and minimum duration are printed. The duration follows from --rate and, with a user token, from the project's rate limit.",
    "--out writes one line of JSON for each line of the file: `line`, `status` and `ran`; `code`, `message`, `milliseconds`, `cents`, `currency` and `invocationId` if they are known; and last the skill's own `output`. Results are in the order of the inputs, so a line in progress delays those after it. With --resume, the file is written again from the start.",
    "The journal, next to the inputs, records the result of every line. After an interruption, even a kill, --resume continues after the last line that was sent: no line is skipped, and a line with an unknown outcome is sent again only if you name it. A line that certainly did not run, for example because of a rate limit, is sent again.",
    "With a user token, the invocations in progress on this machine must together fit the project's remaining budget. Without a token, the lines of a skill that costs something are sent one at a time, unless you pass --jobs or --max-cents. With --max-cents the first line is sent alone: its billed amount is taken as the price of the others.",
    "In any minute, all invocations of this machine together respect --rate and the project's rate limit. If the registry rejects an invocation because of a rate limit, the run waits.",
    "Every five minutes the skill is read again. If it changed at the registry, the run stops; --resume checks all remaining lines against the changed skill.",
    "`skill-registry merge` writes the results from the journal, or from those of all shards.",
  ],
  options,
  examples: [
    ["See what all lines would cost", "skill-registry run text-stats.jsonl --check-only"],
    ["Send them", "skill-registry run text-stats.jsonl --out results.jsonl"],
    [
      "Give the outputs to another program",
      "skill-registry run text-stats.jsonl --out - | jq .output",
    ],
    [
      "Continue after an interruption, for at most 5.00",
      "skill-registry run inputs.jsonl --skill redact-pii --yes --max-cents 500 --resume",
    ],
    ["Send a tenth", "skill-registry run text-stats inputs.jsonl --shard 3/10"],
    [
      "Send the part of a task of a Slurm array",
      "skill-registry run inputs.jsonl --skill text-stats --yes --shard auto",
    ],
  ],
  run: async ({ operands, options: given }, terminal) => {
    const options = readOptions(operands, given, terminal);
    const { signal } = terminal;
    // Check the file first: a mistyped file name would be looked up as a skill's name.
    await stat(options.inputs).catch((error: unknown) => {
      throw readError(options.inputsName, error);
    });
    const { registry, environment } = await openEnvironment(given, terminal, { isByKey: true });
    const checker = await openChecker(terminal);
    const invocations = await openInvocations(registry, "run", options.allowed, terminal);
    const status = statusLine(terminal);
    let journal: Journal | undefined;
    let results: ResultFile | undefined;
    try {
      const key = registry.keyToSend();
      const { caller } = invocations;
      const readAt = performance.now();
      const skill = await requireSkill(registry, options.address, signal);
      const { slug, version } = skill.summary;
      const limitOf = await rateLimits(registry, given, signal);
      const perMinute = async () =>
        limitPerMinute(options.perMinute, await limitOf(slug), options.chosen);
      const questions = questionsAt(terminal);
      const waits = waitingAnswers(status.print);
      const asker = askerByOptions(options.allowed, terminal, questions, slug, waits);
      const wanted = {
        ...{ registry, skill, readAt, isTestRun: false, caller, perMinute },
        environment: environmentName(environment),
        // Responses to sent lines are awaited even after Ctrl+C; a second Ctrl+C ends the process.
        isWaitedFor: true,
        isNumberChosen: options.jobs !== undefined || options.maxCents !== undefined,
      };
      const opened = await invocations.open(wanted, asker, signal);
      if (opened.kind === "stopped") throw stopError(slug, opened.stop, questions);
      questions.close();
      const rateLimit = limitPerMinute(undefined, await limitOf(slug), options.chosen);
      const payloadOf = (text: string, source: string, found?: (check: PayloadCheck) => void) =>
        payloadFor(registry, checker, text, source, { key, environment }, found);
      const sourceOf = (line: number) => `${pathToFileURL(options.inputs).href}#${line}`;
      if (!options.isCheckOnly) {
        const { journalPath, chosen, resume } = options;
        await confirmStart(journalPath, given.resume, chosen, questions);
        const { index, count } = chosen?.shard ?? {};
        const shard = chosen === undefined ? "" : `${index}/${count}`;
        const head = { journal: 1, skill: slug, version, registry: registry.name, shard } as const;
        journal = await Journal.open(journalPath, head, resume);
      }
      const before = journal?.state() ?? emptyJournal;
      const resent =
        journal === undefined
          ? new Set<number>()
          : await chooseLines(unknownLines(before), given.resend, terminal);
      const { schema } = inputSchemaOf(skill);
      const inputs = { ...options, schema, again: resent };
      const checks = {
        check: async ({ line, text }: { readonly line: number; readonly text: string }) => {
          let problems: PayloadCheck["problems"] = [];
          const payload = payloadOf(text, sourceOf(line), (found) => {
            problems = found.problems;
          });
          const stop = await invocations.check(wanted, payload, asker, signal);
          return { maySend: stop === undefined, problems };
        },
        found: (finding: Parameters<typeof findingText>[0]) => terminal.err(findingText(finding)),
      };
      const plan = await checkLines(inputs, checks, journal?.state(), signal);
      if (options.chosen !== undefined) terminal.err(shardText(options.chosen, options.whole));
      terminal.err(planText(skill, plan, { ...options, rateLimit }));
      const over = await invocations.overDailyLimit(skill, plan.toSend.length);
      const isPartial = over !== undefined && !options.allowed.dailyLimit;
      if (isPartial) terminal.err(`${over}\n`);
      const isEmpty = plan.lines === 0 && options.chosen === undefined;
      const endCode = isEmpty ? exitCodes.nothing : exitCodes.good;
      if (journal === undefined) return endCode;
      const price = invocationPrice(skill);
      if (plan.toSend.length > 0) await questions.confirmPlan(isPartial && !options.allowed.terms);
      const { lines, inputs: digest } = plan;
      const isPlanned = lines === before.lines && digest === before.inputs;
      if (!isEmpty && !isPlanned) journal.note({ kind: "planned", lines, inputs: digest });
      if (options.out !== undefined) {
        const others = [options.inputs, options.journalPath];
        results =
          options.out === "-"
            ? { write: terminal.out, close: () => undefined }
            : await openResults(options.out, options.resume, others);
      }
      const limit = await perMinute();
      const screen = runScreen(plan.toSend.length, status, journal, limit);
      const why = (stop: Stop) => stopError(slug, stop).message;
      const batch = runBatch(
        {
          ...{ ...inputs, toSend: plan.toSend, price },
          jobs: options.jobs ?? Math.min(defaultJobs, limit ?? defaultJobs),
          allowsUnexecuted: asker.allowsUnexecuted(),
        },
        lineDispatcher(lineSender(opened, asker, payloadOf, why), sourceOf),
        { journal, results: results && new OrderedResults(journal, results.write), screen },
        signal,
      );
      const stop = await terminal.finish(batch).finally(screen.close);
      const state = journal.state();
      const { err } = terminal;
      // Standard output has the results, so the summary goes to standard error.
      const summaryTerminal: Terminal =
        options.out === "-" ? { ...terminal, out: err, print: err } : terminal;
      const message = stop?.error.message ?? null;
      const summary = { state, stopped: message, isBuiltIn: registry.isBuiltIn };
      writeSummary(summary, given.format, summaryTerminal, options.inputsName);
      reportRemaining(state, options, terminal);
      if (stop?.otherVersion !== undefined) {
        const { otherVersion: other, error } = stop;
        const { ok } = await readSkill(registry, { slug, version: other }, signal);
        const step = ok
          ? `Move the remaining lines to another file, and run it with --skill ${addressText(slug, other)}.`
          : `Continue with --resume once the project runs version ${version}.`;
        throw new CommandError(`${error.message} ${step}`, error.exitCode);
      }
      if (stop !== undefined) throw stop.error;
      const { failed, unknown } = settledCounts(state);
      if (failed > 0) return exitCodes.findings;
      return unknown > 0 ? exitCodes.unknown : endCode;
    } finally {
      results?.close();
      await journal?.close();
      await invocations.close();
      checker.close();
      registry.close();
    }
  },
});

/** The parsed operands and options, with absolute paths. */
type RunOptions = ReturnType<typeof readOptions>;

function readOptions(
  operands: readonly string[],
  given: OptionValues<typeof options>,
  { cwd, env }: Terminal,
) {
  const [first, second, ...more] = operands;
  const [named, inputsName] = second === undefined ? [undefined, first] : [first, second];
  if (inputsName === undefined || more.length > 0)
    throw new UsageError("Specify one file of inputs.");
  if (named !== undefined && given.skill !== undefined) {
    throw new UsageError("Name the skill once: before the file, or with --skill.");
  }
  const { out } = given;
  const chosen = chooseShard(given.shard, env);
  const shard = chosen?.shard;
  const whole = { perMinute: given.rate, maxCents: given["max-cents"] };
  const inputs = resolve(cwd, inputsName);
  const suffix = shard === undefined ? "" : `.${shard.index}-${shard.count}`;
  const journal = given.journal ?? `${inputsName}${suffix}.journal`;
  // A slug may contain dots, so only the suffix is removed, as for payload files.
  const ofFile = parse(inputsName).name;
  return {
    inputs,
    inputsName,
    journalPath: resolve(cwd, journal),
    /** A path, or `-` for standard output; undefined for no results. */
    out: out === undefined || out === "-" ? out : resolve(cwd, out),
    address: addressOf(named ?? given.skill ?? ofFile),
    shard,
    chosen,
    /** Whether to continue from a journal. An engine starts a shard again with the same arguments. */
    resume: given.resume || chosen?.source !== undefined,
    /** The limits of all shards together. */
    whole,
    ...limitsOf(chosen, whole),
    jobs: given.jobs,
    maxWait: given["max-wait"],
    isCheckOnly: given["check-only"],
    allowed: {
      ...readAllowances(given),
      // A check sends nothing that a person would have to agree to.
      ...(given["check-only"] && { terms: true, unexecuted: true, unreviewed: true }),
    },
  };
}

/**
 * Tells the user what is left to do: failed lines, which no later run sends again, and lines with an unknown outcome.
 */
function reportRemaining(
  state: JournalState,
  { journalPath, out }: RunOptions,
  { err, cwd }: Terminal,
): void {
  if (state.failures.length > 0) {
    const name = relative(cwd, out === undefined || out === "-" ? journalPath : out);
    err(
      `${name} has the reason for each failed line. --resume does not send them again: correct them if needed, and run them from another file.\n`,
    );
  }
  const unknown = unknownLines(state);
  if (unknown.length === 0) return;
  err(
    `The outcome of ${linesText(unknown)} is unknown. Check the project's record, then send the lines that did not run with --resume --resend.\n`,
  );
}
