import { sha256 } from "../../engine/sha256";
import type { RunCost } from "../lineCarrier";
import {
  addScript,
  claimScript,
  dropScript,
  endScript,
  group,
  keepScript,
  leaseScript,
  lostScript,
  notedScript,
  pendingScript,
  reportScript,
  runsScript,
  statusScript,
  takeBackScript,
  timeText,
} from "./queueScripts";
import { QueueProblem, type RedisLink } from "./redisLink";

/** Which lines a queue has: those of one version of a skill at one registry. */
export interface QueueOf {
  /** As records name it: its address, or `built-in`. */
  readonly registry: string;
  readonly skill: string;
  readonly version: string;
}

/** A line that a worker took. */
export interface TakenLine {
  readonly run: string;
  /** Names this try of the line. */
  readonly job: string;
  /** Its entry in the stream. */
  readonly id: string;
  /** The payload, as it was typed. */
  readonly text: string;
}

/** A result that a worker handed over. */
export interface ReportedLine {
  readonly id: string;
  readonly job: string;
  readonly text: string;
}

/**
 * What came of claiming a line: `taken` by whoever asked, `held` by another, the run is `gone`, Redis has `forgotten` who
 * had it, its cost waits for those that are under way (`full`), or would be more than the run may cost (`over`).
 */
export type ClaimAnswer = "taken" | "held" | "gone" | "forgotten" | "full" | "over";

/** What a run allows all its workers. */
export interface RunLimits {
  /** How many may leave in any minute; undefined for no limit. */
  readonly perMinute: number | undefined;
  readonly cost?: RunCost | undefined;
}

/** Whether a run keeps its place: it does, its lines are gone (`emptied`), it is `over`, or Redis has `forgotten` it. */
type LeaseAnswer = "kept" | "emptied" | "over" | "forgotten";

/** Who works for a queue, and what there is to do. */
export interface QueueStatus {
  /** The workers that were there lately, by their names. */
  readonly workers: readonly string[];
  /** The runs that are there: how many of their lines are in the queue, and how many of these workers have. */
  readonly runs: readonly {
    readonly run: string;
    readonly lines: number;
    readonly taken: number;
  }[];
  /** How many results were handed over in the last minute. */
  readonly lastMinute: number;
}

/** Redis deletes what a killed run left after this time, a day. */
const leftoverSeconds = 86_400;
/**
 * More bytes of results than these wait for their run as long as it is there: workers then hold theirs, and send
 * nothing more. One result has at most 10 MB.
 */
const maxResultBytes = 33_554_432;
/** The number of renewals in the lifetime of a run's lease: a run may miss two of them. */
const leases = 3;

/** Names a key in Redis, after what it is about. */
export function keyOf(kind: string, ...about: readonly string[]): string {
  return `skill-registry:${kind}:${sha256(about.join("\0")).slice(0, 16)}`;
}

/** Names the key of what runs of a skill allow in any minute, whatever its version. */
export function ratesKey(registry: string, skill: string): string {
  return keyOf("rates", registry, skill);
}

/** A queue in Redis: its keys, and what is asked of them. */
export class LineQueue {
  private readonly base: string;
  private readonly rates: string;

  constructor(
    readonly link: RedisLink,
    of: QueueOf,
  ) {
    this.base = keyOf("queue", of.registry, of.skill, of.version);
    this.rates = ratesKey(of.registry, of.skill);
  }

  /** Names a key of the queue. */
  key(...parts: readonly string[]): string {
    return [this.base, ...parts].join(":");
  }

  /**
   * Registers a run that begins, or keeps it for three times the silence: while it is there, workers send its lines.
   * `limits` hold for all workers meanwhile. One that `ends` keeps only what was claimed.
   */
  async lease(run: string, { perMinute, cost }: RunLimits, step: "begins" | "goes on" | "ends") {
    const keys = [this.key("runs"), this.rates, ...this.keysOf(run)];
    const ms = this.link.silenceMs * leases;
    const code = { begins: "1", "goes on": "0", ends: "2" }[step];
    const money = [cost?.maxCents ?? "", cost?.eachCents ?? ""];
    const given = [run, ms, leftoverSeconds, perMinute ?? "", code, ...money];
    return (await this.link.eval(leaseScript, keys, ...given)) as LeaseAnswer;
  }

  /** Returns whether the line could be added: its run may no longer be there. */
  async add(run: string, job: string, text: string): Promise<boolean> {
    return (await this.link.eval(addScript, this.keysOf(run), job, text)) === 1;
  }

  /** Lists the runs that are there and may have lines: of one that was resumed elsewhere, these are gone before it is. */
  async runs(): Promise<readonly string[]> {
    const keys = [this.key("runs")];
    return (await this.link.eval(runsScript, keys, this.key("lines", ""))) as readonly string[];
  }

  /**
   * Claims a line for a worker: only one that has `taken` it may send it, at once. `token` is of this try alone, which
   * may ask again where the answer was lost.
   */
  async claim(run: string, job: string, token: string): Promise<ClaimAnswer> {
    return (await this.link.eval(claimScript, this.keysOf(run), job, token)) as ClaimAnswer;
  }

  /** Claims a line for its run: where it is `taken`, nobody has sent it or ever will. */
  async takeBack(run: string, job: string): Promise<ClaimAnswer> {
    return (await this.link.eval(takeBackScript, this.keysOf(run), job)) as ClaimAnswer;
  }

  /** Finds the lines that workers took and of which they have said nothing for so long, by their entries. */
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

  /** Says that a worker still has lines, by their entries. */
  async keep(run: string, worker: string, ids: readonly string[]): Promise<void> {
    await this.link.eval(keepScript, this.keysOf(run), worker, ...ids);
  }

  /**
   * Hands a result to the run, with what the line may have been billed. Returns whether it was taken: too many bytes may
   * wait there.
   */
  async report({ run, job, id }: Pick<TakenLine, "run" | "job" | "id">, result: string, cents = 0) {
    const given = [id, job, result, leftoverSeconds, maxResultBytes, cents];
    const keys = [...this.keysOf(run), this.key("minute", "")];
    return (await this.link.eval(reportScript, keys, ...given)) === 1;
  }

  /** Counts a line as billed whose worker is silent: those under way need not wait for it. */
  async lost(run: string, job: string): Promise<void> {
    await this.link.eval(lostScript, this.keysOf(run), job);
  }

  /** Waits for results behind the one with the ID `after`, `0` for the first. Empty after a while without any. */
  async results(run: string, after: string): Promise<readonly ReportedLine[]> {
    const asked = ["COUNT", 10, "BLOCK", 2000, "STREAMS", this.key("results", run), after];
    const answer = (await this.link.wait("XREAD", ...asked)) as Streams | null;
    return readResults(answer?.[0]?.[1] ?? []);
  }

  /** Forgets lines whose results are written down. */
  async noted(run: string, lines: readonly ReportedLine[]): Promise<void> {
    if (lines.length === 0) return;
    const args = lines.flatMap(({ id, job, text }) => [id, job, Buffer.byteLength(text)]);
    await this.link.eval(notedScript, this.keysOf(run), ...args);
  }

  /**
   * Ends a run: reads who claimed its lines, by their jobs (undefined where Redis does not know), empty for nobody.
   * Nobody claims any other of them. With `isGone`, its payloads go, too.
   */
  async end(run: string, isGone: boolean): Promise<ReadonlyMap<string, string> | undefined> {
    const flat = await this.link.eval(endScript, this.keysOf(run), isGone ? "1" : "0");
    const claims = pairsOf(flat as readonly string[]);
    return claims.has("begun") ? claims : undefined;
  }

  /** Reads the results of a run that are still there. */
  async left(run: string): Promise<readonly ReportedLine[]> {
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

  /** Deletes what a run has here, but for results that it has not read: who resumes it may. */
  async forget(run: string): Promise<void> {
    await this.link.call("DEL", this.key("lines", run), this.key("claims", run));
    await this.link.call("ZREM", this.key("runs"), run);
    await this.link.call("HDEL", this.rates, run);
  }

  /** Says that a worker is there. */
  async register(worker: string, untilMs: number): Promise<void> {
    const script = `${timeText}\nreturn redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])`;
    await this.link.eval(script, [this.key("workers")], worker, untilMs);
  }

  async unregister(worker: string): Promise<void> {
    await this.link.call("ZREM", this.key("workers"), worker);
  }

  /** Tells who works, and what there is to do. */
  async status(): Promise<QueueStatus> {
    const keys = [this.key("runs"), this.key("workers"), this.key("minute", "")];
    const answer = await this.link.eval(statusScript, keys, this.key("lines", ""));
    type Status = [readonly string[], readonly (readonly [string, number, number])[], number];
    const [workers, runs, lastMinute] = answer as Status;
    return {
      workers,
      runs: runs.map(([run, lines, taken]) => ({ run, lines, taken })),
      lastMinute,
    };
  }

  private keysOf(run: string): readonly string[] {
    return [this.key("lines", run), this.key("claims", run), this.key("results", run)];
  }
}

/** A run that is there, and its queue. */
export type RunOfQueue<
  Queue extends { readonly queue: LineQueue } = { readonly queue: LineQueue },
> = Queue & { readonly run: string };

/**
 * Lets a worker take lines of runs: as many as it has room for, those of different runs in turn. Waits for so many
 * milliseconds where there are none. `gone` where one of the runs is no longer there.
 */
export async function takeLines<Of extends RunOfQueue>(
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

/** Names a try of a line. */
export function jobOf(line: number, tries: number): string {
  return `${line}-${tries}`;
}

/** Reads the name of a try of a line. */
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
