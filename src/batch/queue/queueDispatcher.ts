import { randomBytes } from "node:crypto";
import {
  type EarlierLine,
  type LineResult,
  notSentResult,
  readLineResult,
} from "../../core/invocation/run/lineResult";
import { pause, within } from "../../registry/wait";
import type { InputLine, LineDispatcher, LineEvent, RunCost } from "../lineDispatcher";
import { jobOf, type LineQueue, type ReportedLine, type RunLimits, readJob } from "./lineQueue";

interface PendingLine {
  readonly onEvent: (event: LineEvent) => void;
  readonly bytes: number;
  /** Whether its worker was silent at the last check. The result may still arrive. */
  isSilent: boolean;
}

/** The number of lines in the queue at once, enough for 25 workers. */
const defaultQueuedLines = 200;
/** The maximum size of the payloads in the queue at once, in bytes. A single larger payload is allowed. */
const maxPayloadBytes = 33_554_432;
/**
 * How many lines, or bytes of results, are deleted from Redis together. Each deletion waits for the journal's flush.
 */
const maxNoted = { lines: 50, bytes: 4_194_304 };

/** Dispatches the lines of a run to workers on any machine, through a queue in Redis. */
export class QueueDispatcher implements LineDispatcher {
  readonly id = randomBytes(8).toString("hex");
  readonly defaultJobs = defaultQueuedLines;
  readonly recoveryHint =
    " What a worker still hands in within a day, --resume takes from the queue.";
  private readonly pending = new Map<string, PendingLine>();
  /** The event callbacks of lost lines, whose results may still arrive. */
  private readonly lostLines = new Map<string, (event: LineEvent) => void>();
  /** Lines that Redis deleted without a worker, because this program paused for longer than the run's lease. */
  private readonly orphaned = new Set<string>();
  private readonly closing = new AbortController();
  private readonly waitingForRoom: (() => void)[] = [];
  private notedLines: ReportedLine[] = [];
  private limits: RunLimits = { perMinute: undefined };
  private jobCount = 0;
  private bytes = 0;
  private failure: string | undefined;
  private withdrawal: Promise<void> | undefined;

  /**
   * `perMinute` reads the limit for all workers, again with each lease. `flushed` resolves once all entries are on the
   * disk; until then, Redis keeps the results.
   */
  constructor(
    readonly queue: LineQueue,
    private readonly perMinute: () => Promise<number | undefined>,
    private readonly flushed: () => Promise<void>,
  ) {}

  async begin(cost: RunCost | undefined): Promise<void> {
    this.limits = { perMinute: await this.perMinute(), cost };
    await this.queue.lease(this.id, this.limits, "begins");
    void this.readResults();
    void this.keepLease();
  }

  /**
   * Ends an earlier run, and finds the outcome of its lines. Waits for lines that workers are still sending, at most
   * until these workers are silent. Calls `waiting` when this wait starts.
   */
  async recoverRun(
    run: string,
    signal: AbortSignal,
    waiting: () => void,
  ): Promise<(line: number) => EarlierLine> {
    const claims = await this.queue.end(run, false);
    const sent = [...(claims ?? [])].flatMap(([job, by]) => (isUnclaimed(by) ? [] : [job]));
    for (let isSaid = false; !signal.aborted; isSaid = true) {
      const silent = new Set((await this.queue.pending(run, this.queue.link.silenceMs)).map(jobIn));
      const held = (await this.queue.pending(run, 0)).map(jobIn);
      if (!held.some((job) => sent.includes(job) && !silent.has(job))) break;
      if (!isSaid) waiting();
      await pause(pollMs, signal);
    }
    await this.queue.end(run, true);
    // If a line was sent several times, the last attempt counts.
    const last = new Map<number, { readonly tries: number; readonly by: string }>();
    for (const [job, by] of claims ?? []) {
      const { line, tries } = readJob(job);
      if (tries > (last.get(line)?.tries ?? 0)) last.set(line, { tries, by });
    }
    const results = await this.queue.remainingResults(run);
    const ended = new Map<number, LineResult>();
    for (const { job, text } of results) {
      const { line, tries } = readJob(job);
      const result = readLineResult(text);
      if (result === undefined) continue;
      // A result with `ended` proves that the line was sent, no matter what other reports say. A report that the line
      // was not sent counts only for the last attempt.
      const isLast = tries >= (last.get(line)?.tries ?? 0);
      if (result.next === "ended" || (isLast && ended.get(line) === undefined)) {
        ended.set(line, result);
      }
    }
    return (line) => {
      const result = ended.get(line);
      if (result !== undefined) return result.next === "ended" ? result : "notSent";
      const by = last.get(line)?.by;
      return claims !== undefined && isUnclaimed(by) ? "notSent" : undefined;
    };
  }

  /** Adds a line to the queue, for the first free worker, after its start is in the journal. */
  send({ line, text }: InputLine, onEvent: (event: LineEvent) => void): void {
    void this.enqueue(line, text, onEvent).catch((error: unknown) =>
      onEvent({ kind: "failed", error }),
    );
  }

  /** Withdraws all lines that no worker has claimed. */
  stop(): void {
    void this.withdrawAll();
  }

  private async enqueue(
    line: number,
    text: string,
    onEvent: (event: LineEvent) => void,
  ): Promise<void> {
    const bytes = Buffer.byteLength(text);
    while (this.bytes > 0 && this.bytes + bytes > maxPayloadBytes) {
      await new Promise<void>((free) => this.waitingForRoom.push(free));
    }
    this.bytes += bytes;
    if (this.withdrawal !== undefined || this.failure !== undefined) {
      this.bytes -= bytes;
      onEvent(this.failure === undefined ? { kind: "stopped", why: "" } : refused(this.failure));
      return;
    }
    await new Promise<void>((send, fail) => onEvent({ kind: "started", send, fail }));
    this.jobCount += 1;
    const job = jobOf(line, this.jobCount);
    this.pending.set(job, { onEvent, bytes, isSilent: false });
    if (this.failure !== undefined) {
      this.settleUnsent(job);
      return;
    }
    try {
      // If the response is lost, waiting is safe. Adding the line again after its result was deleted would send it
      // twice.
      const isAdded = await this.queue.add(this.id, job, text);
      // A line cannot be added if the run was disconnected for so long that Redis deleted its lines. The run then
      // withdraws this line too.
      if (!isAdded) await this.withdraw(job);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends the run when no line is in progress. Does not wait for an unreachable Redis. */
  async close(): Promise<void> {
    this.closing.abort();
    const { link } = this.queue;
    const isThere = await link.giveUp();
    const tidied = isThere && this.failure === undefined ? this.deleteRun() : Promise.resolve();
    await within(
      tidied.catch(() => undefined),
      link.answerMs,
    );
    link.close();
  }

  private async deleteRun(): Promise<void> {
    await this.deleteNotedLines();
    await this.queue.delete(this.id);
  }

  /** Withdraws all lines that no worker has claimed. Afterwards, no worker can claim them or later ones. */
  private withdrawAll(): Promise<void> {
    this.withdrawal ??= this.queue.end(this.id, false).then(
      (claims) => {
        if (claims === undefined) this.fail(forgotten);
        for (const job of [...this.pending.keys()]) {
          if (isUnclaimed(claims?.get(job))) this.settleUnsent(job);
        }
      },
      (error: unknown) => this.fail(error),
    );
    for (const free of this.waitingForRoom.splice(0)) free();
    return this.withdrawal;
  }

  /**
   * Withdraws a line unless a worker has claimed it. Afterwards, nobody can claim it. Resolves to whether it was
   * withdrawn.
   */
  private async withdraw(job: string): Promise<boolean> {
    if ((await this.queue.withdraw(this.id, job)) !== "taken") return false;
    this.settleUnsent(job);
    return true;
  }

  private settleUnsent(job: string): void {
    const noted = () => this.addNotedLine({ id: "0-0", job, text: "" });
    this.settle(job, { kind: "ended", result: notSentResult(), noted });
  }

  private settle(job: string, event: LineEvent): void {
    const line = this.pending.get(job);
    if (line === undefined) return;
    this.pending.delete(job);
    this.bytes -= line.bytes;
    for (const free of this.waitingForRoom.splice(0)) free();
    line.onEvent(event);
  }

  /** Ends all lines with an unknown outcome, because the queue cannot be used. */
  private fail(why: unknown): void {
    if (this.closing.signal.aborted) return;
    this.failure ??= why instanceof Error ? why.message : String(why);
    for (const job of [...this.pending.keys()]) {
      this.settle(job, refused(this.failure));
    }
  }

  private async readResults(): Promise<void> {
    const { link } = this.queue;
    let [after, losses] = ["0", link.losses];
    while (!this.closing.signal.aborted && this.failure === undefined) {
      // After a reconnect, another Redis may number its results from an earlier ID.
      if (losses !== link.losses) [after, losses] = ["0", link.losses];
      const results = await this.queue.results(this.id, after).catch((error: unknown) => {
        this.fail(error);
        return [];
      });
      for (const reported of results) {
        after = reported.id;
        this.takeResult(reported);
      }
    }
  }

  private takeResult(reported: ReportedLine): void {
    const { job, text } = reported;
    const noted = () => this.addNotedLine(reported);
    const onEvent = this.lostLines.get(job);
    const result = readLineResult(text);
    if (!this.pending.has(job) && onEvent === undefined) {
      // A result may arrive twice, because a response was lost or two programs reported it.
      noted();
    } else if (result === undefined) {
      // An unreadable result does not show how the line ended.
      this.markLost(job);
    } else {
      this.lostLines.delete(job);
      onEvent?.({ kind: "ended", result, noted });
      this.settle(job, { kind: "ended", result, noted });
    }
  }

  private markLost(job: string): void {
    const line = this.pending.get(job);
    if (line === undefined) return;
    this.lostLines.set(job, line.onEvent);
    this.settle(job, { kind: "lost" });
  }

  private addNotedLine(reported: ReportedLine): void {
    this.notedLines.push(reported);
    const bytes = this.notedLines.reduce((sum, { text }) => sum + text.length, 0);
    if (this.notedLines.length >= maxNoted.lines || bytes >= maxNoted.bytes) {
      void this.deleteNotedLines();
    }
  }

  private async deleteNotedLines(): Promise<void> {
    const noted = this.notedLines;
    this.notedLines = [];
    // If the journal or Redis fails here, the lines stay in Redis for a day.
    await this.flushed()
      .then(() => this.queue.deleteNoted(this.id, noted))
      .catch(() => undefined);
  }

  /** Renews the run's lease from time to time, and finds lines whose worker is silent. */
  private async keepLease(): Promise<void> {
    const { signal } = this.closing;
    for (;;) {
      await pause(this.queue.link.silenceMs / 2, signal);
      if (signal.aborted || this.failure !== undefined) return;
      await this.renewLease().catch((error: unknown) => this.fail(error));
    }
  }

  private async renewLease(): Promise<void> {
    // The renewal must not wait for a slow registry.
    void this.perMinute().then((perMinute) => {
      this.limits = { ...this.limits, perMinute };
    });
    const step = this.withdrawal === undefined ? "goes on" : "ends";
    const answer = await this.queue.lease(this.id, this.limits, step);
    if (answer === "forgotten") this.fail(forgotten);
    if (answer === "over") this.fail("The run was resumed elsewhere.");
    if (answer === "emptied") for (const job of this.pending.keys()) this.orphaned.add(job);
    const silent = new Map(
      (await this.queue.pending(this.id, this.queue.link.silenceMs)).map(([id, job]) => [job, id]),
    );
    for (const job of new Set([...this.orphaned, ...silent.keys()])) {
      if (!(await this.endSilentLine(job))) continue;
      this.orphaned.delete(job);
      const id = silent.get(job);
      if (id !== undefined) await this.queue.drop(this.id, [id]);
    }
    await this.queue.billLost(this.id, [...this.lostLines.keys()]);
    const lines = [...this.pending.keys()];
    for (const job of await this.queue.missing(this.id, lines)) await this.withdraw(job);
    await this.deleteNotedLines();
  }

  /**
   * Ends a line whose worker is silent, after one more round in which its result may arrive. Resolves to whether the
   * line has ended.
   */
  private async endSilentLine(job: string): Promise<boolean> {
    const line = this.pending.get(job);
    if (line === undefined || (await this.withdraw(job))) return true;
    if (line.isSilent) this.markLost(job);
    const wasSilent = line.isSilent;
    line.isSilent = true;
    return wasSilent;
  }
}

function refused(why: string): LineEvent {
  return { kind: "refused", why };
}

const forgotten = "Redis forgot what it had confirmed.";

/** How often to check whether the lines of an earlier run have ended, in milliseconds. */
const pollMs = 200;

function jobIn([, job]: readonly [id: string, job: string]): string {
  return job;
}

/** Returns whether no worker has claimed a line: it is in the queue, was withdrawn, or never arrived. */
function isUnclaimed(by = ""): boolean {
  return by === "" || by === "run";
}
