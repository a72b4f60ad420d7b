import { exitCodes } from "../../../core/findings/report";
import { writeJournalEntry } from "../../../core/invocation/run/journalEntry";
import { linesText } from "../../../core/invocation/run/lineFailures";
import { lineResult, notSentResult } from "../../../core/invocation/run/queuedLine";
import type { SkillDetail } from "../../../core/skill/skill";
import { addressText } from "../../../core/skill/skillAddress";
import { outputOf } from "../../../engine/sendInvocation";
import type { LineQueue, QueueStatus } from "../../../queue/lineQueue";
import type { SendLine, UnreportedLine } from "../../../queue/lineWorker";
import { command } from "../../command";
import {
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
import { addressOf, openRegistry, requireSkill, skillOptions } from "../../registry/openRegistry";
import { type Terminal, UsageError } from "../../terminal";
import { loadQueue, queueGiven, queueOf, queueOptions, usable } from "./queueOptions";

export const work = command({
  name: "work",
  operands: "SLUG[@VERSION]…",
  summary: "Send lines that `run --queue` puts into a queue.",
  details: [
    "Sends the lines of one or more skills at one registry with this machine's Project Key, as many at once as --jobs says, until Ctrl+C; lines that were sent are then still awaited. Any number of workers on any machines send the lines of any number of runs, and share one rate limit.",
    "A line is claimed just before it is sent, and no line twice. Whoever can write to the Redis can have this worker send payloads of these skills.",
    "Where Redis is full or read-only, a worker holds its results, takes no more lines and tries again. Results that it could not hand over until its end are printed as lines of the run's journal; the exit code is then 1.",
  ],
  options: {
    ...queueOptions,
    status: {
      text: "Print the workers and the lines of the queues. Sends nothing.",
      group: "Queue",
    },
    jobs: {
      value: "N",
      text: "Have N invocations under way at once.",
      count: { least: 1 },
      default: usualJobs,
      group: "Limits",
    },
    ...gateOptions,
    ...skillOptions,
  },
  examples: [
    ["Send lines", "skill-registry work text-stats --queue redis://127.0.0.1:6379"],
    ["See who works", "skill-registry work text-stats --queue redis://127.0.0.1:6379 --status"],
  ],
  run: async ({ operands, options }, terminal) => {
    if (operands.length === 0) throw new UsageError("Specify one or more skills.");
    const addresses = operands.map(addressOf);
    const named = queueGiven(options);
    if (named === undefined) throw new UsageError("Specify --queue redis://HOST:PORT.");
    const allowed = readAllowances(options);
    const { workLines, QueueClocks } = await loadQueue();
    const registry = await openRegistry(options, terminal, { isByKey: true });
    try {
      const readAt = performance.now();
      const read = addresses.map((address) => requireSkill(registry, address, terminal.signal));
      const skills = await Promise.all(read);
      const link = await named.connect(terminal);
      const of = skills.map(async (skill) => ({
        skill,
        queue: await queueOf(link, skill, registry),
      }));
      const queues = await Promise.all(of);
      if (options.status)
        return await usable(printStatus(queues, terminal)).finally(() => link.close());
      const key = registry.projectKey();
      const checker = await openChecker(terminal);
      const opened = openEngine(
        registry,
        "work",
        allowed,
        terminal,
        undefined,
        new QueueClocks(link),
      );
      const { engine, caller, close } = await opened;
      const questions = questionsAt(terminal);
      const waits = sayingWaits((message) => terminal.err(`${message}\n`));
      /** Asks about a skill, and sends its lines. */
      const sender = async (skill: SkillDetail): Promise<SendLine> => {
        const { slug } = skill.summary;
        const asker = askerByOptions(allowed, terminal, questions, slug, waits);
        const wanted = {
          ...{ registry, skill, readAt, isTestRun: false, caller, isWaitedFor: true },
          isNumberChosen: true,
        };
        const series = await engine.open(wanted, asker, terminal.signal);
        if (series.kind === "stopped") throw stopError(slug, series.stop, questions);
        return async (text, claim, signal) => {
          const payload = checkedBy(checker, text, "queue:", { key });
          const ending = await series.invoke(payload, signal, { ...asker, started: claim });
          if (ending.kind === "sent") return lineResult(ending, outputOf(ending.outcome));
          // Another worker may take what this one leaves.
          if (ending.stop.kind === "canceled") return notSentResult();
          return notSentResult(stopError(slug, ending.stop).message.split("\n").join(" "));
        };
      };
      try {
        const worked = [];
        for (const { skill, queue } of queues) worked.push({ queue, send: await sender(skill) });
        questions.close();
        const names = skills.map(nameOf).join(", ");
        terminal.err(`Waiting for lines of ${names}. Press Ctrl+C to end.\n`);
        const waiting = (lines: number) => terminal.err(`${awaitedText(lines)}\n`);
        const { isThere, unreported, problem } = await terminal.finish(
          workLines(link, worked, options.jobs, terminal.signal, waiting),
        );
        if (problem !== undefined) terminal.err(`${problem}\n`);
        if (!isThere) terminal.err(`${link.name} does not answer.\n`);
        if (unreported.length > 0) printUnreported(unreported, terminal);
        else if (!isThere) terminal.err("No result is missing.\n");
        if (unreported.length > 0) return exitCodes.findings;
        return problem === undefined ? exitCodes.good : exitCodes.unknown;
      } finally {
        await close();
        link.close();
        checker.close();
      }
    } finally {
      registry.close();
    }
  },
});

function nameOf({ summary: { slug, version } }: SkillDetail): string {
  return addressText(slug, version);
}

interface SkillQueue {
  readonly skill: SkillDetail;
  readonly queue: LineQueue;
}

async function printStatus(queues: readonly SkillQueue[], { out }: Terminal): Promise<number> {
  for (const { skill, queue } of queues) out(statusText(nameOf(skill), await queue.status()));
  return exitCodes.good;
}

function statusText(name: string, { workers, runs, lastMinute }: QueueStatus): string {
  const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
  const lines = sum(runs.map((run) => run.lines));
  const taken = sum(runs.map((run) => run.taken));
  const facts = [
    `${workers.length} ${workers.length === 1 ? "worker" : "workers"}`,
    `${runs.length} ${runs.length === 1 ? "run" : "runs"}`,
    `${lines} lines in the queue, ${taken} of them with workers`,
    `${lastMinute} ended in the last minute`,
  ];
  return `${name}: ${facts.join(", ")}.\n${workers.map((worker) => `  ${worker}\n`).join("")}`;
}

function awaitedText(lines: number): string {
  const [answers, outcomes] =
    lines === 1
      ? ["the answer to a line", "its outcome is"]
      : [`the answers to ${lines} lines`, "their outcomes are"];
  return `Waiting for ${answers}. Press Ctrl+C again to end now; ${outcomes} then unknown.`;
}

/** Prints what the run does not hear of, as its journal would have it. */
function printUnreported(lines: readonly UnreportedLine[], { out, err }: Terminal): void {
  for (const { line, result } of lines) {
    const kind = result.next === "ended" ? "ended" : "notRun";
    out(writeJournalEntry({ kind, line, ...result.facts }, result.outputText));
  }
  const which = linesText(lines.map(({ line }) => line));
  err(
    `What became of ${which} could not be handed to the run, which lists them with an unknown outcome. It is printed here, as lines of the run's journal.\n`,
  );
}
