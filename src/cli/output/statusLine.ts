import type { Terminal } from "../terminal";
import { cutToWidth, padToWidth, widthOf } from "./width";

/** A line on a terminal that changes in place, and messages that do not run into it. */
export interface StatusLine {
  /** Shows a text instead of the last one, and nothing where nobody watches. */
  readonly show: (text: string) => void;
  /** Writes a message above the line, which stays. */
  readonly say: (message: string) => void;
  /** Takes the line away. */
  readonly clear: () => void;
  /** Leaves the line as it is. */
  readonly end: () => void;
}

/** Starts without a line. */
export function statusLine({ err, draw, errColumns }: Terminal): StatusLine {
  let shown = "";
  const show = (whole: string) => {
    if (errColumns === undefined) return;
    // A line that the terminal breaks in two could not be written over.
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
    say: (message) => {
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
