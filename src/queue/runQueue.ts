import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Queue, Worker } from "bullmq";
import {
  type LineResult,
  notSentResult,
  type QueuedLine,
  readLineResult,
} from "../core/invocation/run/queuedLine";
import { within } from "../registry/wait";
import { byRun, QueueProblem, type RedisQueue } from "./redisQueue";

/** What became of a line that was given to workers. */
export type CarriedEnding =
  | {
      readonly kind: "carried";
      readonly result: LineResult;
      /** Whether the run took it back, since it sends nothing more. */
      readonly isTakenBack?: true;
    }
  /** Whoever claimed it is silent: its outcome is unknown, unless it still comes. */
  | { readonly kind: "lost"; readonly late: Promise<LineResult> };

/** What is known of a line of a run before this one that nothing was known of: its result, or that nobody sent it. */
export type LeftLine = LineResult | "notSent" | undefined;

interface PendingLine {
  readonly settle: (ending: CarriedEnding) => void;
  /** Whether it was gone from the queue when it was last looked for, with a result perhaps on the way. */
  isGone: boolean;
}

const lookAgainMs = 500;
/**
 * How many results that were read stay in Redis: a run that is killed may have read some that its journal does not have
 * yet, and the next one finds them there. More than are noted at any time, and little memory.
 */
const keptResults = 1000;

/** The side of a queue on which a run gives away lines, one run at a time. */
export class RunQueue {
  /** Names the run, for those that go on with its lines. */
  readonly id = randomBytes(8).toString("hex");
  private readonly pending = new Map<string, PendingLine>();
  private readonly late = new Map<string, (result: LineResult) => void>();
  /** The IDs of results that were read and are still in Redis, the last one among them. */
  private readonly read: string[] = [];
  private readonly jobs: Queue;
  private readonly keeper: Worker;
  private readonly closing = new AbortController();
  private added = 0;

  private constructor(private readonly queue: RedisQueue) {
    this.jobs = queue.jobs();
    this.keeper = queue.worker(null);
  }

  /**
   * Takes the queue. Where a run was killed, its time has to pass first; rejects with a `QueueProblem` where another
   * run has it. `perMinute` holds for all workers; `waiting` hears once that, and for how many seconds at most.
   */
  static async open(
    queue: RedisQueue,
    perMinute: number | undefined,
    signal: AbortSignal,
    waiting: (seconds: number) => void = () => undefined,
  ): Promise<RunQueue> {
    const run = new RunQueue(queue);
    const longestMs = queue.silenceMs * 3 + 2 * lookAgainMs;
    const end = performance.now() + longestMs;
    let isSaid = false;
    while (!(await queue.lease(run.id))) {
      if (!isSaid) waiting(Math.ceil(longestMs / 1000));
      isSaid = true;
      if (performance.now() > end) {
        throw new QueueProblem("Another run has the queue. Wait until it has ended.");
      }
      await pause(lookAgainMs, undefined, { signal });
    }
    // What a killed run left here, no worker may send any more.
    await run.jobs.drain();
    const rate = queue.key("rate");
    await (perMinute === undefined ? queue.call("DEL", rate) : queue.call("SET", rate, perMinute));
    await run.keeper.startStalledCheckTimer();
    void run.readResults();
    void run.lookAfter();
    return run;
  }

  workers(): Promise<number> {
    return this.jobs.getWorkersCount();
  }

  /** Finds out what became of lines that a run before this one left, which is no longer there. */
  async leftBy(run: string): Promise<(line: number) => LeftLine> {
    const { claims, results } = await this.queue.end(run);
    // The last of several tries is the one that was left.
    const ended = new Map(results.map(({ job, text }) => [lineOf(job), readLineResult(text)]));
    const byWorkers = [...(claims ?? [])].filter(([, by]) => by !== byRun);
    const claimed = new Set(byWorkers.map(([job]) => lineOf(job)));
    return (line) => {
      const result = ended.get(line);
      if (result !== undefined) return result.next === "ended" ? result : "notSent";
      return claims === undefined || claimed.has(line) ? undefined : "notSent";
    };
  }

  /**
   * Gives the payload of a line to whichever worker takes it first, and waits for what becomes of it. Once `signal`
   * fires, it is taken back unless a worker sends it.
   */
  async send(line: number, text: string, signal: AbortSignal): Promise<CarriedEnding> {
    this.added += 1;
    const job = jobOf(this.id, line, this.added);
    const ending = new Promise<CarriedEnding>((settle) => {
      this.pending.set(job, { settle, isGone: false });
    });
    const stop = () =>
      void this.takeBack(job, "It was taken back from the queue.").catch(() => undefined);
    // One for each line that is in progress.
    setMaxListeners(0, signal);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    const queued: QueuedLine = { run: this.id, text };
    try {
      await this.jobs.add("line", queued, { jobId: job, attempts: 1 });
      return await ending;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Nothing may be in progress any more. A Redis that is gone is not waited for. */
  async close(): Promise<void> {
    this.closing.abort();
    const isThere = await this.queue.leave();
    const tidied = (isThere ? this.forget() : Promise.resolve())
      .then(() => this.keeper.close(!isThere))
      .then(() => this.jobs.close())
      .catch(() => undefined);
    await within(tidied, this.queue.answerMs);
    this.queue.close();
  }

  private async forget(): Promise<void> {
    await this.queue.dropResults(this.id, this.read);
    await this.queue.forget(this.id);
  }

  /** Ends a line that no worker has claimed, nor can from now on. Resolves to whether it did. */
  private async takeBack(job: string, message?: string): Promise<boolean> {
    if ((await this.queue.takeBack(this.id, job)) !== "taken") return false;
    await this.jobs.remove(job).catch(() => undefined);
    const result = notSentResult(message);
    const isTakenBack = message === undefined ? {} : ({ isTakenBack: true } as const);
    this.settle(job, { kind: "carried", result, ...isTakenBack });
    return true;
  }

  private settle(job: string, ending: CarriedEnding): void {
    this.pending.get(job)?.settle(ending);
    this.pending.delete(job);
  }

  private async readResults(): Promise<void> {
    while (!this.closing.signal.aborted) {
      const results = await this.queue.results(this.id, this.read.at(-1) ?? "0").catch(() => []);
      for (const { id, job, text } of results) {
        this.read.push(id);
        const result = readLineResult(text);
        // What cannot be read says nothing of the line, which stays open until it counts as lost.
        if (result === undefined) continue;
        this.settle(job, { kind: "carried", result });
        this.late.get(job)?.(result);
        this.late.delete(job);
      }
      const noted = this.read.splice(0, Math.max(0, this.read.length - keptResults));
      await this.queue.dropResults(this.id, noted).catch(() => undefined);
      if (results.length === 0) await pause(1);
    }
  }

  /** Keeps the queue, and finds lines that left it without a result: their worker went silent. */
  private async lookAfter(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      await pause(this.queue.silenceMs / 2, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.lookOnce().catch(() => undefined);
    }
  }

  private async lookOnce(): Promise<void> {
    await this.queue.lease(this.id);
    for (const [job, line] of [...this.pending]) {
      const state = await this.jobs.getJobState(job);
      if (state !== "unknown" && state !== "failed") continue;
      if (await this.takeBack(job)) continue;
      if (line.isGone && this.pending.has(job)) {
        const late = new Promise<LineResult>((resolve) => this.late.set(job, resolve));
        this.settle(job, { kind: "lost", late });
      }
      line.isGone = true;
    }
  }
}

/** Names a try of a line. */
function jobOf(run: string, line: number, tries: number): string {
  return `${run}-${line}-${tries}`;
}

/** Reads the line that a name of `jobOf` is of; not a number for any other. */
function lineOf(job: string): number {
  return Number(job.split("-")[1]);
}
