import { closeSync, existsSync, lstatSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { CommandError } from "../core/findings/commandError";
import { lineText } from "../core/invocation/run/lineText";
import { isJsonObject, parsedJson } from "../core/json/jsonValue";
import { isSystemError, linesOf, writeAll, writeError } from "../engine/files/textFile";
import type { Journal } from "./journal";

/** Writes texts into a file until `close`. */
export interface ResultFile {
  readonly write: (text: string) => void;
  readonly close: () => void;
}

/**
 * Writes what became of the lines of a run, in their order, as soon as that is final. A line that is not final yet holds
 * back those after it; what they are remains in the journal alone.
 */
export class OrderedResults {
  private readonly awaited: number[] = [];
  private first = 0;
  private last = 0;
  private readonly final = new Set<number>();

  constructor(
    private readonly journal: Pick<Journal, "endOf" | "state">,
    private readonly write: (text: string) => void,
  ) {}

  /** Takes the next line of the inputs, which ended before or is sent. */
  add(line: number, isFinal: boolean): void {
    this.awaited.push(line);
    this.last = line;
    if (isFinal) this.end(line);
  }

  /** Called when the outcome of a line is final. */
  end(line: number): void {
    this.final.add(line);
    for (;;) {
      const next = this.awaited[this.first];
      if (next === undefined || !this.final.delete(next)) break;
      this.first += 1;
      this.writeLine(next);
    }
    // Now and then, since each time costs as much as what remains.
    if (this.first < 1024) return;
    this.awaited.splice(0, this.first);
    this.first = 0;
  }

  /** Writes all that is known of the lines that are not final, and of those behind the last one that was added. */
  finish(): void {
    for (const line of this.awaited.splice(this.first)) this.writeLine(line);
    const { lastLine } = this.journal.state();
    for (let line = this.last + 1; line <= lastLine; line += 1) this.writeLine(line);
  }

  private writeLine(line: number): void {
    const text = lineText(line, this.journal.endOf(line), this.journal.state());
    if (text !== undefined) this.write(`${text}\n`);
  }
}

/**
 * Opens the file of a run's results, which grows while it runs; where it `mayReplace` an earlier one, anew from its
 * beginning. Throws a `CommandError` where the file is there and is none, or cannot be written.
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
 * Creates a file that gets its name when it is whole, since half of the results would be taken for all of them. `close`
 * leaves nothing of one that was not finished. Throws a `CommandError` where it is there already or cannot be written.
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

/** Returns whether a file is empty, or begins as results do. */
async function isOfResults(path: string): Promise<boolean> {
  for await (const bytes of linesOf(path)) {
    const value = parsedJson(bytes.toString("utf8"));
    return isJsonObject(value) && Number.isSafeInteger(value["line"]) && "status" in value;
  }
  return true;
}
