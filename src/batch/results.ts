import { closeSync, existsSync, lstatSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { CommandError } from "../core/findings/commandError";
import { lineText } from "../core/invocation/run/lineText";
import { isJsonObject, parsedJson } from "../core/json/jsonValue";
import { isSystemError, linesOf, writeAll, writeError } from "../engine/files/textFile";
import type { Journal } from "./journal";

/** A file that receives texts until `close`. */
export interface ResultFile {
  readonly write: (text: string) => void;
  readonly close: () => void;
}

/**
 * Writes the results of a run's lines in order, each as soon as it is final. A line that is not final delays the lines
 * after it; they stay in the journal until then.
 */
export class OrderedResults {
  private readonly pendingLines: number[] = [];
  private first = 0;
  private last = 0;
  private readonly final = new Set<number>();

  constructor(
    private readonly journal: Pick<Journal, "endOf" | "state">,
    private readonly write: (text: string) => void,
  ) {}

  /** Adds the next line of the inputs, whether it has ended or is about to be sent. */
  add(line: number, isFinal: boolean): void {
    this.pendingLines.push(line);
    this.last = line;
    if (isFinal) this.end(line);
  }

  /** Call it when the outcome of a line is final. */
  end(line: number): void {
    this.final.add(line);
    for (;;) {
      const next = this.pendingLines[this.first];
      if (next === undefined || !this.final.delete(next)) break;
      this.first += 1;
      this.writeLine(next);
    }
    // Not at each line, since each removal costs as much as the rest of the list.
    if (this.first < 1024) return;
    this.pendingLines.splice(0, this.first);
    this.first = 0;
  }

  /** Writes everything known about lines that are not final, and about those after the last added one. */
  finish(): void {
    for (const line of this.pendingLines.splice(this.first)) this.writeLine(line);
    const { lastLine } = this.journal.state();
    for (let line = this.last + 1; line <= lastLine; line += 1) this.writeLine(line);
  }

  private writeLine(line: number): void {
    const text = lineText(line, this.journal.endOf(line), this.journal.state());
    if (text !== undefined) this.write(`${text}\n`);
  }
}

/**
 * Opens the results file of a run, which grows during the run. With `mayReplace`, overwrites an existing results file.
 * Throws a `CommandError` if the file is something else or cannot be written.
 */
export async function openResults(
  path: string,
  mayReplace: boolean,
  others: readonly string[],
): Promise<ResultFile> {
  const there = lstatSync(path, { throwIfNoEntry: false });
  const isOther = others.some((other) => isSameFile(path, other));
  if (isOther) throw new CommandError(`--out names ${path}, which the run reads or writes itself.`);
  if (there !== undefined) {
    const isOurs = there.isFile() && (await isOfResults(path));
    if (!mayReplace || !isOurs) throw alreadyThere(path);
  }
  const file = attempt(path, () => openSync(path, there === undefined ? "wx" : "w", 0o600));
  return {
    write: (text) => attempt(path, () => writeAll(file, text)),
    close: () => closeSync(file),
  };
}

/**
 * Creates a file that gets its name once it is complete, since partial results could be mistaken for all. `close`
 * deletes an incomplete one. Throws a `CommandError` if the file exists or cannot be written.
 */
export function createResults(path: string): ResultFile & { readonly finish: () => void } {
  const beside = `${path}.${process.pid}.tmp`;
  const requireNone = () => {
    if (existsSync(path)) throw alreadyThere(path);
  };
  requireNone();
  const file = attempt(path, () => openSync(beside, "w", 0o600));
  return {
    write: (text) => attempt(path, () => writeAll(file, text)),
    finish: () => {
      requireNone();
      attempt(path, () => renameSync(beside, path));
    },
    close: () => {
      closeSync(file);
      rmSync(beside, { force: true });
    },
  };
}

function alreadyThere(path: string): CommandError {
  return new CommandError(`${path} already exists. Delete it or choose another path.`);
}

function attempt<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw isSystemError(error) ? writeError(path, error) : error;
  }
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one === other || (first?.ino === second?.ino && first?.dev === second?.dev && !!first);
}

/** Returns whether a file is empty or starts as a results file does. */
async function isOfResults(path: string): Promise<boolean> {
  for await (const bytes of linesOf(path)) {
    const value = parsedJson(bytes.toString("utf8"));
    return isJsonObject(value) && Number.isSafeInteger(value["line"]) && "status" in value;
  }
  return true;
}
