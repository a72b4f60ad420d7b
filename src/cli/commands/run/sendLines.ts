import { exitCodes } from "../../../core/findings/report";
import type { Stopped } from "../../../core/invocation/permission/question";
import { waitText } from "../../../core/invocation/rateLimit";
import { linesText } from "../../../core/invocation/run/lineFailures";
import { type LineResult, lineResult, stopsRun } from "../../../core/invocation/run/queuedLine";
import { isUncertain, mayExceed } from "../../../core/invocation/run/runJournal";
import { expectedCents } from "../../../core/invocation/underWay";
import { type InvocationPrice, invocationPrice } from "../../../core/skill/price";
import type { SkillDetail } from "../../../core/skill/skill";
import { addressText } from "../../../core/skill/skillAddress";
import { english } from "../../../core/text/language";
import type { Asker } from "../../../engine/asker";
import type { Ending, SentPayload } from "../../../engine/passage";
import { outputOf } from "../../../engine/sendInvocation";
import type { CarriedEnding } from "../../../queue/runQueue";
import { stopError } from "../../engine/cliEngine";
import type { StatusLine } from "../../output/statusLine";
import { CliError, type Terminal } from "../../terminal";
import type { PayloadOf } from "./checkLines";
import { type InputLine, inputLines, isToSend, type RunInputs } from "./inputLines";
import type { JournalFile } from "./journalFile";
import { progressBar } from "./progressBar";

/** How a run goes, and what holds it back beside the rate limit; undefined for no limit. */
interface SendOptions extends RunInputs {
  readonly status: StatusLine;
  /** How many may leave in any minute. */
  readonly perMinute: number | undefined;
  /** How many invocations are under way at once. */
  readonly jobs: number;
  readonly maxCents: number | undefined;
  /** How long one line may wait for the rate limit, in seconds. */
  readonly maxWait: number;
  /** Whether it goes on where the registry does not execute what it accepts. */
  readonly allowsUnexecuted: boolean;
}

/** Answers for one line; its start needs no record. */
type LineAsker = Asker & { readonly started: () => Promise<void> };

/** Sends a payload once from here, or has it sent elsewhere; `started` of the asker comes before. */
export interface LineCarrier {
  readonly invoke: (
    payload: SentPayload,
    signal: AbortSignal,
    asker: LineAsker,
    line: number,
  ) => Promise<Ending | CarriedEnding>;
}

/** How the lines of a run are sent. */
interface LineSender {
  readonly skill: SkillDetail;
  readonly series: LineCarrier;
  readonly asker: Asker;
  readonly payloadOf: PayloadOf;
  /** Returns whether the registry lists a version of the skill. */
  readonly lists: (version: string) => Promise<boolean>;
}

/** After this many unknown outcomes in a row the run stops: the cause affects all lines. */
const maxUnknownInARow = 3;

/**
 * Sends the lines that were checked, which `digests` names in order, several at once. Resolves to why it stopped early, when all that left has ended; undefined where it did not.
 */
export async function sendLines(
  sender: LineSender,
  options: SendOptions,
  digests: readonly string[],
  journal: JournalFile,
  terminal: Terminal,
): Promise<CliError | undefined> {
  const before = journal.state();
  const { status } = options;
  const progress = progressBar(digests.length, status, journal, options.perMinute);
  const lines = new LinesUnderWay(sender, options, journal, terminal, progress.wait);
  const underWay = new Set<Promise<void>>();
  let end: CliError | undefined;
  let failure: { readonly error: unknown } | undefined;
  let otherVersion: string | undefined;
  let isChanged = false;
  let [taken, done, unknownInARow] = [0, 0, 0];
  const noteEnd = ({ line }: InputLine, outcome: LineResult | "lost" | CliError) => {
    if (outcome instanceof CliError) {
      end ??= outcome;
      return;
    }
    done += 1;
    progress.note(done);
    // A worker that died says nothing of the registry.
    if (outcome === "lost") return;
    lines.noteBilled(outcome.facts);
    const stop = stopsRun(outcome, options.allowsUnexecuted);
    if (stop !== undefined && end === undefined) {
      const next = stop === "unexecuted" ? " Send the other lines with --resume --unexecuted." : "";
      const { message = "", status: ended } = outcome.facts;
      const what = message || `It ended with: ${ended}.`;
      const why = `Stopped at line ${line}. ${what}${next}`;
      end = new CliError(why, exitCodes.findings);
      if (stop === "otherVersion") otherVersion = outcome.otherVersion;
    }
    unknownInARow = isUncertain(outcome.facts) ? unknownInARow + 1 : 0;
    if (unknownInARow < maxUnknownInARow) return;
    end ??= new CliError(
      `Stopped at line ${line}: the outcome of the last ${unknownInARow} invocations is unknown. Check them in the project, then continue with --resume.`,
      exitCodes.unknown,
    );
  };
  const isOver = () => end !== undefined || failure !== undefined;
  const costsTooMuch = () =>
    mayExceed(journal.state(), lines.expected.cents, options.maxCents, lines.unsent);
  // With a limit the first line goes alone: it shows whether what is listed as free is billed. What is under way may turn
  // out to cost less than it is listed with.
  const isFirst = () => options.maxCents !== undefined && done === 0;
  const mustWait = () =>
    underWay.size >= options.jobs || (underWay.size > 0 && (isFirst() || costsTooMuch()));
  try {
    for await (const line of inputLines(options)) {
      if (!isToSend(line.line, options, before)) continue;
      while (!isOver() && mustWait()) await Promise.race(underWay);
      if (isOver()) break;
      if (costsTooMuch()) {
        end = new CliError(
          `Stopped before line ${line.line}: its invocation could exceed --max-cents. Raise it and continue with --resume.`,
          exitCodes.findings,
        );
        break;
      }
      // Reading takes as long as sending: nothing leaves that was not checked, counted and agreed to.
      isChanged = line.digest !== digests[taken];
      if (isChanged) break;
      taken += 1;
      const one = lines
        .send(line)
        .then((outcome) => noteEnd(line, outcome))
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => {
          underWay.delete(one);
          if (isOver()) lines.stop();
        });
      underWay.add(one);
    }
    await Promise.all(underWay);
  } finally {
    progress.close();
    status.end();
    lines.close();
  }
  if (failure !== undefined) throw failure.error;
  if (end !== undefined && otherVersion !== undefined) {
    const step = await stepAfter(otherVersion, sender);
    return new CliError(`${end.message} ${step}`, end.exitCode);
  }
  if (end !== undefined || (!isChanged && taken === digests.length)) return end;
  return new CliError(
    `Stopped: ${options.inputsName} changed after its lines were checked. Continue with --resume.`,
  );
}

/** Says how to go on after another version ran. A journal is of one version. */
async function stepAfter(ran: string, { skill, lists }: LineSender): Promise<string> {
  const { slug, version } = skill.summary;
  return (await lists(ran))
    ? `Put the lines that are left into a file of their own, and run that with --skill ${addressText(slug, ran)}.`
    : `Continue with --resume once the project runs version ${version}.`;
}

/** Sends lines beside each other, each until it is no longer refused by the rate limit, and notes how it went. */
class LinesUnderWay {
  /** The lines that are to leave: they wait for the limits, for the first time or since the rate limit refused them. */
  private readonly waiting = new Set<number>();
  /** The lines whose answer is awaited. */
  private readonly awaited = new Set<number>();
  private readonly stopped = new AbortController();
  private isClosed = false;
  private readonly signal: AbortSignal;
  private readonly price: InvocationPrice;
  /** What the last line was billed: the price of those beside it, whatever is listed. */
  private billed: { readonly cents?: number | undefined; readonly currency?: string | undefined } =
    {};

  constructor(
    private readonly sender: LineSender,
    private readonly options: SendOptions,
    private readonly journal: JournalFile,
    private readonly terminal: Terminal,
    private readonly waits: (seconds: number) => void,
  ) {
    this.price = invocationPrice(sender.skill);
    this.signal = AbortSignal.any([terminal.signal, this.stopped.signal]);
    terminal.signal.addEventListener("abort", this.sayAwaited);
  }

  /** What the next line is expected to cost; without `cents` where that is not known. */
  get expected(): { readonly cents?: number; readonly currency?: string } {
    const { price, billed } = this;
    const cents = expectedCents({ price, billedCents: billed.cents });
    const currency = price.kind === "amount" ? price.currency : billed.currency;
    return {
      ...(cents !== undefined && { cents }),
      ...(currency !== undefined && { currency }),
    };
  }

  noteBilled({ cents, currency }: LineResult["facts"]): void {
    if (cents !== undefined) this.billed = { cents, currency };
  }

  /** How many are about to leave. */
  get unsent(): number {
    return this.waiting.size;
  }

  /** Sends nothing more; what was sent is still awaited. */
  stop(): void {
    this.stopped.abort();
  }

  close(): void {
    this.isClosed = true;
    this.terminal.signal.removeEventListener("abort", this.sayAwaited);
  }

  /** Sends a line. Resolves to its outcome, or to why the run stops there. */
  async send(inputLine: InputLine): Promise<LineResult | "lost" | CliError> {
    this.waiting.add(inputLine.line);
    return this.untilTaken(inputLine);
  }

  private async untilTaken(inputLine: InputLine): Promise<LineResult | "lost" | CliError> {
    const { sender, journal, terminal, signal } = this;
    const { line } = inputLine;
    // How long it may wait is counted over all of its refusals.
    const waited = { seconds: 0 };
    const asker = this.askerFor(inputLine, waited);
    for (;;) {
      const sending = sender.series.invoke(sender.payloadOf(inputLine), signal, asker, line);
      const ending = await terminal.finish(sending);
      this.awaited.delete(line);
      if (ending.kind === "stopped") return this.whyStopped(ending, line, waited.seconds);
      if (ending.kind === "lost") {
        void ending.late.then(({ result, noted }) => {
          this.noteLate(line, result);
          noted();
        });
        return "lost";
      }
      if (ending.kind === "refused") {
        const why = `Stopped at line ${line}. ${ending.message} Continue with --resume.`;
        return new CliError(why, exitCodes.unknown);
      }
      const result = ending.kind === "carried" ? ending.result : resultOf(ending);
      const { next, facts, outputText } = result;
      const kind = next === "ended" ? "ended" : "notRun";
      journal.note({ kind, line, ...facts }, outputText);
      if (ending.kind === "carried") ending.noted();
      if (next === "ended") return result;
      if (next === "stop") {
        if (ending.kind === "carried" && ending.isTakenBack === true) return canceled();
        const code = result.isUnreached === true ? exitCodes.unknown : exitCodes.findings;
        return new CliError(`Stopped at line ${line}. ${facts.message ?? facts.status}`, code);
      }
      this.waiting.add(line);
      if (ending.kind !== "carried") continue;
      // Whoever sends it waits, and cannot know how long it has waited before.
      waited.seconds += result.waitSeconds;
      if (waited.seconds > this.options.maxWait) return this.waitsTooLong(line, waited.seconds);
    }
  }

  /** A line that counted as lost ended after all. One that did not run stays unknown: nobody waits to send it. */
  private noteLate(line: number, { next, facts, outputText }: LineResult): void {
    if (!this.isClosed && next === "ended") {
      this.journal.note({ kind: "ended", line, ...facts }, outputText);
    }
  }

  /** Answers for one line, and adds up how long it has to wait. */
  private askerFor({ line, digest }: InputLine, waited: { seconds: number }): LineAsker {
    const { asker } = this.sender;
    return {
      ...asker,
      answers: {
        ...asker.answers,
        rateLimit: (question) => {
          waited.seconds += question.seconds;
          if (waited.seconds > this.options.maxWait) return "no";
          this.waits(question.seconds);
          return asker.answers.rateLimit(question);
        },
      },
      started: async () => {
        const at = Date.now();
        const waiting = [...this.waiting].filter((other) => other < line);
        const passed = waiting.length === 0 ? {} : { passed: waiting };
        await this.journal.start(
          this.options.again.has(line)
            ? { kind: "again", line, at, ...this.expected }
            : { kind: "started", line, digest, ...passed, at, ...this.expected },
        );
        // Not before: a line whose start could not be written has not left, and later starts have to say so.
        this.waiting.delete(line);
        this.awaited.add(line);
      },
    };
  }

  private whyStopped({ stop }: Stopped, line: number, waited: number): CliError {
    if (stop.kind === "canceled") {
      return canceled();
    }
    if (stop.kind === "declined" && stop.question.kind === "rateLimit") {
      return this.waitsTooLong(line, waited);
    }
    const { message } = stopError(this.sender.skill.summary.slug, stop);
    return new CliError(
      `Stopped before line ${line}. ${message}\nContinue with --resume.`,
      exitCodes.findings,
    );
  }

  private waitsTooLong(line: number, seconds: number): CliError {
    return new CliError(
      `Stopped before line ${line}: the rate limit requires a wait of ${waitText(seconds, english)} in all, more than --max-wait ${this.options.maxWait} allows. Continue later with --resume.`,
      exitCodes.findings,
    );
  }

  /** What was sent is waited for, and a user who cancels meanwhile is told. */
  private readonly sayAwaited = () => {
    const lines = [...this.awaited].sort((one, other) => one - other);
    if (lines.length === 0) return;
    const [answers, outcomes] =
      lines.length === 1 ? ["answer", "its outcome is"] : ["answers", "their outcomes are"];
    this.options.status.say(
      `Waiting for the ${answers} to ${linesText(lines)}. Press Ctrl+C again to end now; ${outcomes} then unknown.`,
    );
  };
}

function resultOf(ending: Extract<Ending, { kind: "sent" }>): LineResult {
  return lineResult(ending, outputOf(ending.outcome));
}

function canceled(): CliError {
  return new CliError("Canceled. Continue with --resume.", exitCodes.unknown);
}
