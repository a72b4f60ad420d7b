import { randomBytes } from "node:crypto";
import {
  type LineResult,
  notSentResult,
  type QueuedLine,
  readQueuedLine,
} from "../core/invocation/run/queuedLine";
import { within } from "../registry/wait";
import { QueueProblem, type RedisQueue } from "./redisQueue";

/** A line may not be sent: its run took it back, or is no longer there. */
class NotClaimed extends Error {
  constructor(readonly result: LineResult | undefined) {
    super("The line was not claimed.");
  }
}

/** Sends a payload. `claim` comes just before it leaves: where that rejects, nothing may, and `send` rejects with the same. */
export type SendLine = (text: string, claim: () => Promise<void>) => Promise<LineResult>;

/** How it went to leave a queue. */
export interface WorkEnding {
  /** Whether Redis answered at the end. */
  readonly isThere: boolean;
  /** How many results it no longer took: their run knows no outcome. */
  readonly lost: number;
}

/**
 * Takes lines and sends them, `jobs` at once, until `signal` fires and what was sent has ended; `waiting` hears then for
 * how many.
 */
export async function workLines(
  queue: RedisQueue,
  jobs: number,
  send: SendLine,
  signal: AbortSignal,
  waiting: (lines: number) => void = () => undefined,
): Promise<WorkEnding> {
  const underWay = new Set<Promise<void>>();
  let [sent, lost] = [0, 0];
  const carry = async (job: string, line: QueuedLine) => {
    // Of this try alone: the same line may come here again.
    const token = randomBytes(8).toString("hex");
    let isSent = false;
    const claim = async () => {
      const answer = await queue.claim(line.run, job, token);
      if (answer === "other") throw new NotClaimed(notSentResult("Another run has the queue."));
      if (answer === "gone") throw new NotClaimed(notSentResult());
      if (answer !== "taken") throw new NotClaimed(undefined);
      sent += 1;
      isSent = true;
    };
    const result = await send(line.text, claim).catch((error: unknown) => {
      if (error instanceof NotClaimed) return error.result;
      if (error instanceof QueueProblem) return undefined;
      throw error;
    });
    if (isSent) sent -= 1;
    if (result === undefined) return;
    await queue.report(line.run, job, JSON.stringify(result)).catch((error: unknown) => {
      if (!(error instanceof QueueProblem)) throw error;
      if (isSent) lost += 1;
    });
  };
  const worker = queue.worker(({ id: job = "", data }) => {
    const line = readQueuedLine(data);
    if (line === undefined) return Promise.resolve();
    const carried = carry(job, line).finally(() => underWay.delete(carried));
    underWay.add(carried);
    return carried;
  }, jobs);
  const stop = new Promise<void>((stopped) => {
    if (signal.aborted) stopped();
    signal.addEventListener("abort", () => stopped());
  });
  const running = worker.run();
  await stop;
  if (sent > 0) waiting(sent);
  // A worker that is closed in good order waits for a Redis that is gone.
  const isThere = await queue.leave();
  const closed = worker.close(!isThere).then(() => running);
  while (underWay.size > 0) await Promise.allSettled(underWay);
  await within(closed, queue.answerMs);
  queue.close();
  return { isThere, lost };
}
