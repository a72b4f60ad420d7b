import { CommandError } from "../core/findings/commandError";
import { exitCodes } from "../core/findings/report";
import type { Amount } from "../core/invocation/cost";
import { waitText } from "../core/invocation/rateLimit";
import { awaitedText, linesText } from "../core/invocation/run/lineFailures";
import { type LineResult, stopsRun } from "../core/invocation/run/lineResult";
import { isUncertain, type JournalState, mayExceed } from "../core/invocation/run/runJournal";
import { expectedAmount } from "../core/invocation/underWay";
import type { InvocationPrice } from "../core/skill/price";
import { english } from "../core/text/language";
import { inputLines, isToSend, type RunInputs, shortDigest } from "./inputLines";
import type { Journal } from "./journal";
import type { InputLine, LineDispatcher, LineEvent } from "./lineDispatcher";
import type { OrderedResults } from "./results";

/** The options and limits of a run. An undefined limit means no limit. */
interface BatchOptions extends RunInputs {
  /** The short digests of the lines that were checked and are to be sent, in order. */
  readonly toSend: readonly number[];
  readonly price: InvocationPrice;
  /** The maximum number of lines in progress at once. */
  readonly jobs: number;
  readonly maxCents: number | undefined;
  /** The maximum time that a line may wait for the rate limit, in seconds. */
  readonly maxWait: number;
  /** Whether to continue if the registry accepts lines without executing them. */
  readonly allowsUnexecuted: boolean;
}

/** The outputs of a run, and its callbacks. */
export interface BatchOutputs {
  readonly journal: Journal;
  /** Undefined if ordered results were not requested. */
  readonly results: OrderedResults | undefined;
  readonly screen: {
    /** Shows how many lines are done. */
    readonly done: (lines: number) => void;
    /** Shows for how many seconds the rate limit delays lines. */
    readonly waits: (seconds: number) => void;
    readonly say: (message: string) => void;
  };
}

/** Why a run stopped before its last line. */
interface BatchStop {
  readonly error: CommandError;
  /** The version that ran instead of the agreed one. */
  readonly otherVersion?: string | undefined;
}

/** The run stops after this many unknown outcomes in a row, since their cause affects all lines. */
const maxUnknownInARow = 3;

/**
 * Sends the checked lines through a dispatcher, several at once. Resolves when every sent line has ended: to the reason
 * for an early stop, or undefined. After `signal` fires, sends no more lines.
 */
export async function runBatch(
  options: BatchOptions,
  dispatcher: LineDispatcher,
  outputs: BatchOutputs,
  signal: AbortSignal,
): Promise<BatchStop | undefined> {
  const batch = new Batch(options, dispatcher, outputs);
  signal.addEventListener("abort", batch.cancel);
  if (signal.aborted) batch.cancel();
  try {
    return await batch.run();
  } finally {
    signal.removeEventListener("abort", batch.cancel);
  }
}

/** A line in progress. */
interface Underway {
  readonly input: InputLine;
  isSent: boolean;
  /** Whether the journal has its end. */
  isNoted: boolean;
}

/** The loop of a run. All of its state changes here, by one event of a line after another. */
class Batch {
  private readonly events: (readonly [line: number, event: LineEvent])[] = [];
  private wake: () => void = () => undefined;
  private readonly underway = new Map<number, Underway>();
  /** Lines that the rate limit refused, to be sent again. */
  private readonly retries: InputLine[] = [];
  private readonly before: JournalState;
  private stop: BatchStop | undefined;
  private failure: { readonly error: unknown } | undefined;
  private isCanceled = false;
  /** Whether the rate limit rejected a line that this run will not send again. */
  private hasUnsent = false;
  private isRead = false;
  private taken = 0;
  private done = 0;
  private unknownInARow = 0;
  /**
   * The cost of the last billed line. The next lines are expected to cost the same, even if the catalog lists another
   * price.
   */
  private billed: Amount | undefined;

  constructor(
    private readonly options: BatchOptions,
    private readonly dispatcher: LineDispatcher,
    private readonly outputs: BatchOutputs,
  ) {
    this.before = outputs.journal.state();
  }

  async run(): Promise<BatchStop | undefined> {
    const lines = inputLines(this.options);
    try {
      for (;;) {
        this.handleAll();
        if (this.hasRoom()) await this.startNext(lines);
        else if (this.underway.size === 0) break;
        else if (this.events.length === 0) await new Promise<void>((heard) => (this.wake = heard));
      }
      this.outputs.results?.finish();
    } finally {
      await lines.return(undefined);
    }
    if (this.failure !== undefined) throw this.failure.error;
    if (this.stop !== undefined) return this.stop;
    const isWhole = !this.hasUnsent && this.taken === this.options.toSend.length;
    return this.isCanceled && !isWhole ? { error: canceled() } : undefined;
  }

  /** Sends no more lines, and tells the person which sent lines the run still waits for. */
  readonly cancel = (): void => {
    if (this.isCanceled) return;
    this.isCanceled = true;
    this.dispatcher.stop();
    this.wake();
    const lines = [...this.underway].flatMap(([line, { isSent }]) => (isSent ? [line] : []));
    if (lines.length === 0) return;
    lines.sort((one, other) => one - other);
    this.outputs.screen.say(awaitedText(linesText(lines), lines.length));
  };

  private get hasStopped(): boolean {
    return this.isCanceled || this.stop !== undefined || this.failure !== undefined;
  }

  /** Stops the run for a reason. Only the first reason is reported. */
  private end(message: string, exitCode: number, otherVersion?: string): void {
    this.stop ??= { error: new CommandError(message, exitCode), otherVersion };
    this.dispatcher.stop();
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    this.dispatcher.stop();
  }

  /**
   * Returns whether another line may start. With a cost limit, the first line runs alone, because it shows whether a
   * skill that is listed as free is billed. If the lines in progress could exceed the limit, they end first, since they
   * may be cheaper than expected.
   */
  private hasRoom(): boolean {
    const { underway, retries, options, done } = this;
    if (this.hasStopped || (this.isRead && retries.length === 0)) return false;
    if (underway.size === 0) return true;
    const isFirst = options.maxCents !== undefined && done === 0;
    return underway.size < options.jobs && !isFirst && !this.costsTooMuch();
  }

  /** Takes the next line and gives it to the dispatcher. */
  private async startNext(lines: AsyncGenerator<InputLine>): Promise<void> {
    const next = this.retries.shift() ?? (await this.readNext(lines));
    if (next === undefined || this.hasStopped) return;
    const { line } = next;
    if (this.costsTooMuch()) {
      const message = `Stopped before line ${line}: its invocation could exceed --max-cents. Raise it and continue with --resume.`;
      this.end(message, exitCodes.findings);
      return;
    }
    this.underway.set(line, { input: next, isSent: false, isNoted: false });
    this.dispatcher.send(next, (event) => {
      this.events.push([line, event]);
      this.wake();
    });
  }

  private async readNext(lines: AsyncGenerator<InputLine>): Promise<InputLine | undefined> {
    const { options, before, outputs } = this;
    const { toSend } = options;
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) {
        this.isRead = true;
        if (this.taken < toSend.length) this.endChanged();
        return undefined;
      }
      const isSent = isToSend(value.line, options, before);
      outputs.results?.add(value.line, !isSent);
      if (!isSent) continue;
      // The file may change during the run. Only lines that were checked and agreed to are sent.
      if (shortDigest(value.digest) !== toSend[this.taken]) {
        this.endChanged();
        return undefined;
      }
      this.taken += 1;
      return value;
    }
  }

  private endChanged(): void {
    const message = `Stopped: ${this.options.inputsName} changed after its lines were checked. Continue with --resume.`;
    this.end(message, exitCodes.broken);
  }

  private handleAll(): void {
    for (const [line, event] of this.events.splice(0)) {
      try {
        this.handle(line, event);
      } catch (error) {
        this.fail(error);
      }
    }
  }

  private handle(line: number, event: LineEvent): void {
    switch (event.kind) {
      case "started":
        this.started(line, event);
        break;
      case "held":
        event.answer(this.mayWait(line, event.seconds));
        break;
      case "answered":
        this.noteEnd(line, this.underway.get(line), event.result);
        break;
      case "ended":
        this.ended(line, event.result);
        break;
      case "stopped":
        this.underway.delete(line);
        if (event.why === "") this.stop ??= { error: canceled() };
        else {
          const why = `Stopped before line ${line}. ${event.why}\nContinue with --resume.`;
          this.end(why, exitCodes.findings);
        }
        break;
      case "failed":
        this.underway.delete(line);
        this.fail(event.error);
    }
  }

  private started(line: number, { send, fail }: Extract<LineEvent, { kind: "started" }>): void {
    const { journal } = this.outputs;
    const pending = this.underway.get(line);
    try {
      if (pending === undefined) throw new Error(`Line ${line} is not on its way.`);
      const at = Date.now();
      const unsent = [...this.underway].filter(([other, { isSent }]) => other < line && !isSent);
      const passed = unsent.map(([other]) => other);
      const { digest } = pending.input;
      const isAgain = this.options.again.has(line);
      journal.note(
        isAgain
          ? { kind: "again", line, at, ...this.expected() }
          : {
              ...{ kind: "started", line, digest },
              ...(passed.length > 0 && { passed }),
              ...{ at, ...this.expected() },
            },
      );
      pending.isSent = true;
      journal.flush().then(send, fail);
    } catch (error) {
      // A line is sent only after its start is on the disk. After a failed write, later ones fail too.
      fail(error);
      throw error;
    }
  }

  /** Writes the end of a line once, as soon as it is known, so that the journal has its cost even after a kill. */
  private noteEnd(line: number, pending: Underway | undefined, result: LineResult): void {
    if (pending?.isNoted === true) return;
    const { next, facts, outputText } = result;
    if (pending !== undefined) pending.isNoted = true;
    const kind = next === "ended" ? "ended" : "notRun";
    this.outputs.journal.note({ kind, line, ...facts }, outputText);
  }

  private ended(line: number, result: LineResult): void {
    const { results } = this.outputs;
    const { next, facts } = result;
    const pending = this.underway.get(line);
    if (pending === undefined) return;
    this.underway.delete(line);
    this.noteEnd(line, pending, result);
    if (next === "ended") {
      results?.end(line);
      this.release(line);
      this.judge(line, result);
    } else if (next === "hold") {
      if (this.mayWait(line, result.waitSeconds)) this.retries.push(pending.input);
      else this.hasUnsent = true;
    } else {
      const code = result.isUnreached === true ? exitCodes.unknown : exitCodes.findings;
      this.end(`Stopped at line ${line}. ${facts.message ?? facts.status}`, code);
    }
  }

  /** Ends the work on a line. */
  private release(line: number): void {
    this.underway.delete(line);
    this.done += 1;
    this.outputs.screen.done(this.done);
  }

  /** Decides whether the end of a line stops the run. */
  private judge(line: number, result: LineResult): void {
    const { facts, otherVersion } = result;
    const { cents, currency, message, status } = facts;
    if (cents !== undefined) this.billed = { cents, currency: currency ?? "" };
    const stop = stopsRun(result, this.options.allowsUnexecuted);
    if (stop !== undefined) {
      const next = stop === "unexecuted" ? " Send the other lines with --resume --unexecuted." : "";
      const why = `Stopped at line ${line}. ${message ?? `It ended with: ${status}.`}${next}`;
      this.end(why, exitCodes.findings, otherVersion);
    }
    this.unknownInARow = isUncertain(facts) ? this.unknownInARow + 1 : 0;
    if (this.unknownInARow < maxUnknownInARow) return;
    this.end(
      `Stopped at line ${line}: the outcome of the last ${this.unknownInARow} invocations is unknown. Check them in the project, then continue with --resume.`,
      exitCodes.unknown,
    );
  }

  private mayWait(line: number, seconds: number): boolean {
    const { maxWait } = this.options;
    if (seconds > maxWait) {
      const why = `Stopped before line ${line}: the rate limit requires a wait of ${waitText(seconds, english)}, more than --max-wait ${maxWait} allows. Continue later with --resume.`;
      this.end(why, exitCodes.findings);
      return false;
    }
    if (seconds > 0) this.outputs.screen.waits(seconds);
    return !this.hasStopped;
  }

  /** Returns the expected cost of the next line; undefined if unknown. */
  private expected(): Amount | undefined {
    return expectedAmount({ price: this.options.price, billed: this.billed });
  }

  private costsTooMuch(): boolean {
    const { outputs, options, underway } = this;
    let unsent = 0;
    if (options.maxCents !== undefined) {
      for (const { isSent } of underway.values()) if (!isSent) unsent += 1;
    }
    return mayExceed(outputs.journal.state(), this.expected(), options.maxCents, unsent);
  }
}

function canceled(): CommandError {
  return new CommandError("Canceled. Continue with --resume.", exitCodes.unknown);
}
