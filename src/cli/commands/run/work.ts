import type { LineQueue, QueueStatus } from "../../../batch/queue/lineQueue";
import { type UnreportedLine, type WorkedQueue, workLines } from "../../../batch/queue/lineWorker";
import { RedisLimits } from "../../../batch/queue/redisLimits";
import type { RedisLink } from "../../../batch/queue/redisLink";
import { lineSender } from "../../../batch/sendLine";
import { exitCodes } from "../../../core/findings/report";
import type { Stop } from "../../../core/invocation/permission/question";
import { writeJournalEntry } from "../../../core/invocation/run/journalEntry";
import { awaitedText, linesText } from "../../../core/invocation/run/lineFailures";
import type { SkillDetail } from "../../../core/skill/skill";
import { addressText } from "../../../core/skill/skillAddress";
import { command } from "../../command";
import { askerByOptions, waitingAnswers } from "../../engine/askerByOptions";
import {
  defaultJobs,
  gateOptions,
  openEngine,
  readAllowances,
  readBudget,
  stopError,
} from "../../engine/cliEngine";
import { checkedBy, openChecker } from "../../engine/payloadChecker";
import { questionsAt } from "../../engine/person";
import { type OptionTable, type OptionValues, rowsWith } from "../../options";
import { type OpenRegistry, openRegistry, skillOptions } from "../../registry/openRegistry";
import { addressOf, requireSkill } from "../../registry/readSkill";
import { type Terminal, UsageError } from "../../terminal";
import { connectQueue, queueOf, queueOptions, queueSettings } from "./queueOptions";

const sends = { not: ["status"] } as const;

const options = {
  ...queueOptions,
  status: {
    text: "Print the workers and the lines of the queues. Sends nothing.",
    group: "Queue",
  },
  jobs: {
    value: "N",
    text: "Run N invocations at the same time.",
    count: { min: 1 },
    default: defaultJobs,
    group: "Limits",
    ...sends,
  },
  ...rowsWith(gateOptions, sends),
  ...rowsWith(skillOptions, { group: "What is sent" }),
  timeout: { ...skillOptions.timeout, group: "Limits" },
} as const satisfies OptionTable;

export const work = command({
  name: "work",
  operands: "SLUG[@VERSION]…",
  summary: "Send lines that `run --queue` puts into a queue.",
  details: [
    "Sends the lines of one or more skills at one registry with this machine's Project Key, until Ctrl+C; responses to sent lines are still awaited. Any number of workers on any machines send the lines of any number of runs, and share one rate limit.",
    "A worker claims a line just before sending it, so no line is sent twice. Anyone who can write to the Redis server can make this worker send payloads to these skills.",
    "If Redis is full or read-only, a worker keeps its results, takes no more lines and tries again. Results that it could not deliver before its end are printed as lines of the run's journal; the exit code is then 1.",
  ],
  options,
  examples: [
    ["Send lines", "skill-registry work text-stats --queue redis://127.0.0.1:6379"],
    ["See who works", "skill-registry work text-stats --queue redis://127.0.0.1:6379 --status"],
  ],
  run: async ({ operands, options }, terminal) => {
    if (operands.length === 0) throw new UsageError("Specify one or more skills.");
    const addresses = operands.map(addressOf);
    const settings = queueSettings(options);
    if (settings === undefined) throw new UsageError("Specify --queue redis://HOST:PORT.");
    const registry = await openRegistry(options, terminal, {
      ...{ isByKey: true, windowUse: "never", needsKey: true },
    });
    try {
      const readAt = performance.now();
      const read = addresses.map((address) => requireSkill(registry, address, terminal.signal));
      const skills = await Promise.all(read);
      const link = await connectQueue(settings, terminal);
      try {
        const queues = skills.map((skill) => ({ skill, queue: queueOf(link, skill, registry) }));
        if (options.status) return await printStatus(queues, terminal);
        return await sendAll(queues, { link, registry, readAt, options }, terminal);
      } finally {
        link.close();
      }
    } finally {
      registry.close();
    }
  },
});

interface Worker {
  readonly link: RedisLink;
  readonly registry: OpenRegistry;
  /** When the skills were read, by `performance.now()`. */
  readonly readAt: number;
  readonly options: OptionValues<typeof options>;
}

/** Asks the necessary questions about the skills, then sends their lines until the user ends the worker. */
async function sendAll(
  queues: readonly SkillQueue[],
  { link, registry, readAt, options }: Worker,
  terminal: Terminal,
): Promise<number> {
  const { signal } = terminal;
  const allowed = readAllowances(options);
  const key = registry.projectKey();
  const checker = await openChecker(terminal);
  const limits = new RedisLimits(link, async (slug) => {
    return (await readBudget(registry, slug, signal))?.leftCents;
  });
  const opened = openEngine(registry, "work", allowed, terminal, undefined, limits);
  const { engine, caller, close } = await opened.catch((error: unknown) => {
    checker.close();
    throw error;
  });
  try {
    const questions = questionsAt(terminal);
    const waits = waitingAnswers((message) => terminal.err(`${message}\n`));
    const worked: WorkedQueue[] = [];
    for (const { skill, queue } of queues) {
      const { slug } = skill.summary;
      const asker = askerByOptions(allowed, terminal, questions, slug, waits);
      const wanted = {
        ...{ registry, skill, readAt, isTestRun: false, caller, isWaitedFor: true },
        isNumberChosen: true,
      };
      const batch = await engine.openBatch(wanted, asker, signal);
      if (batch.kind === "stopped") throw stopError(slug, batch.stop, questions);
      const payloadOf = (text: string, source: string) => checkedBy(checker, text, source, { key });
      const why = (stop: Stop) => stopError(slug, stop).message.split("\n").join(" ");
      worked.push({ queue, send: lineSender(batch, asker, payloadOf, why) });
    }
    questions.close();
    const names = queues.map(({ skill }) => nameOf(skill)).join(", ");
    terminal.err(`Waiting for lines of ${names}. Press Ctrl+C to end.\n`);
    const waiting = (lines: number) =>
      terminal.err(`${awaitedText(lines === 1 ? "a line" : `${lines} lines`, lines)}\n`);
    const { isReachable, unreported, problem } = await terminal.finish(
      workLines(link, worked, options.jobs, signal, waiting),
    );
    if (problem !== undefined) terminal.err(`${problem}\n`);
    if (!isReachable) terminal.err(`${link.name} does not answer.\n`);
    if (unreported.length > 0) printUnreported(unreported, terminal);
    else if (!isReachable) terminal.err("No result is missing.\n");
    if (unreported.length > 0) return exitCodes.findings;
    return problem === undefined ? exitCodes.good : exitCodes.unknown;
  } finally {
    await close();
    checker.close();
  }
}

function nameOf({ summary: { slug, version } }: SkillDetail): string {
  return addressText(slug, version);
}

interface SkillQueue {
  readonly skill: SkillDetail;
  readonly queue: LineQueue;
}

async function printStatus(queues: readonly SkillQueue[], { print }: Terminal): Promise<number> {
  for (const { skill, queue } of queues) print(statusText(nameOf(skill), await queue.status()));
  return exitCodes.good;
}

function statusText(
  name: string,
  { workers, runs, lines, taken, lastMinute }: QueueStatus,
): string {
  const facts = [
    `${workers.length} ${workers.length === 1 ? "worker" : "workers"}`,
    `${runs} ${runs === 1 ? "run" : "runs"}`,
    `${lines} lines in the queue, ${taken} of them with workers`,
    `${lastMinute} ended in the last minute`,
  ];
  return `${name}: ${facts.join(", ")}.\n${workers.map((worker) => `  ${worker}\n`).join("")}`;
}

/** Prints results that the run will not receive, in the format of its journal. */
function printUnreported(lines: readonly UnreportedLine[], { out, err }: Terminal): void {
  for (const { line, result } of lines) {
    const kind = result.next === "ended" ? "ended" : "notRun";
    out(writeJournalEntry({ kind, line, ...result.facts }, result.outputText));
  }
  const which = linesText(lines.map(({ line }) => line));
  err(
    `The results of ${which} could not be delivered to the run, which lists them with an unknown outcome. They are printed here, as lines of the run's journal.\n`,
  );
}
