import { exitCodes } from "../../../core/findings/report";
import { lineResult, notSentResult } from "../../../core/invocation/run/queuedLine";
import { outputOf } from "../../../engine/sendInvocation";
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
import { UsageError } from "../../terminal";
import { loadQueue, queueGiven, queueOptions } from "./queueOptions";

export const work = command({
  name: "work",
  operands: "SLUG[@VERSION]",
  summary: "Send lines that `run --queue` puts into a queue.",
  details: [
    "Sends the lines of one version of a skill at one registry with this machine's Project Key, as many at once as --jobs says, until Ctrl+C; lines that were sent are then still awaited. Any number of workers on any machines share one rate limit.",
    "A line is claimed just before it is sent, and no line twice. Whoever can write to the Redis can have this worker send payloads of this skill.",
  ],
  options: {
    ...queueOptions,
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
  examples: [["Send lines", "skill-registry work text-stats --queue redis://127.0.0.1:6379"]],
  run: async ({ operands, options }, terminal) => {
    const [address, ...more] = operands;
    if (more.length > 0) throw new UsageError("Specify one skill.");
    const wantedSkill = addressOf(address);
    const named = queueGiven(options);
    if (named === undefined) throw new UsageError("Specify --queue redis://HOST:PORT.");
    const { jobs } = options;
    const allowed = readAllowances(options);
    const { workLines, QueueClocks } = await loadQueue();
    const registry = await openRegistry(options, terminal, { isByKey: true });
    const checker = await openChecker(terminal);
    try {
      const key = registry.projectKey();
      const readAt = performance.now();
      const skill = await requireSkill(registry, wantedSkill, terminal.signal);
      const { slug, version } = skill.summary;
      const queue = await named.connect(skill, registry);
      const clocks = new QueueClocks(queue);
      const opened = openEngine(registry, "work", allowed, terminal, undefined, clocks);
      const { engine, caller, close } = await opened;
      try {
        const waits = sayingWaits((message) => terminal.err(`${message}\n`));
        const questions = questionsAt(terminal);
        const asker = askerByOptions(allowed, terminal, questions, slug, waits);
        const wanted = {
          ...{ registry, skill, readAt, isTestRun: false, caller, isWaitedFor: true },
          isNumberChosen: true,
        };
        const series = await engine.open(wanted, asker, terminal.signal);
        if (series.kind === "stopped") throw stopError(slug, series.stop, questions);
        questions.close();
        terminal.err(`Waiting for lines of ${slug}@${version}. Press Ctrl+C to end.\n`);
        const send = async (text: string, claim: () => Promise<void>) => {
          const payload = checkedBy(checker, text, "queue:", { key });
          const ending = await series.invoke(payload, terminal.signal, {
            ...asker,
            started: claim,
          });
          if (ending.kind === "sent") return lineResult(ending, outputOf(ending.outcome));
          // Another worker may take what this one leaves.
          if (ending.stop.kind === "canceled") return notSentResult();
          return notSentResult(stopError(slug, ending.stop).message.split("\n").join(" "));
        };
        const waiting = (lines: number) => terminal.err(`${awaitedText(lines)}\n`);
        const { isThere, lost } = await terminal.finish(
          workLines(queue, jobs, send, terminal.signal, waiting),
        );
        if (!isThere || lost > 0)
          terminal.err(`${queue.redis} does not answer. ${lostText(lost)}\n`);
        return lost === 0 ? exitCodes.good : exitCodes.unknown;
      } finally {
        await close();
        queue.close();
      }
    } finally {
      checker.close();
      registry.close();
    }
  },
});

function awaitedText(lines: number): string {
  const [answers, outcomes] =
    lines === 1
      ? ["the answer to a line", "its outcome is"]
      : [`the answers to ${lines} lines`, "their outcomes are"];
  return `Waiting for ${answers}. Press Ctrl+C again to end now; ${outcomes} then unknown.`;
}

/** The record of this machine has what the run does not hear of. */
function lostText(lines: number): string {
  if (lines === 0) return "No result is missing.";
  const [results, them] =
    lines === 1 ? ["The result of a line", "it"] : [`The results of ${lines} lines`, "them"];
  return `${results} could not be handed to the run, which lists ${them} with an unknown outcome; skill-registry log has ${them} here.`;
}
