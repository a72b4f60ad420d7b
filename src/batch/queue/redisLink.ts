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
  /** Whether to skip the check that Redis writes to disk before it answers. */
  readonly isTrusted: boolean;
  /** After this many milliseconds of silence a worker counts as dead. */
  readonly silenceMs?: number;
  /** Called once when Redis temporarily rejects commands, which are then repeated. */
  readonly onRefused?: (message: string) => void;
}

/** An error with a message that explains why a Redis cannot be used. */
export class QueueProblem extends CommandError {
  /** `code` is the error word that Redis returned; empty for none. */
  constructor(
    message: string,
    readonly code = "",
  ) {
    super(message, exitCodes.unknown);
  }
}

/** A waiting process that is silent for this long is dead, stopped or disconnected. */
const defaultSilenceMs = 10_000;
/** The timeout of the first connection, in milliseconds. */
const connectMs = 10_000;
/** The time before a rejected command is repeated, in milliseconds. */
const retryMs = 500;

/**
 * Temporary errors of Redis, treated as if it were unreachable: it or its disk is full, it is a replica, is starting,
 * or changes its master. A script includes the error word in its own message.
 */
const temporaryError =
  /(?:^|[\s-])(OOM|MISCONF|READONLY|LOADING|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|BUSY) /;

/** The connections to a Redis, until `close`. Commands wait while it is unreachable, until `giveUp`. */
export class RedisLink {
  readonly silenceMs: number;
  /** The name of this Redis in messages. */
  readonly name: string;
  private readonly givenUp = new AbortController();
  private refused = 0;
  /** The number of lost connections. After each, the next one may lead to another Redis that lacks the last writes. */
  losses = 0;
  /** The value of that number when the settings were read. */
  private readAt = -1;

  private constructor(
    private readonly plain: Redis,
    /** A separate connection for blocking commands, which would hold up others. */
    private readonly waiting: Redis,
    private readonly settings: QueueSettings,
  ) {
    this.silenceMs = settings.silenceMs ?? defaultSilenceMs;
    this.name = nameOf(settings.url);
    // One listener per command in progress.
    setMaxListeners(0, this.givenUp.signal);
    for (const connection of [plain, waiting]) {
      connection.on("close", () => {
        this.losses += 1;
      });
    }
  }

  /** Connects. Rejects with a `QueueProblem` where Redis is unreachable or may lose data that it has confirmed. */
  static async open(settings: QueueSettings): Promise<RedisLink> {
    // Loaded late: few commands need it.
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

  /** Runs a command. Rejects with a `QueueProblem` if Redis rejects it, or does not answer after `giveUp`. */
  call(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.retry(() => this.plain.call(command, ...args));
  }

  /** Runs a script as `call` runs a command. */
  eval(script: string, keys: readonly string[], ...args: readonly (string | number)[]) {
    return this.retry(() => this.plain.eval(script, keys.length, ...keys, ...args));
  }

  /**
   * Runs a script that returns a value and a number of replicas. Resolves to the value once that many replicas have the
   * script's writes, so that a fail-over loses none of them. May run the script several times.
   */
  evalReplicated(script: string, keys: readonly string[], ...args: readonly (string | number)[]) {
    return this.retry(async () => {
      const answer = await this.plain.eval(script, keys.length, ...keys, ...args);
      const { losses } = this;
      const [value, replicas] = answer as [unknown, number];
      await this.requireDurable();
      const had = replicas === 0 ? 0 : Number(await this.plain.call("WAIT", replicas, retryMs));
      // WAIT on this connection does not wait for the writes of another one.
      if (had >= replicas && losses === this.losses) return value;
      throw new Error("NOREPLICAS Not all replicas have what was written.");
    });
  }

  /** Runs a blocking command, as `call` does. */
  wait(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.retry(() => this.waiting.call(command, ...args));
  }

  /** Sets a time limit for all commands, including those in progress. Resolves to whether Redis answers. */
  giveUp(): Promise<boolean> {
    this.givenUp.abort();
    return this.call("PING").then(
      () => true,
      () => false,
    );
  }

  /** The time limit for one answer after `giveUp`, in milliseconds. An answer usually takes a hundredth of it. */
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
        // Redis ends blocking commands when it becomes a replica or the stream is deleted. The next answer tells which.
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

  /** Reads whether Redis may lose confirmed writes, once per server that this link was connected to. */
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
    // A command in progress when Redis died is sent again after it is back. Each command is safe to repeat.
    maxRetriesPerRequest: null,
    retryStrategy: (tries: number) => Math.min(1000, 50 * tries),
    // The name may now resolve to another server, which is the master.
    reconnectOnError: ({ message }) => message.includes("READONLY"),
  });
  // A failed command is sent again, or rejects at its caller.
  return redis.on("error", () => undefined);
}

async function connected(redis: Redis, name: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let cause: unknown;
  // The error of connecting itself only reports that the connection was closed.
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

/** Names a Redis without the password in its address. */
function nameOf(url: string): string {
  return `The Redis at ${new URL(url).host}`;
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/;

function whyNotConnected(error: unknown): string {
  const { code, message = "" } = error as { readonly code?: string; readonly message?: string };
  // Errors of Redis itself begin with an error word.
  const [word = ""] = message.split(" ");
  if (["WRONGPASS", "NOAUTH", "NOPERM"].includes(word)) {
    return `does not let you in (${word}). Check the user and password in --queue.`;
  }
  if (code === undefined) return `did not answer within ${connectMs / 1000} s.`;
  if (!certificateCodes.test(code)) return `could not be reached (${code}).`;
  return `has a certificate that is not trusted (${code}). Set NODE_EXTRA_CA_CERTS to a file with its authority's certificate.`;
}
