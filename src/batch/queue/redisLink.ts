import { setMaxListeners } from "node:events";
import type { Redis } from "ioredis";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import { oneLine } from "../../core/text/plainText";
import { orAbort, pause } from "../../registry/wait";

/** The options of a connection to Redis. */
export interface QueueSettings {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /** Whether to trust, without checking, that Redis writes to disk before it responds. */
  readonly isTrusted: boolean;
  /** How long a worker may be silent before it counts as dead, in milliseconds. */
  readonly silenceMs?: number;
  /** Called once when Redis starts to reject commands temporarily. The commands are retried. */
  readonly onRefused?: (message: string) => void;
}

/** An error whose message explains why a Redis cannot be used. */
export class QueueProblem extends CommandError {
  /** `code` is the first word of the error that Redis returned; empty if there is none. */
  constructor(
    message: string,
    readonly code = "",
  ) {
    super(message, exitCodes.unknown);
  }
}

/** The default of `silenceMs`. A process that is silent for this long has died, was suspended or is disconnected. */
const defaultSilenceMs = 10_000;
/** The timeout of the first connection, in milliseconds. */
const connectMs = 10_000;
/** The pause before a rejected command is retried, in milliseconds. */
const retryMs = 500;

/**
 * Matches temporary errors of Redis, which are treated as if it were unreachable. Its memory or disk is full, it is a
 * replica, it is starting, or its master changes. The error of a script contains the word inside its message.
 */
const temporaryError =
  /(?:^|[\s-])(OOM|MISCONF|READONLY|LOADING|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|BUSY) /;

/** The connections to a Redis. Until `giveUp`, commands wait while it is unreachable. */
export class RedisLink {
  readonly silenceMs: number;
  /** The name of this Redis in messages. */
  readonly name: string;
  private readonly givenUp = new AbortController();
  private refused = 0;
  /**
   * The number of lost connections. After each loss, the next connection may lead to another Redis without the last
   * writes.
   */
  losses = 0;
  /** The value of `losses` when the settings of Redis were checked. */
  private readAt = -1;

  private constructor(
    private readonly plain: Redis,
    /** A separate connection for blocking commands, which would delay all others. */
    private readonly waiting: Redis,
    private readonly settings: QueueSettings,
  ) {
    this.silenceMs = settings.silenceMs ?? defaultSilenceMs;
    this.name = nameOf(settings.url);
    // Each command in progress adds a listener.
    setMaxListeners(0, this.givenUp.signal);
    for (const connection of [plain, waiting]) {
      connection.on("close", () => {
        this.losses += 1;
      });
    }
  }

  /** Connects. Rejects with a `QueueProblem` if Redis is unreachable, or if it may lose data that it has confirmed. */
  static async open(settings: QueueSettings): Promise<RedisLink> {
    // Loaded on demand, since few commands use Redis.
    const { Redis: Client } = await import("./redisClient");
    const [plain, waiting] = [connection(Client, settings.url), connection(Client, settings.url)];
    const link = new RedisLink(plain, waiting, settings);
    try {
      await connected(plain, link.name);
      await connected(waiting, link.name);
      await link.requireDurable();
    } catch (error) {
      link.close();
      throw error;
    }
    return link;
  }

  /** Runs a command. Rejects with a `QueueProblem` if Redis rejects it, or if Redis does not respond after `giveUp`. */
  call(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.retry(() => this.plain.call(command, ...args));
  }

  /** Runs a script as `call` runs a command. */
  eval(script: string, keys: readonly string[], ...args: readonly (string | number)[]) {
    return this.retry(() => this.plain.eval(script, keys.length, ...keys, ...args));
  }

  /**
   * Runs a script that returns a value and a number of replicas. Resolves to the value once this many replicas have the
   * script's writes, so that a fail-over does not lose them. May run the script several times.
   */
  evalReplicated(script: string, keys: readonly string[], ...args: readonly (string | number)[]) {
    return this.retry(async () => {
      const answer = await this.plain.eval(script, keys.length, ...keys, ...args);
      const { losses } = this;
      const [value, replicas] = answer as [unknown, number];
      await this.requireDurable();
      const had = replicas === 0 ? 0 : Number(await this.plain.call("WAIT", replicas, retryMs));
      // WAIT does not cover the writes of an earlier connection.
      if (had >= replicas && losses === this.losses) return value;
      throw new Error("NOREPLICAS Not all replicas have what was written.");
    });
  }

  /** Runs a blocking command, as `call` does. */
  wait(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.retry(() => this.waiting.call(command, ...args));
  }

  /**
   * Sets a time limit for all commands from now on, including those in progress. Resolves to whether Redis responds.
   */
  giveUp(): Promise<boolean> {
    this.givenUp.abort();
    return this.call("PING").then(
      () => true,
      () => false,
    );
  }

  /** The time limit for a response after `giveUp`, in milliseconds. A response usually takes a hundredth of it. */
  get answerMs(): number {
    return this.silenceMs / 5;
  }

  /** Closes the connections; waiting commands reject. */
  close(): void {
    this.givenUp.abort();
    this.plain.disconnect();
    this.waiting.disconnect();
  }

  private async retry(send: () => Promise<unknown>): Promise<unknown> {
    const { signal } = this.givenUp;
    let isRefused = false;
    try {
      for (;;) {
        const answer = send().then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        );
        const known = await orAbort(answer, signal, this.answerMs);
        if (known === undefined) throw new QueueProblem(`${this.name} does not answer.`);
        if ("value" in known) return known.value;
        if (known.error instanceof QueueProblem) throw known.error;
        const { message } = known.error as Error;
        // Redis ends a blocking command when it becomes a replica or when the stream is deleted. The retry shows which.
        if (message.startsWith("UNBLOCKED") && !signal.aborted) {
          await pause(retryMs, signal);
          continue;
        }
        const [, word] = temporaryError.exec(message) ?? [];
        if (word === undefined || signal.aborted) throw this.problem(message);
        if (!isRefused) this.noteRefused(word);
        isRefused = true;
        await pause(retryMs, signal);
      }
    } finally {
      if (isRefused) this.refused -= 1;
    }
  }

  private noteRefused(word: string): void {
    this.refused += 1;
    if (this.refused > 1) return;
    this.settings.onRefused?.(`${this.name} takes nothing for now (${word}). Trying again.`);
  }

  private problem(reason: string): QueueProblem {
    const [code] = reason.split(" ");
    return new QueueProblem(`${this.name} rejected a command: ${oneLine(reason, 200)}`, code);
  }

  /** Rejects if Redis may lose confirmed writes. Checks this once for each connection. */
  private async requireDurable(): Promise<void> {
    const { losses, settings } = this;
    if (settings.isTrusted || this.readAt === losses) return;
    for (const [name, wanted] of Object.entries(durable)) {
      const answer = await this.call("CONFIG", "GET", name).catch((error: unknown) => {
        if (error instanceof QueueProblem && error.code !== "") return [];
        throw error;
      });
      const [, value] = answer as readonly unknown[];
      if (value === wanted) continue;
      throw new QueueProblem(
        `${this.name} may forget what was sent: it does not say that ${name} is ${wanted}. Set that, or pass --trust-queue where it is known to hold.`,
      );
    }
    this.readAt = losses;
  }
}

/** The settings with which Redis loses no confirmed write. */
const durable = { appendonly: "yes", appendfsync: "always", "maxmemory-policy": "noeviction" };

function connection(Client: typeof Redis, url: string): Redis {
  const redis = new Client(url, {
    lazyConnect: true,
    connectTimeout: connectMs,
    // If Redis dies during a command, the command is sent again later. Each command is safe to repeat.
    maxRetriesPerRequest: null,
    retryStrategy: (tries: number) => Math.min(1000, 50 * tries),
    // The host name may resolve to another server by now, which is the master.
    reconnectOnError: ({ message }) => message.includes("READONLY"),
  });
  // Errors are handled where commands are sent.
  return redis.on("error", () => undefined);
}

async function connected(redis: Redis, name: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let cause: unknown;
  // `connect` rejects with an error that only says that the connection was closed. This event has the cause.
  redis.once("error", (error: unknown) => {
    cause = error;
  });
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), connectMs);
  });
  try {
    await Promise.race([redis.connect().then(() => redis.call("PING")), late]);
  } catch (error) {
    throw new QueueProblem(`${name} ${whyNotConnected(cause ?? error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the name of a Redis for messages, without the password in its address. */
function nameOf(url: string): string {
  return `The Redis at ${new URL(url).host}`;
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/;

function whyNotConnected(error: unknown): string {
  const { code, message = "" } = error as { readonly code?: string; readonly message?: string };
  // An error that Redis returns begins with an error word.
  const [word = ""] = message.split(" ");
  if (["WRONGPASS", "NOAUTH", "NOPERM"].includes(word)) {
    return `does not let you in (${word}). Check the user and password in --queue.`;
  }
  if (code === undefined) return `did not answer within ${connectMs / 1000} s.`;
  if (!certificateCodes.test(code)) return `could not be reached (${code}).`;
  return `has a certificate that is not trusted (${code}). Set NODE_EXTRA_CA_CERTS to a file with its authority's certificate.`;
}
