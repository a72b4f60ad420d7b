import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { type LineResult, notSentResult, readLineResult } from "../core/invocation/run/queuedLine";
import { pause, within } from "../registry/wait";
import { jobOf, type LineQueue, type ReportedLine, readJob } from "./lineQueue";

/** What became of a line that was given to workers. */
export type CarriedEnding =
  | {
      readonly kind: "carried";
      readonly result: LineResult;
      /** Whether the run took it back, since it sends nothing more. */
      readonly isTakenBack?: true;
      /** Says that the result is written down: from then on, Redis need not keep it. */
      readonly noted: () => void;
    }
  /** Whoever claimed it is silent: its outcome is unknown, unless it still comes. */
  | { readonly kind: "lost"; readonly late: Promise<LateResult> }
  /** Nothing more can be known of it: the queue itself cannot be used any more. */
  | { readonly kind: "refused"; readonly message: string };

/** A result that comes after its line counted as lost. */
interface LateResult {
  readonly result: LineResult;
  readonly noted: () => void;
}

/** What is known of a line of a run before this one that nothing was known of: its result, or that nobody sent it. */
export type LeftLine = LineResult | "notSent" | undefined;

interface PendingLine {
  readonly settle: (ending: CarriedEnding) => void;
  readonly bytes: number;
  /** Whether its worker was silent when it was last looked for, with a result perhaps on the way. */
  isSilent: boolean;
}

/** More bytes of payloads than these are not in the queue at once, but for a single one. */
const maxPayloadBytes = 33_554_432;
/** Results that are written down are forgotten together, since that waits for the disk: so many, or so many bytes. */
const notedTogether = { lines: 50, bytes: 4_194_304 };

/** The side of a queue on which a run gives away lines, beside other runs. */
export class RunQueue {
  /** Names the run, for those that go on with its lines. */
  readonly id = randomBytes(8).toString("hex");
  private readonly pending = new Map<string, PendingLine>();
  private readonly late = new Map<string, (late: LateResult) => void>();
  /** Lines that left the queue otherwise than by their worker: it stood still for longer than the run keeps it. */
  private readonly orphaned = new Set<string>();
  private readonly closing = new AbortController();
  private readonly waitingForRoom: (() => void)[] = [];
  private noted: ReportedLine[] = [];
  private added = 0;
  private bytes = 0;
  private refusal: string | undefined;
  private takingBack: Promise<void> | undefined;

  private constructor(
    readonly queue: LineQueue,
    private readonly perMinute: number | undefined,
    private readonly flushed: () => Promise<void>,
  ) {}

  /**
   * Registers a run; `perMinute` holds for all workers while it is there. `flushed` resolves once what was noted is on
   * the disk: until then, Redis keeps the results.
   */
  static async open(
    queue: LineQueue,
    perMinute: number | undefined,
    flushed: () => Promise<void>,
  ): Promise<RunQueue> {
    const run = new RunQueue(queue, perMinute, flushed);
    await queue.lease(run.id, perMinute, "begins");
    void run.readResults();
    void run.lookAfter();
    return run;
  }

  async workers(): Promise<number> {
    return (await this.queue.status()).workers.length;
  }

  /**
   * Finds out what became of lines that a run before this one left, which is no longer there. Those that a worker is
   * sending are waited for, until that run counts as gone; `waiting` hears then that this begins.
   */
  async leftBy(
    run: string,
    signal: AbortSignal,
    waiting: () => void,
  ): Promise<(line: number) => LeftLine> {
    const claims = await this.queue.end(run, false);
    const sent = [...(claims ?? [])].flatMap(([job, by]) => (isUnclaimed(by) ? [] : [job]));
    for (let isSaid = false; !signal.aborted; isSaid = true) {
      const silent = new Set((await this.queue.pending(run, this.queue.link.silenceMs)).map(jobIn));
      const held = (await this.queue.pending(run, 0)).map(jobIn);
      if (!held.some((job) => sent.includes(job) && !silent.has(job))) break;
      if (!isSaid) waiting();
      await pause(lookAgainMs, signal);
    }
    await this.queue.end(run, true);
    // The last of several tries is the one that was left.
    const last = new Map<number, { readonly tries: number; readonly by: string }>();
    for (const [job, by] of claims ?? []) {
      const { line, tries } = readJob(job);
      if (tries > (last.get(line)?.tries ?? 0)) last.set(line, { tries, by });
    }
    const results = await this.queue.left(run);
    const ended = new Map<number, LineResult>();
    for (const { job, text } of results) {
      const { line, tries } = readJob(job);
      const result = readLineResult(text);
      if (result === undefined) continue;
      // A line that ended was sent, whatever else was said. That an earlier try was not, says nothing of the last.
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

  /** Waits until a payload has its place in the queue beside the others. */
  async room(text: string): Promise<void> {
    const bytes = Buffer.byteLength(text);
    while (this.bytes > 0 && this.bytes + bytes > maxPayloadBytes) {
      await new Promise<void>((free) => this.waitingForRoom.push(free));
    }
    this.bytes += bytes;
  }

  /**
   * Gives the payload of a line, which has its `room`, to whichever worker takes it first, and waits for what becomes
   * of it. Once `signal` fires, it is taken back unless a worker sends it.
   */
  async send(line: number, text: string, signal: AbortSignal): Promise<CarriedEnding> {
    this.added += 1;
    const job = jobOf(line, this.added);
    const ending = new Promise<CarriedEnding>((settle) => {
      this.pending.set(job, { settle, bytes: Buffer.byteLength(text), isSilent: false });
    });
    if (this.refusal !== undefined) this.settle(job, { kind: "refused", message: this.refusal });
    // One for all lines.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", this.takeAllBack, { once: true });
    try {
      // Its answer is awaited: what is added again once its result is forgotten would be sent again.
      const isAdded = await this.queue.add(this.id, job, text);
      // A run that was cut off for long finds its lines gone: it has looked after this one, or does now.
      if (!isAdded) await this.takeBack(job);
      if (signal.aborted) await this.takeAllBack();
    } catch (error) {
      this.refuse(error);
    }
    return ending;
  }

  /** Nothing may be in progress any more. A Redis that is gone is not waited for. */
  async close(): Promise<void> {
    this.closing.abort();
    const { link } = this.queue;
    const isThere = await link.giveUp();
    const tidied = isThere && this.refusal === undefined ? this.forget() : Promise.resolve();
    await within(
      tidied.catch(() => undefined),
      link.answerMs,
    );
    link.close();
  }

  private async forget(): Promise<void> {
    await this.forgetNoted();
    await this.queue.forget(this.id);
  }

  /** Ends all lines that no worker has claimed, nor can from now on, nor any that is added later. */
  private readonly takeAllBack = (): Promise<void> => {
    this.takingBack ??= this.queue.end(this.id, false).then(
      (claims) => {
        if (claims === undefined) this.refuse(forgotten);
        for (const job of [...this.pending.keys()]) {
          if (isUnclaimed(claims?.get(job))) this.settleUnsent(job);
        }
      },
      (error: unknown) => this.refuse(error),
    );
    return this.takingBack;
  };

  /** Ends a line that no worker has claimed, nor can from now on. Resolves to whether it did. */
  private async takeBack(job: string): Promise<boolean> {
    if ((await this.queue.takeBack(this.id, job)) !== "taken") return false;
    this.settleUnsent(job);
    return true;
  }

  private settleUnsent(job: string): void {
    const isOver = this.takingBack !== undefined;
    const result = notSentResult(isOver ? "It was taken back from the queue." : undefined);
    const noted = () => this.addNoted({ id: "0-0", job, text: "" });
    this.settle(job, { kind: "carried", result, noted, ...(isOver && { isTakenBack: true }) });
  }

  private settle(job: string, ending: CarriedEnding): void {
    const line = this.pending.get(job);
    if (line === undefined) return;
    this.pending.delete(job);
    this.bytes -= line.bytes;
    for (const free of this.waitingForRoom.splice(0)) free();
    line.settle(ending);
  }

  /** Ends all lines with what is known of them, which is nothing: the queue cannot be used. */
  private refuse(why: unknown): void {
    if (this.closing.signal.aborted) return;
    this.refusal ??= why instanceof Error ? why.message : String(why);
    for (const job of [...this.pending.keys()]) {
      this.settle(job, { kind: "refused", message: this.refusal });
    }
  }

  private async readResults(): Promise<void> {
    let after = "0";
    while (!this.closing.signal.aborted && this.refusal === undefined) {
      const results = await this.queue.results(this.id, after).catch((error: unknown) => {
        this.refuse(error);
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
    const noted = () => this.addNoted(reported);
    const [line, late] = [this.pending.get(job), this.late.get(job)];
    const result = readLineResult(text);
    if (line === undefined && late === undefined) {
      // It was handed over twice, since the answer was lost, or by somebody else.
      noted();
    } else if (result === undefined) {
      // What cannot be read says nothing of the line.
      this.lose(job);
    } else {
      this.late.delete(job);
      late?.({ result, noted });
      this.settle(job, { kind: "carried", result, noted });
    }
  }

  private lose(job: string): void {
    const late = new Promise<LateResult>((resolve) => this.late.set(job, resolve));
    this.settle(job, { kind: "lost", late });
  }

  private addNoted(reported: ReportedLine): void {
    this.noted.push(reported);
    const bytes = this.noted.reduce((sum, { text }) => sum + text.length, 0);
    if (this.noted.length >= notedTogether.lines || bytes >= notedTogether.bytes) {
      void this.forgetNoted();
    }
  }

  private async forgetNoted(): Promise<void> {
    const noted = this.noted;
    this.noted = [];
    // What the disk or Redis does not take stays there for a day.
    await this.flushed()
      .then(() => this.queue.noted(this.id, noted))
      .catch(() => undefined);
  }

  /** Keeps the run registered, and finds lines whose worker went silent. */
  private async lookAfter(): Promise<void> {
    const { signal } = this.closing;
    for (;;) {
      await pause(this.queue.link.silenceMs / 2, signal);
      if (signal.aborted || this.refusal !== undefined) return;
      await this.lookOnce().catch((error: unknown) => this.refuse(error));
    }
  }

  private async lookOnce(): Promise<void> {
    const step = this.takingBack === undefined ? "goes on" : "ends";
    const answer = await this.queue.lease(this.id, this.perMinute, step);
    if (answer === "forgotten") this.refuse(forgotten);
    if (answer === "over") this.refuse("The run was resumed elsewhere.");
    if (answer === "emptied") for (const job of this.pending.keys()) this.orphaned.add(job);
    const silent = new Map(
      (await this.queue.pending(this.id, this.queue.link.silenceMs)).map(([id, job]) => [job, id]),
    );
    for (const job of new Set([...this.orphaned, ...silent.keys()])) {
      if (!(await this.isOver(job))) continue;
      this.orphaned.delete(job);
      const id = silent.get(job);
      if (id !== undefined) await this.queue.drop(this.id, [id]);
    }
    await this.forgetNoted();
  }

  /** Ends a line whose worker is silent, unless it may still have a result on the way. */
  private async isOver(job: string): Promise<boolean> {
    const line = this.pending.get(job);
    if (line === undefined || (await this.takeBack(job))) return true;
    if (line.isSilent) this.lose(job);
    const wasSilent = line.isSilent;
    line.isSilent = true;
    return wasSilent;
  }
}

const forgotten = "Redis forgot what it had confirmed.";

/** How often is looked whether what a run before this one left has ended. */
const lookAgainMs = 200;

function jobIn([, job]: readonly [id: string, job: string]): string {
  return job;
}

/** A line is unclaimed that is in the queue, was taken back, or never came there. */
function isUnclaimed(by = ""): boolean {
  return by === "" || by === "run";
}
