import { exitCodes } from "../../../core/findings/report";
import { waitText } from "../../../core/invocation/rateLimit";
import type { SkillDetail } from "../../../core/skill/skill";
import { english } from "../../../core/text/language";
import { parseUrl } from "../../../core/text/parseUrl";
import type { RedisQueue } from "../../../queue/redisQueue";
import type { RunQueue } from "../../../queue/runQueue";
import type { OptionTable, OptionValues } from "../../options";
import type { OpenRegistry } from "../../registry/openRegistry";
import { CliError, type Terminal, UsageError } from "../../terminal";

/** The options that name a queue. */
export const queueOptions = {
  queue: {
    value: "redis://…",
    text: "The Redis through which workers get the lines. The packages bullmq and ioredis have to be installed.",
    group: "Queue",
  },
  "trust-queue": {
    text: "Use a Redis that does not say that it writes to disk before it answers. If it forgets, lines may be sent twice.",
    needs: ["queue"],
    group: "Queue",
  },
} as const satisfies OptionTable;

/** The queue that was named. */
export interface GivenQueue {
  /** Connects for a skill. Throws a `CliError` where that is not possible. */
  readonly connect: (skill: SkillDetail, registry: OpenRegistry) => Promise<RedisQueue>;
  /** Takes the queue for a run; `perMinute` holds for all workers. */
  readonly open: (
    skill: SkillDetail,
    registry: OpenRegistry,
    perMinute: number | undefined,
    terminal: Terminal,
  ) => Promise<RunQueue>;
}

/** Reads which queue was named. Throws a `CliError` for what is no address of a Redis. */
export function queueGiven({
  queue: url,
  "trust-queue": isTrusted,
}: OptionValues<typeof queueOptions>): GivenQueue | undefined {
  if (url === undefined) return undefined;
  // A password may stand in it, so that it is not repeated.
  if (!/^rediss?:\/\/./.test(url) || parseUrl(url) === undefined) {
    throw new UsageError("--queue expects redis://HOST:PORT.");
  }
  const connect: GivenQueue["connect"] = async ({ summary }, { name: registry }) => {
    const { RedisQueue: Queue, QueueProblem } = await loadQueue();
    const { slug: skill, version } = summary;
    const settings = { url, isTrusted };
    return Queue.open({ registry, skill, version }, settings).catch(asCliError(QueueProblem));
  };
  return {
    connect,
    open: async (skill, registry, perMinute, { err, signal }) => {
      const { RunQueue: Run, QueueProblem } = await loadQueue();
      const queue = await connect(skill, registry);
      const waiting = (seconds: number) =>
        err(
          `Another run has the queue. Waiting up to ${waitText(seconds, english)} in case it was killed.\n`,
        );
      const run = await Run.open(queue, perMinute, signal, waiting).catch((error: unknown) => {
        queue.close();
        return asCliError(QueueProblem)(error);
      });
      const { slug, version } = skill.summary;
      if ((await run.workers()) === 0) {
        err(
          `No worker is at the queue yet. Start some: skill-registry work ${slug}@${version} --queue …\n`,
        );
      }
      return run;
    },
  };
}

function asCliError(expected: new (message: string) => Error): (error: unknown) => never {
  return (error) => {
    if (error instanceof expected) throw new CliError(error.message, exitCodes.unknown);
    throw error;
  };
}

/** Loads what a queue needs, from where the command line itself lies. Throws a `CliError` where that has it not. */
export async function loadQueue() {
  try {
    return await import("../../../queue/openQueue");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new CliError(
      "--queue needs the packages bullmq and ioredis. Install them where skill-registry is installed: npm install bullmq@6 ioredis@5.",
    );
  }
}
