import { exitCodes } from "../../../core/findings/report";
import type { SkillDetail } from "../../../core/skill/skill";
import { addressText } from "../../../core/skill/skillAddress";
import { parseUrl } from "../../../core/text/parseUrl";
import type { LineQueue } from "../../../queue/lineQueue";
import type { RedisLink } from "../../../queue/redisLink";
import type { RunQueue } from "../../../queue/runQueue";
import type { OptionTable, OptionValues } from "../../options";
import type { OpenRegistry } from "../../registry/openRegistry";
import { CliError, type Terminal, UsageError } from "../../terminal";
import type { JournalFile } from "./journalFile";

/** The options that name a queue. */
export const queueOptions = {
  queue: {
    value: "redis://…",
    text: "The Redis through which workers get the lines.",
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
  /** Connects. Throws a `CliError` where that is not possible. */
  readonly connect: (terminal: Terminal) => Promise<RedisLink>;
  /** Registers a run; `perMinute` holds for all workers. */
  readonly open: (
    skill: SkillDetail,
    registry: OpenRegistry,
    perMinute: number | undefined,
    journal: Pick<JournalFile, "flush">,
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
  const connect: GivenQueue["connect"] = async ({ err }) => {
    const { RedisLink: Link } = await loadQueue();
    const refused = (message: string) => err(`${message}\n`);
    return usable(Link.open({ url, isTrusted, refused }));
  };
  return {
    connect,
    open: async (skill, registry, perMinute, { flush }, terminal) => {
      const { RunQueue: Run } = await loadQueue();
      const link = await connect(terminal);
      try {
        const queue = await queueOf(link, skill, registry);
        const run = await usable(Run.open(queue, perMinute, flush));
        if ((await usable(run.workers())) === 0) {
          const { slug, version } = skill.summary;
          terminal.err(
            `No worker is at the queue yet. Start some: skill-registry work ${addressText(slug, version)} --queue …\n`,
          );
        }
        return run;
      } catch (error) {
        link.close();
        throw error;
      }
    },
  };
}

/** Opens the queue of a skill. */
export async function queueOf(
  link: RedisLink,
  { summary: { slug: skill, version } }: SkillDetail,
  { name: registry }: OpenRegistry,
): Promise<LineQueue> {
  const { LineQueue: Queue } = await loadQueue();
  return new Queue(link, { registry, skill, version });
}

/** Throws what is wrong with a Redis as a `CliError`. */
export async function usable<Value>(work: Promise<Value>): Promise<Value> {
  const { QueueProblem } = await loadQueue();
  return work.catch((error: unknown) => {
    if (error instanceof QueueProblem) throw new CliError(error.message, exitCodes.unknown);
    throw error;
  });
}

/** Loads the client of Redis, which few commands need. */
export function loadQueue() {
  return import("../../../queue/openQueue");
}
