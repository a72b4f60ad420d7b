import type { LineResult } from "../core/invocation/run/lineResult";

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
  /** The line has ended. */
  | { readonly kind: "ended"; readonly result: LineResult }
  /** The line was not sent. `why` is empty if it was canceled. */
  | { readonly kind: "stopped"; readonly why: string }
  /** The dispatcher failed. */
  | { readonly kind: "failed"; readonly error: unknown };

/** Sends the lines of a run. */
export interface LineDispatcher {
  /** Sends a line. Calls `onEvent` until the line has ended. */
  readonly send: (line: InputLine, onEvent: (event: LineEvent) => void) => void;
  /** Sends nothing more. Lines that were sent still end. */
  readonly stop: () => void;
}

/** Creates a dispatcher that sends each line at once. `sourceOf` identifies a line. */
export function lineDispatcher(
  sendLine: SendLine,
  sourceOf: (line: number) => string,
): LineDispatcher {
  const stopped = new AbortController();
  return {
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
  };
}
