import { randomBytes } from "node:crypto";
import { type LineResult, notSentResult, readQueuedLine } from "../core/invocation/run/queuedLine";
import type { RedisQueue } from "./redisQueue";

/** A line may not be sent: its run took it back, or is no longer there. */
class NotClaimed extends Error {
  constructor(readonly result: LineResult | undefined) {
    super("The line was not claimed.");
  }
}

/** Sends a payload. `claim` comes just before it leaves: where that rejects, nothing may, and `send` rejects with the same. */
export type SendLine = (text: string, claim: () => Promise<void>) => Promise<LineResult>;

/** Takes lines and sends them, `jobs` at once, until `signal` fires and what was sent has ended. */
export async function workLines(
  queue: RedisQueue,
  jobs: number,
  send: SendLine,
  signal: AbortSignal,
): Promise<void> {
  const worker = queue.worker(async ({ id: job = "", data }) => {
    const line = readQueuedLine(data);
    if (line === undefined) return;
    // Of this try alone: the same line may come here again.
    const token = randomBytes(8).toString("hex");
    const claim = async () => {
      const answer = await queue.claim(line.run, job, token);
      if (answer === "other") throw new NotClaimed(notSentResult("Another run has the queue."));
      if (answer === "gone") throw new NotClaimed(notSentResult());
      if (answer !== "taken") throw new NotClaimed(undefined);
    };
    const result = await send(line.text, claim).catch((error: unknown) => {
      if (error instanceof NotClaimed) return error.result;
      throw error;
    });
    if (result !== undefined) await queue.report(line.run, job, JSON.stringify(result));
  }, jobs);
  const stop = new Promise<void>((stopped) => {
    if (signal.aborted) stopped();
    signal.addEventListener("abort", () => stopped());
  });
  const running = worker.run();
  await stop;
  await worker.close();
  await running;
  queue.close();
}
