import type { Journal } from "../../../batch/journal";
import type { LineDispatcher } from "../../../batch/lineDispatcher";
import { LineQueue } from "../../../batch/queue/lineQueue";
import { QueueDispatcher } from "../../../batch/queue/queueDispatcher";
import { type QueueSettings, RedisLink } from "../../../batch/queue/redisLink";
import type { SkillDetail } from "../../../core/skill/skill";
import { addressText } from "../../../core/skill/skillAddress";
import { parseUrl } from "../../../core/text/parseUrl";
import type { OptionTable, OptionValues } from "../../options";
import type { OpenRegistry } from "../../registry/openRegistry";
import { type Terminal, UsageError } from "../../terminal";

/** The options that name a queue. */
export const queueOptions = {
  queue: {
    value: "redis://…",
    text: "The Redis server through which workers get the lines.",
    group: "Queue",
  },
  "trust-queue": {
    text: "Use a Redis server that does not reveal whether it writes to disk before it responds, such as a hosted one. If it loses data, lines may be sent twice.",
    needs: ["queue"],
    group: "Queue",
  },
} as const satisfies OptionTable;

/**
 * Reads the options of the queue; undefined without `--queue`. Throws a `CommandError` if the address is no Redis
 * address.
 */
export function queueSettings({
  queue: url,
  "trust-queue": isTrusted,
}: OptionValues<typeof queueOptions>): QueueSettings | undefined {
  if (url === undefined) return undefined;
  // The address is not repeated, since it may contain a password.
  if (!/^rediss?:\/\/./.test(url) || parseUrl(url) === undefined) {
    throw new UsageError("--queue expects redis://HOST:PORT.");
  }
  return { url, isTrusted };
}

/** Connects to a queue. Tells the user when Redis accepts no writes for now. Throws a `CommandError`. */
export function connectQueue(settings: QueueSettings, { err }: Terminal): Promise<RedisLink> {
  return RedisLink.open({ ...settings, onRefused: (message) => err(`${message}\n`) });
}

/** Connects a run to a queue. `perMinute` applies to all workers together. Throws as `connectQueue` does. */
export async function queueDispatcher(
  settings: QueueSettings,
  skill: SkillDetail,
  registry: OpenRegistry,
  perMinute: () => Promise<number | undefined>,
  journal: Pick<Journal, "flush">,
  terminal: Terminal,
): Promise<LineDispatcher> {
  const link = await connectQueue(settings, terminal);
  try {
    const queue = queueOf(link, skill, registry);
    if ((await queue.status()).workers.length === 0) {
      const { slug, version } = skill.summary;
      terminal.err(
        `No worker is at the queue yet. Start some: skill-registry work ${addressText(slug, version)} --queue …\n`,
      );
    }
    return new QueueDispatcher(queue, perMinute, () => journal.flush());
  } catch (error) {
    link.close();
    throw error;
  }
}

/** Opens the queue of a skill. */
export function queueOf(
  link: RedisLink,
  { summary: { slug: skill, version } }: SkillDetail,
  { name: registry }: OpenRegistry,
): LineQueue {
  return new LineQueue(link, { registry, skill, version });
}
