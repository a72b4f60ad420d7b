import { closeSync, existsSync, lstatSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { CommandError } from "../core/findings/commandError";
import { lineText } from "../core/invocation/run/lineText";
import { isJsonObject, parsedJson } from "../core/json/jsonValue";
import { isSystemError, linesOf, writeAll, writeError } from "../engine/files/textFile";
import type { Journal } from "./journal";

/** An open file for results. */
export interface ResultFile {
  readonly write: (text: string) => void;
  readonly close: () => void;
}

/**
 * Writes the results of a run in the order of its lines, each as soon as possible. A line without a final result delays
 * all lines after it.
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

  /** Adds the next line of the inputs. `isFinal` is true if its result is final already. */
  add(line: number, isFinal: boolean): void {
    this.pendingLines.push(line);
    this.last = line;
    if (isFinal) this.end(line);
  }

  /** Writes the result of a line once all lines before it are written. Call it when the result is final. */
  end(line: number): void {
    this.final.add(line);
    for (;;) {
      const next = this.pendingLines[this.first];
      if (next === undefined || !this.final.delete(next)) break;
      this.first += 1;
      this.writeLine(next);
    }
    // Removing the written lines takes time in proportion to the remaining ones. So they are removed 1024 or more at a
    // time.
    if (this.first < 1024) return;
    this.pendingLines.splice(0, this.first);
    this.first = 0;
  }

  /** Writes what is known about the remaining lines, and about lines after the last added one. */
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
 * Opens the results file of a run, which grows during the run. Overwrites an existing results file if `mayReplace` is
 * set. Throws a `CommandError` if the file is something else or cannot be written.
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
  const file = orFileError(path, () => openSync(path, there === undefined ? "wx" : "w", 0o600));
  return {
    write: (text) => orFileError(path, () => writeAll(file, text)),
    close: () => closeSync(file),
  };
}

/**
 * Creates a results file under a temporary name, so that partial results are not mistaken for all. `finish` gives it
 * its name; `close` deletes an incomplete file. Throws a `CommandError` if the file exists or cannot be written.
 */
export function createResults(path: string): ResultFile & { readonly finish: () => void } {
  const beside = `${path}.${process.pid}.tmp`;
  const requireNone = () => {
    if (existsSync(path)) throw alreadyThere(path);
  };
  requireNone();
  const file = orFileError(path, () => openSync(beside, "w", 0o600));
  return {
    write: (text) => orFileError(path, () => writeAll(file, text)),
    finish: () => {
      requireNone();
      orFileError(path, () => renameSync(beside, path));
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

function orFileError<Value>(path: string, work: () => Value): Value {
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

/** Returns whether a file is empty or starts like a results file. */
async function isOfResults(path: string): Promise<boolean> {
  for await (const bytes of linesOf(path)) {
    const value = parsedJson(bytes.toString("utf8"));
    return isJsonObject(value) && Number.isSafeInteger(value["line"]) && "status" in value;
  }
  return true;
}
