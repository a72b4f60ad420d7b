import { setMaxListeners } from "node:events";
import type { Redis } from "ioredis";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import { oneLine } from "../../core/text/plainText";
import { orAbort, pause } from "../../registry/wait";

/** How a Redis is used. */
export interface QueueSettings {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /** Whether it need not say that it writes to disk before it answers. */
  readonly isTrusted: boolean;
  /** After this many milliseconds of silence a worker counts as dead. */
  readonly silenceMs?: number;
  /** Called once when Redis refuses commands for now, and they are repeated. */
  readonly refused?: (message: string) => void;
}

/** Says for people why a Redis cannot be used. */
export class QueueProblem extends CommandError {
  /** `code` is the word by which Redis itself says what is wrong; empty where it did not. */
  constructor(
    message: string,
    readonly code = "",
  ) {
    super(message, exitCodes.unknown);
  }
}

/** A process that only waits is silent this long only if it is dead, stopped or cut off. */
const usualSilenceMs = 10_000;
/** The timeout of the first connection, in milliseconds. */
const connectMs = 10_000;
/** How long after a refusal a command is repeated, in milliseconds. */
const repeatMs = 500;

/**
 * What Redis refuses for now, as if it could not be reached: it is full, its disk is, it is a replica, starts, or
 * changes its master. A script names it inside its message.
 */
const refusedForNow =
  /(?:^|[\s-])(OOM|MISCONF|READONLY|LOADING|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|BUSY) /;

/** The connections to a Redis, until `close`. Commands wait for as long as it cannot be reached, until `giveUp`. */
export class RedisLink {
  readonly silenceMs: number;
  /** Which Redis it is, as messages name it. */
  readonly name: string;
  private readonly givenUp = new AbortController();
  private refused = 0;

  private constructor(
    private readonly plain: Redis,
    /** A connection for commands that wait at Redis, which would block others. */
    private readonly waiting: Redis,
    private readonly settings: QueueSettings,
  ) {
    this.silenceMs = settings.silenceMs ?? usualSilenceMs;
    this.name = nameOf(settings.url);
    // One for each command that is under way.
    setMaxListeners(0, this.givenUp.signal);
  }

  /** Connects. Rejects with a `QueueProblem` where the Redis cannot be reached, or may forget what it has confirmed. */
  static async open(settings: QueueSettings): Promise<RedisLink> {
    // Few commands need it.
    const { Redis: Client } = await import("./redisClient");
    const [plain, waiting] = [connection(Client, settings.url), connection(Client, settings.url)];
    const link = new RedisLink(plain, waiting, settings);
    try {
      await connected(plain, link.name);
      await connected(waiting, link.name);
      if (!settings.isTrusted) await link.requireDurable();
    } catch (error) {
      link.close();
      throw error;
    }
    return link;
  }

  /** Whether Redis refuses commands now. */
  get isRefusing(): boolean {
    return this.refused > 0;
  }

  /** Rejects with a `QueueProblem` where Redis rejects the command, or gives no answer after `giveUp`. */
  call(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.answered(() => this.plain.call(command, ...args));
  }

  /** Runs a script as `call` runs a command. */
  eval(script: string, keys: readonly string[], ...args: readonly (string | number)[]) {
    return this.answered(() => this.plain.eval(script, keys.length, ...keys, ...args));
  }

  /** Runs a command that waits at Redis, as `call` does. */
  wait(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.answered(() => this.waiting.call(command, ...args));
  }

  /** Sets a time limit for all commands, also those under way. Resolves to whether Redis answers. */
  giveUp(): Promise<boolean> {
    this.givenUp.abort();
    return this.call("PING").then(
      () => true,
      () => false,
    );
  }

  /** How long a Redis that answers may take, once nobody waits for another: a hundredth of this is usual. */
  get answerMs(): number {
    return this.silenceMs / 5;
  }

  /** Closes the connections; waiting commands reject. */
  close(): void {
    this.givenUp.abort();
    this.plain.disconnect();
    this.waiting.disconnect();
  }

  private async answered(send: () => Promise<unknown>): Promise<unknown> {
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
        const { message } = known.error as Error;
        // What waits there, Redis ends where it becomes a replica, or the stream goes: the next answer says which.
        if (message.startsWith("UNBLOCKED") && !signal.aborted) {
          await pause(repeatMs, signal);
          continue;
        }
        const [, word] = refusedForNow.exec(message) ?? [];
        if (word === undefined || signal.aborted) throw this.problem(message);
        if (!isRefused) this.noteRefused(word);
        isRefused = true;
        await pause(repeatMs, signal);
      }
    } finally {
      if (isRefused) this.refused -= 1;
    }
  }

  private noteRefused(word: string): void {
    this.refused += 1;
    if (this.refused > 1) return;
    this.settings.refused?.(`${this.name} takes nothing for now (${word}). Trying again.`);
  }

  private problem(reason: string): QueueProblem {
    const [code] = reason.split(" ");
    return new QueueProblem(`${this.name} rejected a command: ${oneLine(reason, 200)}`, code);
  }

  private async requireDurable(): Promise<void> {
    for (const [name, wanted] of Object.entries(durable)) {
      const answer = await this.call("CONFIG", "GET", name).catch(() => []);
      const [, value] = answer as readonly unknown[];
      if (value === wanted) continue;
      throw new QueueProblem(
        `${this.name} may forget what was sent: it does not say that ${name} is ${wanted}. Set that, or pass --trust-queue where it is known to hold.`,
      );
    }
  }
}

/** The settings with which Redis forgets nothing that it has confirmed. */
const durable = { appendonly: "yes", appendfsync: "always", "maxmemory-policy": "noeviction" };

function connection(Client: typeof Redis, url: string): Redis {
  const redis = new Client(url, {
    lazyConnect: true,
    connectTimeout: connectMs,
    // A command that was in progress when Redis died is sent again once it is back: each may be repeated.
    maxRetriesPerRequest: null,
    retryStrategy: (tries: number) => Math.min(1000, 50 * tries),
    // Its name may lead to another one now, which is the master.
    reconnectOnError: ({ message }) => message.includes("READONLY"),
  });
  // What fails is sent again, or rejects where it was wanted.
  return redis.on("error", () => undefined);
}

async function connected(redis: Redis, name: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let cause: unknown;
  // Connecting itself only says that the connection was closed.
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

/** Names a Redis without the password that its address may have. */
function nameOf(url: string): string {
  return `The Redis at ${new URL(url).host}`;
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/;

function whyNotConnected(error: unknown): string {
  const { code, message = "" } = error as { readonly code?: string; readonly message?: string };
  // What Redis itself rejects begins with a word for it.
  const [word = ""] = message.split(" ");
  if (["WRONGPASS", "NOAUTH", "NOPERM"].includes(word)) {
    return `does not let you in (${word}). Check the user and password in --queue.`;
  }
  if (code === undefined) return `did not answer within ${connectMs / 1000} s.`;
  if (!certificateCodes.test(code)) return `could not be reached (${code}).`;
  return `has a certificate that is not trusted (${code}). Set NODE_EXTRA_CA_CERTS to a file with its authority's certificate.`;
}
