import { CommandError } from "../core/findings/commandError";
import type { KeyRedactor } from "../core/registry/redactSecrets";
import type { LanguageClient } from "../language/languageClient";
import type { Piece } from "./output/colors";

/** The input and output of the command line. Tests replace it. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that file names are relative to. */
  readonly cwd: string;
  /** The command line that starts this program again, from any folder. */
  readonly program: readonly string[];
  readonly threads: Threads;
  readonly out: (text: string) => void;
  /** Writes results that are sentences, wrapped to the width of the terminal. */
  readonly print: (text: string) => void;
  /** Writes results with colored pieces. */
  readonly paint: (pieces: readonly Piece[]) => void;
  /** Redacts secrets. All output passes through it. */
  readonly redactor: KeyRedactor;
  /** Removes secrets and control sequences from a text for a file. Keeps the values of JSON. */
  readonly clean: (text: string) => string;
  /** Writes results that are commands for a CI machine. */
  readonly annotate: (text: string) => void;
  /** Writes messages for a person beside the results, wrapped to the width of the terminal. */
  readonly err: (text: string) => void;
  /** Replaces the last line that `err` wrote, as progress does. */
  readonly draw: (text: string) => void;
  /** The number of columns of `out` on a terminal; undefined for a file or another program. */
  readonly columns?: number | undefined;
  /** The number of columns of `err`; undefined if it is no terminal. */
  readonly errColumns?: number | undefined;
  /** Reads a line that a person types; undefined if nobody can answer. */
  readonly readLine?: (signal: AbortSignal) => Promise<string>;
  /** Whether a program that is started can ask a person at this terminal, even if no stream leads there. */
  readonly hasControllingTerminal?: boolean;
  /** Fires when the user ends the command. */
  readonly signal: AbortSignal;
  /** Awaits work that Ctrl+C must not cut off, such as a sent invocation. */
  readonly finish: <Value>(work: Promise<Value>) => Promise<Value>;
}

/** Starts the parts that run in their own thread. Tests share the threads. */
export interface Threads {
  /** Starts the thread that checks payloads. The caller disposes of it. */
  readonly language: () => Promise<
    Pick<LanguageClient, "check" | "manifest" | "mistakes" | "sample" | "dispose">
  >;
  /** Starts the built-in registry. Rejects with a `CommandError`. */
  readonly registry: () => Promise<BuiltInRegistry>;
}

/** A registry in this process. */
export interface BuiltInRegistry {
  readonly baseUrl: string;
  readonly projectKey: string;
  readonly userTokens: { readonly owner: string };
  readonly close: () => Promise<unknown>;
}

/** A usage error. Its message is followed by a hint to the command's help. */
export class UsageError extends CommandError {}
