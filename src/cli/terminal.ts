import { CommandError } from "../core/findings/commandError";
import type { KeyRedactor } from "../core/registry/redactSecrets";
import type { LanguageClient } from "../language/languageClient";
import type { Piece } from "./output/colors";

/** What the command line reads and writes, so that tests can stand in for a terminal. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that file names are relative to. */
  readonly cwd: string;
  /** What starts this program anew, from any folder. */
  readonly program: readonly string[];
  readonly threads: Threads;
  /** Writes results. */
  readonly out: (text: string) => void;
  /** Writes results of which pieces have colors, where they are shown. */
  readonly paint: (pieces: readonly Piece[]) => void;
  /** What is secret here: all that is written passes it. */
  readonly redactor: KeyRedactor;
  /** Takes out of a text for a file what is secret, and what steers whoever shows the file. Keeps the values of JSON. */
  readonly clean: (text: string) => string;
  /** Writes results that are commands of a CI machine. */
  readonly annotate: (text: string) => void;
  /** Writes what a person should know beside the results. Breaks lines that are wider than the terminal. */
  readonly err: (text: string) => void;
  /** Draws over the last line of what `err` writes, as a progress does. */
  readonly draw: (text: string) => void;
  /** How many columns there are where a person reads what `out` writes; undefined for a file or another program. */
  readonly columns?: number | undefined;
  /** The same of what `err` writes. */
  readonly errColumns?: number | undefined;
  /** Reads a line that a person types. Left out where nobody can be asked. */
  readonly readLine?: (signal: AbortSignal) => Promise<string>;
  /** Fires when the user wants it to end. */
  readonly signal: AbortSignal;
  /** Awaits work that Ctrl+C must not cut off, such as a sent invocation. */
  readonly finish: <Value>(work: Promise<Value>) => Promise<Value>;
}

/** Starts what has a thread of its own, so that tests can share one. */
export interface Threads {
  /** What reads schemas, until it is disposed of. */
  readonly language: () => Promise<
    Pick<LanguageClient, "check" | "manifest" | "sample" | "dispose">
  >;
  /** The built-in registry. Rejects with a `CommandError`. */
  readonly registry: () => Promise<BuiltInRegistry>;
}

/** A registry of this process. */
export interface BuiltInRegistry {
  readonly baseUrl: string;
  readonly projectKey: string;
  readonly userTokens: { readonly owner: string };
  readonly close: () => Promise<unknown>;
}

/** A wrong use of a command. Its message is followed by where the help of the command is. */
export class UsageError extends CommandError {}
