import { setMaxListeners } from "node:events";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { sha256 } from "../engine/sha256";
import { orAbort } from "../registry/wait";

/** Which lines a queue has: those of one version of a skill at one registry. */
export interface QueueOf {
  /** As records name it: its address, or `built-in`. */
  readonly registry: string;
  readonly skill: string;
  readonly version: string;
}

/** How a Redis is used. */
export interface QueueSettings {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /** Whether it need not say that it writes to disk before it answers. */
  readonly isTrusted: boolean;
  /** After so many milliseconds of silence, whoever had a line counts as dead. */
  readonly silenceMs?: number;
}

/** Says why a Redis cannot be used, for people. */
export class QueueProblem extends Error {}

const prefix = "skill-registry";
/** Stands for the run itself among those that claimed lines. */
export const byRun = "run";
/** A process that does nothing else than wait is silent this long only where it is dead, stopped or cut off. */
const usualSilenceMs = 10_000;
/** How long the first connection may take. */
const connectMs = 10_000;
/** What a run leaves that was killed, is gone after a day. */
const leftoverSeconds = 86_400;

/** Takes a line for a worker or, to take it back, for the run: once, and for a worker only while the run is there. */
const claimScript = `
local run = redis.call('GET', KEYS[1])
if ARGV[3] ~= '' and not run then return 'gone' end
if ARGV[3] ~= '' and run ~= ARGV[3] then return 'other' end
if redis.call('HEXISTS', KEYS[2], 'begun') == 0 then return 'forgotten' end
redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2])
if redis.call('HGET', KEYS[2], ARGV[1]) == ARGV[2] then return 'taken' end
return 'held'`;

/** Takes the queue for a run, or keeps it. */
const leaseScript = `
local run = redis.call('GET', KEYS[1])
if run and run ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/** Lets no line of a run be claimed any more, and reads which were; empty where Redis does not know. */
const endScript = `
if redis.call('HEXISTS', KEYS[1], 'begun') == 1 then
  redis.call('HDEL', KEYS[1], 'begun')
  redis.call('HSET', KEYS[1], 'over', '1')
end
return redis.call('HGETALL', KEYS[1])`;

/** What came of claiming a line: `taken` by whoever asked, `held` by another, its run is `gone`, or an `other` has the queue, or Redis has `forgotten` who had it. */
type ClaimAnswer = "taken" | "held" | "gone" | "other" | "forgotten";

/** A queue in Redis, until `close`. Commands wait for as long as Redis cannot be reached, until `leave`. */
export class RedisQueue {
  private readonly leaving = new AbortController();

  private constructor(
    private readonly connections: { readonly plain: Redis; readonly blocking: Redis },
    private readonly name: string,
    readonly silenceMs: number,
    /** Which Redis it is, as messages name it. */
    readonly redis: string,
  ) {
    // One for each command that is under way.
    setMaxListeners(0, this.leaving.signal);
  }

  /** Connects. Rejects with a `QueueProblem` where the Redis cannot be reached, or may forget what it has confirmed. */
  static async open(of: QueueOf, settings: QueueSettings): Promise<RedisQueue> {
    const { url, isTrusted, silenceMs = usualSilenceMs } = settings;
    const plain = connection(url);
    const blocking = connection(url);
    try {
      await connected(plain, url);
      await connected(blocking, url);
      if (!isTrusted) await requireDurable(plain, url);
    } catch (error) {
      plain.disconnect();
      blocking.disconnect();
      throw error;
    }
    const name = sha256([of.registry, of.skill, of.version].join("\0")).slice(0, 16);
    return new RedisQueue({ plain, blocking }, name, silenceMs, addressText(url));
  }

  /** The names of keys beside those of the queue itself. */
  key(...parts: readonly string[]): string {
    return [prefix, this.name, ...parts].join(":");
  }

  call(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.answered(this.connections.plain.call(command, ...args));
  }

  eval(script: string, keys: readonly string[], ...args: readonly (string | number)[]) {
    return this.answered(this.connections.plain.eval(script, keys.length, ...keys, ...args));
  }

  /**
   * From now on, commands reject with a `QueueProblem` that Redis does not answer in time, also those under way. Resolves
   * to whether it answers.
   */
  leave(): Promise<boolean> {
    this.leaving.abort();
    return this.call("PING").then(
      () => true,
      () => false,
    );
  }

  /** How long a Redis that answers may take, once nobody waits for another: a hundredth of this is usual. */
  get answerMs(): number {
    return this.silenceMs / 5;
  }

  private async answered(command: Promise<unknown>): Promise<unknown> {
    const whole = command.then((value) => ({ value }));
    const answer = await orAbort(whole, this.leaving.signal, this.answerMs);
    if (answer === undefined) throw new QueueProblem(`${this.redis} does not answer.`);
    return answer.value;
  }

  /** Takes the queue for a run, or keeps it: while it does, no other run can. */
  async lease(run: string): Promise<boolean> {
    const isTaken = await this.eval(leaseScript, [this.key("run")], run, this.silenceMs * 3);
    if (isTaken !== 1) return false;
    await this.call("HSET", this.key("claims", run), "begun", "1");
    await this.call("EXPIRE", this.key("claims", run), leftoverSeconds);
    return true;
  }

  /**
   * Claims a line for a worker: only one that has `taken` it may send it, at once. `token` is of this try alone, which
   * may ask again where the answer was lost.
   */
  claim(run: string, job: string, token: string): Promise<ClaimAnswer> {
    return this.claimAs(run, job, token, run);
  }

  /** Claims a line for its run: where it is `taken`, nobody has sent it or ever will. */
  takeBack(run: string, job: string): Promise<ClaimAnswer> {
    return this.claimAs(run, job, byRun, "");
  }

  private async claimAs(run: string, job: string, by: string, needs: string) {
    const keys = [this.key("run"), this.key("claims", run)];
    return (await this.eval(claimScript, keys, job, by, needs)) as ClaimAnswer;
  }

  /** Hands a result to the run. */
  async report(run: string, job: string, result: string): Promise<void> {
    const stream = this.key("results", run);
    await this.call("XADD", stream, "*", "job", job, "result", result);
    await this.call("EXPIRE", stream, leftoverSeconds);
  }

  /** Waits for results behind the one with the ID `after`, `0` for the first. Empty after a while without any. */
  async results(run: string, after: string): Promise<ReturnType<typeof readEntries>> {
    const { blocking } = this.connections;
    const wait = ["COUNT", 10, "BLOCK", 2000, "STREAMS", this.key("results", run), after];
    const answer = (await blocking.call("XREAD", ...wait)) as
      | readonly (readonly [string, unknown])[]
      | null;
    return readEntries(answer?.[0]?.[1] ?? []);
  }

  /** Deletes results by their IDs. */
  async dropResults(run: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.call("XDEL", this.key("results", run), ...ids);
  }

  /**
   * Ends a run that was killed, or ended without all results: reads who claimed its lines, by their jobs (undefined
   * where that is not known), and the results that came since. Nobody claims any other of its lines.
   */
  async end(run: string) {
    const flat = (await this.eval(endScript, [this.key("claims", run)])) as readonly string[];
    const claims = new Map(
      flat.flatMap((job, at) => (at % 2 === 0 ? [[job, flat[at + 1] ?? ""] as const] : [])),
    );
    const entries = await this.call("XRANGE", this.key("results", run), "-", "+");
    return { claims: claims.has("over") ? claims : undefined, results: readEntries(entries) };
  }

  /** Opens the queue itself, to add lines. */
  jobs(): Queue {
    const queue = new Queue(`lines-${this.name}`, this.shared());
    return queue.on("error", ignore);
  }

  /** Opens it to take lines, or with null only to look after those whose worker went silent: they fail. */
  worker(process: ConstructorParameters<typeof Worker>[1], concurrency = 1): Worker {
    const worker = new Worker(`lines-${this.name}`, process, {
      ...this.shared(),
      autorun: false,
      concurrency,
      lockDuration: this.silenceMs,
      stalledInterval: this.silenceMs / 2,
      // Its worker may have sent it: nobody else may take it.
      maxStalledCount: 0,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    return worker.on("error", ignore);
  }

  private shared() {
    return { connection: this.connections.plain, prefix };
  }

  /** Deletes what a run has here, but for results that it has not read: the next run may. */
  async forget(run: string): Promise<void> {
    await this.call("DEL", this.key("claims", run));
    await this.eval(
      "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end",
      [this.key("run")],
      run,
    );
  }

  /** Ends also what waits for results, which rejects. */
  close(): void {
    this.connections.plain.disconnect();
    this.connections.blocking.disconnect();
  }
}

/** Reads the entries of a stream of results. */
function readEntries(entries: unknown) {
  type Entry = readonly [id: string, fields: readonly string[]];
  return (entries as readonly Entry[]).map(([id, [, job = "", , text = ""]]) => {
    return { id, job, text };
  });
}

/** What fails is tried again, or rejects where it was wanted. */
function ignore(): void {}

function connection(url: string): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectMs,
    // A command that was in progress when Redis died is sent again once it is back: each may be repeated.
    maxRetriesPerRequest: null,
    retryStrategy: (tries: number) => Math.min(1000, 50 * tries),
  });
  return redis.on("error", ignore);
}

async function connected(redis: Redis, url: string): Promise<void> {
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
    throw new QueueProblem(`${addressText(url)} ${whyNotConnected(cause ?? error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Names a Redis without the password that its address may have. */
function addressText(url: string): string {
  const { host } = new URL(url);
  return `The Redis at ${host}`;
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

/** What a Redis must be set to, so that it forgets nothing that it has confirmed. */
const durable = { appendonly: "yes", appendfsync: "always", "maxmemory-policy": "noeviction" };

async function requireDurable(redis: Redis, url: string): Promise<void> {
  for (const [name, wanted] of Object.entries(durable)) {
    const answer = await redis.call("CONFIG", "GET", name).catch(() => []);
    const [, value] = answer as readonly unknown[];
    if (value === wanted) continue;
    throw new QueueProblem(
      `${addressText(url)} may forget what was sent: it does not say that ${name} is ${wanted}. Set that, or pass --trust-queue where it is known to hold.`,
    );
  }
}
