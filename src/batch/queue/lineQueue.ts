import { sha256 } from "../../engine/sha256";
import type { RunCost } from "../lineDispatcher";
import {
  addScript,
  billLostScript,
  claimScript,
  deleteNotedScript,
  dropScript,
  endScript,
  group,
  keepAliveScript,
  leaseScript,
  nowSource,
  pendingScript,
  reportScript,
  runsScript,
  statusScript,
  withdrawScript,
} from "./queueScripts";
import { QueueProblem, type RedisLink } from "./redisLink";

/** The lines that share a queue: those of one version of a skill at one registry. */
interface QueueScope {
  /** The registry as records name it: its address, or `built-in`. */
  readonly registry: string;
  readonly skill: string;
  readonly version: string;
}

/** A line that a worker took. */
export interface TakenLine {
  readonly run: string;
  /** Identifies this attempt to send the line. */
  readonly job: string;
  /** The ID of its entry in the stream. */
  readonly id: string;
  /** The payload as written. */
  readonly text: string;
}

/** A result that a worker reported. */
export interface ReportedLine {
  readonly id: string;
  readonly job: string;
  readonly text: string;
}

/**
 * The result of a claim. `taken`: the caller has the line. `held`: another worker has the line. `gone`: the run has
 * ended. `full`: the line must wait until lines in progress end, since together they could exceed the cost limit.
 * `over`: the line alone would exceed the cost limit.
 */
type ClaimAnswer = "taken" | "held" | "gone" | "full" | "over";

/** The limits of a run for all its workers together. */
export interface RunLimits {
  /** The maximum number of lines per minute; undefined for no limit. */
  readonly perMinute: number | undefined;
  readonly cost?: RunCost | undefined;
}

/**
 * The state of a run after renewing its lease. `kept`: nothing changed. `emptied`: the lease had expired, and the lines
 * were deleted. `over`: the run has ended. `forgotten`: Redis lost the run.
 */
type LeaseAnswer = "kept" | "emptied" | "over" | "forgotten";

/** The workers and the remaining lines of a queue. */
export interface QueueStatus {
  /** The names of the workers that reported recently. */
  readonly workers: readonly string[];
  /** The number of current runs; then the numbers of their lines in the queue and with workers. */
  readonly runs: number;
  readonly lines: number;
  readonly taken: number;
  /** The number of results in the last minute. */
  readonly lastMinute: number;
}

/** The time after which Redis deletes the data of a killed run: a day. */
const leftoverSeconds = 86_400;
/**
 * The maximum size of the results that wait for their run, in bytes. Beyond it, workers keep their results and send no
 * more lines. One result has at most 10 MB.
 */
const maxResultBytes = 33_554_432;
/** The lifetime of a run's lease, in renewals. A run may miss two of them. */
const leases = 3;

/** Returns the name of a key in Redis. */
export function keyOf(kind: string, ...about: readonly string[]): string {
  return `skill-registry:${kind}:${sha256(about.join("\0")).slice(0, 16)}`;
}

/** Returns the name of the key with the limits per minute of a skill's runs. All versions of the skill share it. */
export function ratesKey(registry: string, skill: string): string {
  return keyOf("rates", registry, skill);
}

/** A queue in Redis: its keys and its operations. */
export class LineQueue {
  private readonly base: string;
  private readonly rates: string;

  constructor(
    readonly link: RedisLink,
    of: QueueScope,
  ) {
    this.base = keyOf("queue", of.registry, of.skill, of.version);
    this.rates = ratesKey(of.registry, of.skill);
  }

  /** Returns the name of one of the queue's keys. */
  key(...parts: readonly string[]): string {
    return [this.base, ...parts].join(":");
  }

  /**
   * Registers a run, renews its lease, or ends it, according to `step`. A lease lasts three times as long as a worker
   * may be silent. Workers send lines only of registered runs, within the limits for all workers together. A run that
   * ends keeps only the lines that workers have claimed.
   */
  async lease(run: string, { perMinute, cost }: RunLimits, step: "begins" | "goes on" | "ends") {
    const keys = [...this.keysOf(run), this.key("runs"), this.rates];
    const ms = this.link.silenceMs * leases;
    const code = { begins: "1", "goes on": "0", ends: "2" }[step];
    const money = [cost?.maxCents ?? "", cost?.eachCents ?? ""];
    const given = [run, ms, leftoverSeconds, perMinute ?? "", code, ...money];
    return (await this.link.evalReplicated(leaseScript, keys, ...given)) as LeaseAnswer;
  }

  /** Adds a line. Returns false if its run is no longer registered. */
  async add(run: string, job: string, text: string): Promise<boolean> {
    return (await this.link.eval(addScript, this.keysOf(run), job, text)) === 1;
  }

  /**
   * Lists the registered runs that may have lines. A run that was resumed elsewhere has lost its lines, but may still
   * be registered.
   */
  async runs(): Promise<readonly string[]> {
    const keys = [this.key("runs")];
    return (await this.link.eval(runsScript, keys, this.key("lines", ""))) as readonly string[];
  }

  /**
   * Claims a line for a worker. Only the worker that got `taken` may send the line, and must do so immediately. `token`
   * identifies the attempt, so that it may claim again if the response was lost.
   */
  async claim(run: string, job: string, token: string): Promise<ClaimAnswer> {
    return (await this.link.evalReplicated(
      claimScript,
      this.keysOf(run),
      job,
      token,
    )) as ClaimAnswer;
  }

  /** Claims a line for its run. After `taken`, no worker has sent the line or ever will. */
  async withdraw(run: string, job: string): Promise<ClaimAnswer> {
    return (await this.link.evalReplicated(withdrawScript, this.keysOf(run), job)) as ClaimAnswer;
  }

  /** Finds lines whose workers have been silent for this long. Returns the IDs of their entries in the stream. */
  async pending(
    run: string,
    idleMs: number,
  ): Promise<readonly (readonly [id: string, job: string])[]> {
    const lines = await this.link.eval(pendingScript, this.keysOf(run), idleMs);
    return lines as readonly (readonly [string, string])[];
  }

  async drop(run: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.link.eval(dropScript, this.keysOf(run), ...ids);
  }

  /** Reports that a worker is still working on lines, by the IDs of their entries. */
  async keepAlive(run: string, worker: string, ids: readonly string[]): Promise<void> {
    await this.link.eval(keepAliveScript, this.keysOf(run), worker, ...ids);
  }

  /**
   * Reports the result of a line, with the amount that may have been billed. Returns false if too many bytes of results
   * are waiting.
   */
  async report({ run, job, id }: Pick<TakenLine, "run" | "job" | "id">, result: string, cents = 0) {
    const given = [id, job, result, leftoverSeconds, maxResultBytes, cents];
    const keys = [...this.keysOf(run), this.key("minute", "")];
    return (await this.link.evalReplicated(reportScript, keys, ...given)) === 1;
  }

  /** Counts the lines of silent workers as billed. Otherwise, lines that wait for their end would wait forever. */
  async billLost(run: string, jobs: readonly string[]): Promise<void> {
    if (jobs.length > 0) await this.link.eval(billLostScript, this.keysOf(run), ...jobs);
  }

  /** Returns the jobs that Redis does not know. After a fail-over, the new master may lack the newest ones. */
  async missing(run: string, jobs: readonly string[]): Promise<readonly string[]> {
    if (jobs.length === 0) return [];
    const marks = (await this.link.call("HMGET", this.key("claims", run), ...jobs)) as unknown[];
    return jobs.filter((_, at) => marks[at] === null);
  }

  /** Waits for results after the one with the ID `after`; `0` stands for the start. Returns none after a timeout. */
  async results(run: string, after: string): Promise<readonly ReportedLine[]> {
    const asked = ["COUNT", 10, "BLOCK", 2000, "STREAMS", this.key("results", run), after];
    const answer = (await this.link.wait("XREAD", ...asked)) as Streams | null;
    return readResults(answer?.[0]?.[1] ?? []);
  }

  /** Deletes lines whose results are in the journal. */
  async deleteNoted(run: string, lines: readonly ReportedLine[]): Promise<void> {
    if (lines.length === 0) return;
    const args = lines.flatMap(({ id, job, text }) => [id, job, Buffer.byteLength(text)]);
    await this.link.eval(deleteNotedScript, this.keysOf(run), ...args);
  }

  /**
   * Ends a run, so that nobody can claim more of its lines. Returns who claimed each job: empty for nobody. Undefined
   * if Redis lost the run. With `isGone`, also deletes its payloads.
   */
  async end(run: string, isGone: boolean): Promise<ReadonlyMap<string, string> | undefined> {
    const given = [isGone ? "1" : "0", leftoverSeconds];
    const flat = await this.link.evalReplicated(endScript, this.keysOf(run), ...given);
    const claims = pairsOf(flat as readonly string[]);
    return claims.has("begun") ? claims : undefined;
  }

  /** Reads a run's remaining results. */
  async remainingResults(run: string): Promise<readonly ReportedLine[]> {
    const found: ReportedLine[] = [];
    for (;;) {
      const after = found.at(-1)?.id;
      const start = after === undefined ? "-" : `(${after}`;
      const asked = [this.key("results", run), start, "+", "COUNT", 10];
      const some = readResults((await this.link.call("XRANGE", ...asked)) as readonly Entry[]);
      if (some.length === 0) return found;
      found.push(...some);
    }
  }

  /** Deletes a run's data. Keeps its unread results for a resumed run. */
  async delete(run: string): Promise<void> {
    await this.link.call("DEL", this.key("lines", run), this.key("claims", run));
    await this.link.call("ZREM", this.key("runs"), run);
    await this.link.call("HDEL", this.rates, run);
  }

  /** Registers a worker for this many milliseconds. */
  async register(worker: string, durationMs: number): Promise<void> {
    const script = `${nowSource}\nreturn redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])`;
    await this.link.eval(script, [this.key("workers")], worker, durationMs);
  }

  async unregister(worker: string): Promise<void> {
    await this.link.call("ZREM", this.key("workers"), worker);
  }

  /** Returns the workers and the remaining lines. */
  async status(): Promise<QueueStatus> {
    const keys = [this.key("runs"), this.key("workers"), this.key("minute", "")];
    const answer = await this.link.eval(statusScript, keys, this.key("lines", ""));
    type Status = [readonly string[], number, number, number, number];
    const [workers, runs, lines, taken, lastMinute] = answer as Status;
    return { workers, runs, lines, taken, lastMinute };
  }

  private keysOf(run: string): readonly string[] {
    return [this.key("lines", run), this.key("claims", run), this.key("results", run)];
  }
}

/** A registered run with its queue. */
export type RegisteredRun<
  Queue extends { readonly queue: LineQueue } = { readonly queue: LineQueue },
> = Queue & { readonly run: string };

/**
 * Takes lines for a worker, at most `room`, and distributes this number over the runs. Waits `waitMs` if there are
 * none. Returns `gone` if one of the runs is no longer registered.
 */
export async function takeLines<Of extends RegisteredRun>(
  link: RedisLink,
  worker: string,
  runs: readonly Of[],
  room: number,
  waitMs: number,
): Promise<readonly (TakenLine & Of)[] | "gone"> {
  const keys = runs.map(({ queue, run }) => queue.key("lines", run));
  const each = Math.max(1, Math.floor(room / keys.length));
  const asked = ["GROUP", group, worker, "COUNT", each, "BLOCK", waitMs, "STREAMS", ...keys];
  const answer = await link
    .wait("XREADGROUP", ...asked, ...keys.map(() => ">"))
    .catch((error: unknown) => {
      if (error instanceof QueueProblem && error.code === "NOGROUP") return "gone";
      throw error;
    });
  if (answer === "gone") return "gone";
  return ((answer ?? []) as Streams).flatMap(([key, entries]) => {
    const run = runs[keys.indexOf(key)];
    if (run === undefined) return [];
    return entries.map(([id, [, job = "", , text = ""]]) => ({ ...run, id, job, text }));
  });
}

/** Returns the name of an attempt to send a line. */
export function jobOf(line: number, tries: number): string {
  return `${line}-${tries}`;
}

/** Parses the name of an attempt to send a line. */
export function readJob(job: string): { readonly line: number; readonly tries: number } {
  const [line = 0, tries = 0] = job.split("-").map(Number);
  return { line, tries };
}

type Entry = readonly [id: string, fields: readonly string[]];
type Streams = readonly (readonly [key: string, entries: readonly Entry[]])[];

function readResults(entries: readonly Entry[]): readonly ReportedLine[] {
  return entries.map(([id, [, job = "", , text = ""]]) => ({ id, job, text }));
}

function pairsOf(flat: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ""] as const] : [])),
  );
}
