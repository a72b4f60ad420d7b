import type { LeftLine, LineResult } from "../core/invocation/run/lineResult";

/** A line of the inputs, counted from 1 among all lines of the file. */
export interface InputLine {
  readonly line: number;
  readonly text: string;
  /** SHA-256 of the text, in hex. */
  readonly digest: string;
}

/** What a line asks on its way. */
interface OnItsWay {
  /** Resolves right before the payload leaves. Where it rejects, do not send, and reject likewise. */
  readonly leaves: () => Promise<void>;
  /** Decides whether the line waits so many seconds for the rate limit. */
  readonly mayWait: (seconds: number) => Promise<boolean>;
}

/** A line that ended, or of which nothing left. `why` is empty where it was canceled. */
type SentEnd =
  | { readonly kind: "ended"; readonly result: LineResult }
  | { readonly kind: "stopped"; readonly why: string };

/**
 * Sends a payload once, whoever does: this program, or one that holds the key. `source` names the line. Once `signal`
 * fires, what has not left does not.
 */
export type SendLine = (
  payload: { readonly text: string; readonly source: string },
  way: OnItsWay,
  signal: AbortSignal,
) => Promise<SentEnd>;

/** What happens to a line on its way. */
export type LineEvent =
  /** It is about to leave, once `leave` says that its start is on the disk, or never after `fail`. */
  | {
      readonly kind: "started";
      readonly leave: () => void;
      readonly fail: (error: unknown) => void;
    }
  /** The rate limit holds it, for so many seconds. */
  | {
      readonly kind: "held";
      readonly seconds: number;
      readonly answer: (mayWait: boolean) => void;
    }
  /** `noted` hears that the result is in the journal. It may come after the line counted as lost. */
  | { readonly kind: "ended"; readonly result: LineResult; readonly noted?: () => void }
  /** Nothing left: it was canceled, where `why` is empty, or may not. */
  | { readonly kind: "stopped"; readonly why: string }
  /** Whoever claimed it is silent: its outcome is unknown, unless its end still comes. */
  | { readonly kind: "lost" }
  /** Nothing more can be known of it. */
  | { readonly kind: "refused"; readonly why: string }
  /** What carries it is broken. */
  | { readonly kind: "failed"; readonly error: unknown };

/** What the lines of a run may cost together, and what one is expected to, in hundredths of whatever currencies. */
export interface RunCost {
  readonly maxCents: number;
  readonly eachCents: number;
}

/** Carries the lines of a run: sends them from here, or gives them to other machines. */
export interface LineCarrier {
  /** Names the run where lines outlive it; empty where they do not. */
  readonly id: string;
  /** How many lines it has at once where nobody says. */
  readonly usualJobs: number;
  /** What may still be learned about lines with an unknown outcome. Empty for nothing. */
  readonly laterText: string;
  /**
   * Finds out what became of lines that a run before this one left here, which is over then; `waiting` hears that this
   * takes a while.
   */
  readonly leftBy: (
    run: string,
    signal: AbortSignal,
    waiting: () => void,
  ) => Promise<(line: number) => LeftLine>;
  /** Begins, once, before the first line. `cost` says what all lines may cost together; undefined for no limit. */
  readonly begin: (cost: RunCost | undefined) => Promise<void>;
  /** Takes a line on its way, and tells what happens to it until it ends. */
  readonly send: (line: InputLine, hear: (event: LineEvent) => void) => void;
  /** From now on nothing leaves. What has left is still awaited. */
  readonly stop: () => void;
  /** Nothing may be on its way any more. */
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
