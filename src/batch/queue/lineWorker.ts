import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { hostname } from "node:os";
import { type LineResult, notSentResult } from "../../core/invocation/run/lineResult";
import { pause, within } from "../../registry/wait";
import type { SendLine } from "../lineDispatcher";
import {
  type LineQueue,
  type RegisteredRun,
  readJob,
  type TakenLine,
  takeLines,
} from "./lineQueue";
import { QueueProblem, type RedisLink } from "./redisLink";

/** Thrown for a line that the worker could not claim, so it must not be sent. */
class NotClaimed extends Error {
  constructor(readonly result: LineResult | undefined) {
    super("The line was not claimed.");
  }
}

/** The queue of a skill, with the function that sends its lines. */
export interface WorkedQueue {
  readonly queue: LineQueue;
  readonly send: SendLine;
}

/** A result that Redis did not accept. Its run will not learn how the line ended. */
export interface UnreportedLine {
  readonly run: string;
  readonly line: number;
  readonly result: LineResult;
}

/** How a worker ended. */
export interface WorkEnding {
  /** Whether Redis still responded when the worker stopped. */
  readonly isReachable: boolean;
  readonly unreported: readonly UnreportedLine[];
  /** The reason, if the worker stopped because of an error. */
  readonly problem: string | undefined;
}

/** How long a request waits for lines before the worker looks for new runs, in milliseconds. */
const waitMs = 250;
/** The pause before retrying while the cost limit or the size of the results holds up lines, in milliseconds. */
const retryMs = 100;
const tooExpensive = "Its invocation could exceed --max-cents.";

/**
 * Takes lines and sends them, `jobs` at once, until `signal` fires or Redis rejects a command. Then calls `waiting`
 * with the number of sent lines in progress, and resolves after they have ended.
 */
export async function workLines(
  link: RedisLink,
  worked: readonly WorkedQueue[],
  jobs: number,
  signal: AbortSignal,
  waiting: (lines: number) => void = () => undefined,
): Promise<WorkEnding> {
  const worker = new LineWorker(link, worked, jobs, signal);
  return worker.work(waiting);
}

type WorkedLine = TakenLine & WorkedQueue;

class LineWorker {
  private readonly name = `${hostname()} ${process.pid} ${randomBytes(4).toString("hex")}`;
  private readonly underWay = new Map<WorkedLine, Promise<void>>();
  private readonly unreported: UnreportedLine[] = [];
  private sent = 0;
  /**
   * The number of results that wait because the run has no room for them. Results of further lines would have to wait
   * too.
   */
  private waitingResults = 0;
  private readonly stopped = new AbortController();
  private readonly signal: AbortSignal;
  private problem: { readonly error: unknown } | undefined;

  constructor(
    private readonly link: RedisLink,
    private readonly worked: readonly WorkedQueue[],
    private readonly jobs: number,
    given: AbortSignal,
  ) {
    this.signal = AbortSignal.any([given, this.stopped.signal]);
    // Each wait adds a listener.
    setMaxListeners(0, this.signal);
  }

  async work(waiting: (lines: number) => void): Promise<WorkEnding> {
    const ended = new AbortController();
    const keeping = this.keepLines(ended.signal).catch(this.stop);
    const taking = this.takeLines().catch(this.stop);
    await new Promise<void>((stopped) => {
      if (this.signal.aborted) stopped();
      this.signal.addEventListener("abort", () => stopped());
    });
    if (this.sent > 0) waiting(this.sent);
    // From now on, commands time out if Redis does not respond.
    const isReachable = await this.link.giveUp();
    await taking;
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay.values());
    ended.abort();
    const unregistered = this.worked.map(({ queue }) => queue.unregister(this.name));
    await within(Promise.allSettled([...unregistered, keeping]), this.link.answerMs);
    this.link.close();
    const { error } = this.problem ?? {};
    if (error !== undefined && !(error instanceof QueueProblem)) throw error;
    return { isReachable, unreported: this.unreported, problem: error?.message };
  }

  /** Stops the worker after an error that affects all lines. */
  private readonly stop = (error: unknown): void => {
    if (!this.signal.aborted) this.problem ??= { error };
    this.stopped.abort();
  };

  private async takeLines(): Promise<void> {
    const { signal, link } = this;
    let runs: readonly RegisteredRun<WorkedQueue>[] = [];
    let readAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      const room = this.jobs - this.underWay.size;
      if (room <= 0) {
        await Promise.race(this.underWay.values());
        continue;
      }
      if (this.waitingResults > 0) {
        await pause(retryMs, signal);
        continue;
      }
      if (performance.now() - readAt >= waitMs) {
        const found = this.worked.map(async (item) => {
          return (await item.queue.runs()).map((run) => ({ ...item, run }));
        });
        runs = (await Promise.all(found)).flat();
        readAt = performance.now();
      }
      if (runs.length === 0) {
        await pause(waitMs, signal);
        continue;
      }
      const lines = await takeLines(link, this.name, runs, room, waitMs);
      if (lines === "gone") readAt = Number.NEGATIVE_INFINITY;
      else for (const line of lines) this.begin(line);
    }
  }

  private begin(line: WorkedLine): void {
    const carried = this.sendLine(line)
      .catch(this.stop)
      .finally(() => this.underWay.delete(line));
    this.underWay.set(line, carried);
  }

  private async sendLine(line: WorkedLine): Promise<void> {
    const { queue, send, run } = line;
    // The token is new for each attempt, since the same line may come to this worker again.
    const token = randomBytes(8).toString("hex");
    let isSent = false;
    let reported: Promise<boolean> | undefined;
    const onAnswer = (result: LineResult) => {
      reported = this.report(line, result);
      // A rejection is handled where the promise is awaited below.
      reported.catch(() => undefined);
    };
    const beforeSend = async () => {
      let answer = await queue.claim(run, line.job, token);
      // Lines in progress may be cheaper than expected.
      while (answer === "full" && !this.signal.aborted) {
        await pause(retryMs, this.signal);
        answer = await queue.claim(run, line.job, token);
      }
      if (answer === "over") throw new NotClaimed(notSentResult(tooExpensive));
      if (answer === "full") throw new NotClaimed(notSentResult());
      if (answer !== "taken") throw new NotClaimed(undefined);
      this.sent += 1;
      isSent = true;
    };
    try {
      const payload = { text: line.text, source: "queue:" };
      const callbacks = { beforeSend, onAnswer, mayWait: async () => true };
      const end = await send(payload, callbacks, this.signal);
      // Another worker may send a line that this one did not send.
      const result = end.kind === "ended" ? end.result : notSentResult(end.why || undefined);
      if (!(await (reported ?? this.report(line, result))) && isSent) {
        this.unreported.push({ run, line: readJob(line.job).line, result });
      }
    } catch (error) {
      if (!(error instanceof NotClaimed)) throw error;
      // A line that another worker has claimed stays assigned to it. So the run notices if that worker is silent.
      if (error.result !== undefined) await this.report(line, error.result);
    } finally {
      if (isSent) this.sent -= 1;
    }
  }

  /** Reports a result. Retries until there is room for it. Returns false if the worker stopped first. */
  private async report(line: WorkedLine, result: LineResult): Promise<boolean> {
    const text = JSON.stringify(result);
    const { cents, expectedCents } = result.facts;
    let isHeld = false;
    try {
      for (;;) {
        const isTaken = await line.queue
          .report(line, text, cents ?? expectedCents)
          .catch((error: unknown) => {
            if (!(error instanceof QueueProblem)) throw error;
            this.stop(error);
            return undefined;
          });
        if (isTaken === true) return true;
        if (isTaken === undefined || this.signal.aborted) return false;
        if (!isHeld) this.waitingResults += 1;
        isHeld = true;
        await pause(retryMs, this.signal);
      }
    } finally {
      if (isHeld) this.waitingResults -= 1;
    }
  }

  /** Keeps the worker registered, and keeps its lines assigned to it. */
  private async keepLines(ended: AbortSignal): Promise<void> {
    const { silenceMs } = this.link;
    while (!ended.aborted) {
      for (const { queue } of this.worked) await queue.register(this.name, silenceMs * 2);
      for (const { queue } of this.worked) {
        const lines = [...this.underWay.keys()].filter((line) => line.queue === queue);
        for (const run of new Set(lines.map((line) => line.run))) {
          const ids = lines.filter((line) => line.run === run).map(({ id }) => id);
          await queue.keepAlive(run, this.name, ids);
        }
      }
      await pause(silenceMs / 4, ended);
    }
  }
}
