import type { LeftLine, LineResult } from "../core/invocation/run/lineResult";

/** A line of the inputs, counted from 1 among all lines of the file. */
export interface InputLine {
  readonly line: number;
  readonly text: string;
  /** SHA-256 of the text, in hex. */
  readonly digest: string;
}

/** Callbacks of a line in progress. */
interface SendCallbacks {
  /** Call it right before sending the payload. If it rejects, do not send, and reject with the same error. */
  readonly beforeSend: () => Promise<void>;
  /** Called when a line is done, before its record is on the disk. The event `end` follows. */
  readonly onAnswer: (result: LineResult) => void;
  /** Decides whether the line waits this many seconds for the rate limit. */
  readonly mayWait: (seconds: number) => Promise<boolean>;
}

/** The end of a line, or why it was not sent; `why` is empty if it was canceled. */
type SentEnd =
  | { readonly kind: "ended"; readonly result: LineResult }
  | { readonly kind: "stopped"; readonly why: string };

/**
 * Sends a payload once, from this program or one that has the key. `source` identifies the line. After `signal` fires,
 * nothing more is sent.
 */
export type SendLine = (
  payload: { readonly text: string; readonly source: string },
  callbacks: SendCallbacks,
  signal: AbortSignal,
) => Promise<SentEnd>;

/** An event of a line in progress. */
export type LineEvent =
  /** The line is ready. Call `leave` once its start is on the disk, which sends it; `fail` gives it up unsent. */
  | {
      readonly kind: "started";
      readonly send: () => void;
      readonly fail: (error: unknown) => void;
    }
  /** The rate limit holds the line for this many seconds. */
  | {
      readonly kind: "held";
      readonly seconds: number;
      readonly answer: (mayWait: boolean) => void;
    }
  /** The line is done. Its end follows once its record is written, which a kill may prevent. */
  | { readonly kind: "answered"; readonly result: LineResult }
  /** `noted` is called when the result is in the journal. The event may follow `lost`. */
  | { readonly kind: "ended"; readonly result: LineResult; readonly noted?: () => void }
  /** Nothing was sent: the line must not be sent, or it was canceled and `why` is empty. */
  | { readonly kind: "stopped"; readonly why: string }
  /** The line's worker is silent. Its outcome is unknown unless its end still arrives. */
  | { readonly kind: "lost" }
  /** The outcome of the line can no longer be learned. */
  | { readonly kind: "refused"; readonly why: string }
  /** The dispatcher is broken. */
  | { readonly kind: "failed"; readonly error: unknown };

/** The maximum cost of all lines together, and the expected cost of one, in hundredths of any currency. */
export interface RunCost {
  readonly maxCents: number;
  readonly eachCents: number;
}

/** Carries the lines of a run: sends them from this program, or gives them to other machines. */
export interface LineDispatcher {
  /** The ID of a run whose lines outlive this program; empty if they do not. */
  readonly id: string;
  /** The default number of lines in progress at once. */
  readonly defaultJobs: number;
  /** Explains how to learn the outcome of unknown lines; empty if impossible. */
  readonly recoveryHint: string;
  /**
   * Finds the outcome of lines that an earlier run left in the queue, and ends that run. Calls `waiting` if this takes
   * a while.
   */
  readonly recoverRun: (
    run: string,
    signal: AbortSignal,
    waiting: () => void,
  ) => Promise<(line: number) => LeftLine>;
  /** Starts once, before the first line. `cost` limits all lines together; undefined for no limit. */
  readonly begin: (cost: RunCost | undefined) => Promise<void>;
  /** Takes a line, and reports its events until it ends. */
  readonly send: (line: InputLine, onEvent: (event: LineEvent) => void) => void;
  /** Sends nothing more, but still awaits sent lines. */
  readonly stop: () => void;
  /** Call it when no line is in progress. */
  readonly close: () => Promise<void>;
}

/** Carries lines by sending them from this program. */
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
