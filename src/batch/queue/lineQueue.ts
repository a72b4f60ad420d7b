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

/** The scope of a queue: lines of one version of a skill at one registry. */
export interface QueueScope {
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
 * The result of a claim. `taken`: the caller has the line. `held`: another worker has it. `gone`: the run has ended.
 * `full`: its cost must wait for lines in progress. `over`: its cost would exceed the run's limit.
 */
type ClaimAnswer = "taken" | "held" | "gone" | "full" | "over";

/** The limits of a run for all its workers together. */
export interface RunLimits {
  /** The maximum for any minute; undefined for no limit. */
  readonly perMinute: number | undefined;
  readonly cost?: RunCost | undefined;
}

/**
 * The state of a run's lease: `kept`, its lines were deleted (`emptied`), the run has ended (`over`), or Redis lost it
 * (`forgotten`).
 */
type LeaseAnswer = "kept" | "emptied" | "over" | "forgotten";

/** The workers and the remaining lines of a queue. */
export interface QueueStatus {
  /** The names of workers that reported lately. */
  readonly workers: readonly string[];
  /** The number of current runs, of their lines in the queue, and of those that these workers hold. */
  readonly runs: number;
  readonly lines: number;
  readonly taken: number;
  /** The number of results in the last minute. */
  readonly lastMinute: number;
}

/** Redis deletes the data of a killed run after this time: a day. */
const leftoverSeconds = 86_400;
/**
 * The maximum bytes of results that wait for their run. Beyond it, workers keep their results and send nothing more.
 * One result has at most 10 MB.
 */
const maxResultBytes = 33_554_432;
/** The number of renewals in the lifetime of a run's lease. A run may miss two of them. */
const leases = 3;

/** Returns the name of a key in Redis. */
export function keyOf(kind: string, ...about: readonly string[]): string {
  return `skill-registry:${kind}:${sha256(about.join("\0")).slice(0, 16)}`;
}

/** Returns the name of the key for a skill's rate limits, which all its versions share. */
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
   * Registers a new run, or renews its lease for three times the silence. Workers send its lines only while it is
   * registered. `limits` hold for all workers meanwhile. A run that `ends` keeps only its claimed lines.
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
   * Lists the registered runs that may have lines. When a run is resumed elsewhere, its lines are deleted before it is
   * unregistered.
   */
  async runs(): Promise<readonly string[]> {
    const keys = [this.key("runs")];
    return (await this.link.eval(runsScript, keys, this.key("lines", ""))) as readonly string[];
  }

  /**
   * Claims a line for a worker. Only a worker that got `taken` may send the line, and must do so at once. `token`
   * belongs to this attempt; the same token may claim again if the answer was lost.
   */
  async claim(run: string, job: string, token: string): Promise<ClaimAnswer> {
    return (await this.link.evalReplicated(
      claimScript,
      this.keysOf(run),
      job,
      token,
    )) as ClaimAnswer;
  }

  /** Claims a line for its run. After `taken`, nobody has sent the line or ever will. */
  async withdraw(run: string, job: string): Promise<ClaimAnswer> {
    return (await this.link.evalReplicated(withdrawScript, this.keysOf(run), job)) as ClaimAnswer;
  }

  /** Finds lines whose workers have been silent for this long, by the IDs of their entries. */
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

  /** Reports that a worker still has lines, by the IDs of their entries. */
  async keepAlive(run: string, worker: string, ids: readonly string[]): Promise<void> {
    await this.link.eval(keepAliveScript, this.keysOf(run), worker, ...ids);
  }

  /**
   * Reports a result to the run, with the amount that may have been billed. Returns false if too many bytes wait there.
   */
  async report({ run, job, id }: Pick<TakenLine, "run" | "job" | "id">, result: string, cents = 0) {
    const given = [id, job, result, leftoverSeconds, maxResultBytes, cents];
    const keys = [...this.keysOf(run), this.key("minute", "")];
    return (await this.link.evalReplicated(reportScript, keys, ...given)) === 1;
  }

  /** Counts the lines of silent workers as billed, so that lines in progress need not wait for them. */
  async billLost(run: string, jobs: readonly string[]): Promise<void> {
    if (jobs.length > 0) await this.link.eval(billLostScript, this.keysOf(run), ...jobs);
  }

  /** Returns the lines that Redis does not know. A replica that became the master may lack the newest ones. */
  async missing(run: string, jobs: readonly string[]): Promise<readonly string[]> {
    if (jobs.length === 0) return [];
    const marks = (await this.link.call("HMGET", this.key("claims", run), ...jobs)) as unknown[];
    return jobs.filter((_, at) => marks[at] === null);
  }

  /** Waits for results after the one with the ID `after`; `0` for the first. Returns none after a timeout. */
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
   * Ends a run, so that nobody can claim more of its lines. Returns the claimant of each line, by its job: empty for
   * nobody, undefined if Redis does not know. With `isGone`, deletes its payloads too.
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

  /** Deletes a run's data except its unread results, which a resumed run may read. */
  async delete(run: string): Promise<void> {
    await this.link.call("DEL", this.key("lines", run), this.key("claims", run));
    await this.link.call("ZREM", this.key("runs"), run);
    await this.link.call("HDEL", this.rates, run);
  }

  /** Registers a worker until `untilMs`. */
  async register(worker: string, untilMs: number): Promise<void> {
    const script = `${nowSource}\nreturn redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])`;
    await this.link.eval(script, [this.key("workers")], worker, untilMs);
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

/** A registered run and its queue. */
export type RegisteredRun<
  Queue extends { readonly queue: LineQueue } = { readonly queue: LineQueue },
> = Queue & { readonly run: string };

/**
 * Takes lines of runs for a worker, as many as it has room for, and of different runs in turn. Waits this many
 * milliseconds if there are none. Returns `gone` if one of the runs is no longer registered.
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

/** Returns the name of one attempt to send a line. */
export function jobOf(line: number, tries: number): string {
  return `${line}-${tries}`;
}

/** Parses the name of an attempt. */
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
