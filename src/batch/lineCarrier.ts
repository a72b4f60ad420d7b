import type { LeftLine, LineResult } from "../core/invocation/run/lineResult";

/** A line of the inputs, counted from 1 among all lines of the file. */
export interface InputLine {
  readonly line: number;
  readonly text: string;
  /** SHA-256 of the text, in hex. */
  readonly digest: string;
}

/** The questions of a line under way. */
interface OnItsWay {
  /** Resolves right before the payload leaves. Where it rejects, do not send, and reject likewise. */
  readonly leaves: () => Promise<void>;
  /** Decides whether the line waits this many seconds for the rate limit. */
  readonly mayWait: (seconds: number) => Promise<boolean>;
}

/** The end of a line, or why nothing of it left; `why` is empty where it was canceled. */
type SentEnd =
  | { readonly kind: "ended"; readonly result: LineResult }
  | { readonly kind: "stopped"; readonly why: string };

/**
 * Sends a payload once, from this program or one that holds the key. `source` identifies the line. Once `signal` fires,
 * what has not left stays.
 */
export type SendLine = (
  payload: { readonly text: string; readonly source: string },
  way: OnItsWay,
  signal: AbortSignal,
) => Promise<SentEnd>;

/** What happens to a line under way. */
export type LineEvent =
  /** It leaves once `leave` says that its start is on the disk, and never after `fail`. */
  | {
      readonly kind: "started";
      readonly leave: () => void;
      readonly fail: (error: unknown) => void;
    }
  /** The rate limit holds it for this many seconds. */
  | {
      readonly kind: "held";
      readonly seconds: number;
      readonly answer: (mayWait: boolean) => void;
    }
  /** `noted` is called when the result is in the journal. The event may follow `lost`. */
  | { readonly kind: "ended"; readonly result: LineResult; readonly noted?: () => void }
  /** Nothing left: the line was canceled, where `why` is empty, or must not be sent. */
  | { readonly kind: "stopped"; readonly why: string }
  /** Its worker is silent, so its outcome is unknown unless the end still comes. */
  | { readonly kind: "lost" }
  /** Its outcome can no longer be learned. */
  | { readonly kind: "refused"; readonly why: string }
  /** The carrier is broken. */
  | { readonly kind: "failed"; readonly error: unknown };

/** What the lines of a run may cost together, and what one is expected to cost, in hundredths of any currency. */
export interface RunCost {
  readonly maxCents: number;
  readonly eachCents: number;
}

/** Carries the lines of a run: sends them from this program, or hands them to other machines. */
export interface LineCarrier {
  /** Identifies the run where lines outlive it; empty where they do not. */
  readonly id: string;
  /** How many lines are under way at once unless a person says. */
  readonly usualJobs: number;
  /** What may still be learned about lines with an unknown outcome. Empty for nothing. */
  readonly laterText: string;
  /**
   * Finds out what became of the lines that an earlier run left here, and ends that run. Calls `waiting` where this
   * takes a while.
   */
  readonly leftBy: (
    run: string,
    signal: AbortSignal,
    waiting: () => void,
  ) => Promise<(line: number) => LeftLine>;
  /** Begins, once, before the first line. `cost` limits all lines together; undefined for no limit. */
  readonly begin: (cost: RunCost | undefined) => Promise<void>;
  /** Takes a line, and reports what happens to it until it ends. */
  readonly send: (line: InputLine, hear: (event: LineEvent) => void) => void;
  /** Lets nothing more leave. What has left is still awaited. */
  readonly stop: () => void;
  /** Called when nothing is under way any more. */
  readonly close: () => Promise<void>;
}

/** Carries lines by sending them from this program. */
export function carrierHere(
  sendLine: SendLine,
  sourceOf: (line: number) => string,
  usualJobs: number,
): LineCarrier {
  const stopped = new AbortController();
  return {
    id: "",
    usualJobs,
    laterText: "",
    leftBy: async () => () => undefined,
    begin: async () => undefined,
    send: ({ line, text }, hear) => {
      const leaves = () =>
        new Promise<void>((leave, fail) => hear({ kind: "started", leave, fail }));
      const mayWait = (seconds: number) =>
        new Promise<boolean>((answer) => hear({ kind: "held", seconds, answer }));
      const payload = { text, source: sourceOf(line) };
      sendLine(payload, { leaves, mayWait }, stopped.signal).then(hear, (error: unknown) =>
        hear({ kind: "failed", error }),
      );
    },
    stop: () => stopped.abort(),
    close: async () => undefined,
  };
}
