import type { Terminal } from "../terminal";
import { cutToWidth, padToWidth, widthOf } from "./width";

/** A line on a terminal that changes in place, and messages that do not mix with it. */
export interface StatusLine {
  /** Replaces the line's text. Does nothing without a terminal. */
  readonly show: (text: string) => void;
  /** Writes a message above the line. */
  readonly print: (message: string) => void;
  /** Removes the line. */
  readonly clear: () => void;
  /** Ends the line and leaves its text. */
  readonly end: () => void;
}

/** Creates a status line, which is empty at first. */
export function statusLine({ err, draw, errColumns }: Terminal): StatusLine {
  let shown = "";
  const show = (whole: string) => {
    if (errColumns === undefined) return;
    // A wrapped line could not be overwritten.
    const text = cutToWidth(whole, errColumns - 1);
    draw(`\r${padToWidth(text, widthOf(shown), "after")}`);
    shown = text;
  };
  const clear = () => {
    if (shown !== "") draw(`\r${" ".repeat(widthOf(shown))}\r`);
    shown = "";
  };
  return {
    show,
    print: (message) => {
      const line = shown;
      clear();
      err(`${message}\n`);
      if (line !== "") show(line);
    },
    clear,
    end: () => {
      if (shown !== "") draw("\n");
      shown = "";
    },
  };
}
