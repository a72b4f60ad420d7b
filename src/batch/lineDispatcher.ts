import type { EarlierLine, LineResult } from "../core/invocation/run/lineResult";

/** A line of the inputs. `line` counts from 1 among all lines of the file. */
export interface InputLine {
  readonly line: number;
  readonly text: string;
  /** SHA-256 of the text, in hex. */
  readonly digest: string;
}

/** The callbacks for a line in progress. */
interface SendCallbacks {
  /**
   * Called right before sending the payload. If it rejects, the payload is not sent, and `SendLine` rejects with the
   * same error.
   */
  readonly beforeSend: () => Promise<void>;
  /** Called when the response arrived, before the record is on the disk. `SendLine` resolves later. */
  readonly onAnswer: (result: LineResult) => void;
  /** Resolves to whether the line may wait this many seconds for the rate limit. */
  readonly mayWait: (seconds: number) => Promise<boolean>;
}

/** The result of a line, or why it was not sent. `why` is empty if it was canceled. */
type SentEnd =
  | { readonly kind: "ended"; readonly result: LineResult }
  | { readonly kind: "stopped"; readonly why: string };

/** Sends a payload once. `source` identifies the line. After `signal` fires, sends nothing more. */
export type SendLine = (
  payload: { readonly text: string; readonly source: string },
  callbacks: SendCallbacks,
  signal: AbortSignal,
) => Promise<SentEnd>;

/** An event of a line in progress. */
export type LineEvent =
  /**
   * The line is ready. Call `send` once its start is on the disk. Call `fail` if that fails; then the line is not sent.
   */
  | {
      readonly kind: "started";
      readonly send: () => void;
      readonly fail: (error: unknown) => void;
    }
  /** The rate limit requires the line to wait this many seconds. */
  | {
      readonly kind: "held";
      readonly seconds: number;
      readonly answer: (mayWait: boolean) => void;
    }
  /** The response arrived. `ended` follows once the record is written, which a kill may prevent. */
  | { readonly kind: "answered"; readonly result: LineResult }
  /** The line has ended, perhaps after `lost`. Call `noted` once the result is in the journal. */
  | { readonly kind: "ended"; readonly result: LineResult; readonly noted?: () => void }
  /** The line was not sent. `why` is empty if it was canceled. */
  | { readonly kind: "stopped"; readonly why: string }
  /** The line's worker does not respond. The outcome is unknown, unless `ended` still follows. */
  | { readonly kind: "lost" }
  /** The queue failed, so the outcome of the line will stay unknown. */
  | { readonly kind: "refused"; readonly why: string }
  /** The dispatcher failed. */
  | { readonly kind: "failed"; readonly error: unknown };

/** The maximum cost of all lines together, and the expected cost of one line, in hundredths of the billed currency. */
export interface RunCost {
  readonly maxCents: number;
  readonly eachCents: number;
}

/** Dispatches the lines of a run: sends them from this program, or gives them to other machines. */
export interface LineDispatcher {
  /** The ID of the run in the queue; empty if the lines are sent from this program. */
  readonly id: string;
  /** The default number of lines in progress at once. */
  readonly defaultJobs: number;
  /** A sentence that explains how to learn the outcome of unknown lines; empty if that is impossible. */
  readonly recoveryHint: string;
  /**
   * Ends an earlier run in the queue. Resolves to a function that returns the outcome of its lines. Calls `waiting` if
   * this takes long.
   */
  readonly recoverRun: (
    run: string,
    signal: AbortSignal,
    waiting: () => void,
  ) => Promise<(line: number) => EarlierLine>;
  /** Called once, before the first line. `cost` limits all lines together; undefined for no limit. */
  readonly begin: (cost: RunCost | undefined) => Promise<void>;
  /** Dispatches a line. Calls `onEvent` until the line has ended. */
  readonly send: (line: InputLine, onEvent: (event: LineEvent) => void) => void;
  /** Dispatches nothing more. Lines that were sent still end. */
  readonly stop: () => void;
  /** Called when no line is in progress. */
  readonly close: () => Promise<void>;
}

/** Creates a dispatcher that sends the lines from this program. */
export function localDispatcher(
  sendLine: SendLine,
  sourceOf: (line: number) => string,
  defaultJobs: number,
): LineDispatcher {
  const stopped = new AbortController();
  return {
    id: "",
    defaultJobs,
    recoveryHint: "",
    recoverRun: async () => () => undefined,
    begin: async () => undefined,
    send: ({ line, text }, onEvent) => {
      const beforeSend = () =>
        new Promise<void>((send, fail) => onEvent({ kind: "started", send, fail }));
      const mayWait = (seconds: number) =>
        new Promise<boolean>((answer) => onEvent({ kind: "held", seconds, answer }));
      const onAnswer = (result: LineResult) => onEvent({ kind: "answered", result });
      const payload = { text, source: sourceOf(line) };
      sendLine(payload, { beforeSend, onAnswer, mayWait }, stopped.signal).then(
        onEvent,
        (error: unknown) => onEvent({ kind: "failed", error }),
      );
    },
    stop: () => stopped.abort(),
    close: async () => undefined,
  };
}
