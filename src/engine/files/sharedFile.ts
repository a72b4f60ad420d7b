import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { parsedJson } from "../../core/json/jsonValue";
import { pause } from "../../registry/wait";
import { takeLock } from "./lock";

const lockMs = 5_000;
const retryMs = 20;
/** Longer than a lock can last, so that a waiting window gets its turn unless many are before it. */
const maxTries = 300;

/** Reads the text of a file. Rejects with a code, as `readFile` does. */
type ReadText = (path: string) => Promise<string>;

/** A change of the value, and what is done once it is written. */
type Step<Value> = (value: Value) => { readonly value: Value; readonly done: () => void };

/**
 * A small value that all windows of this machine share, stored in one JSON file. Where the disk fails the
 * value is kept in this window.
 */
export class SharedFile<Value> {
  /** The value that could not be written: newer than the file, until a change can be written again. */
  private unwritten: { readonly value: Value } | undefined;
  /** The value as this window last knew it, for as long as the file cannot be read. */
  private known: Value;
  /** The value as the file last had it. */
  private lastStored: Value;
  /** Changes since the file could not be read. They are applied to its contents once it can. */
  private pending: readonly ((value: Value) => Value)[] = [];
  private readonly waiting: Step<Value>[] = [];
  private isDeciding = false;

  /** `read` creates a value from the file's contents, undefined for none. */
  constructor(
    private readonly path: string,
    private readonly read: (value: unknown) => Value,
    private readonly readText: ReadText = (file) => readFile(file, "utf8"),
  ) {
    this.known = read(undefined);
    this.lastStored = this.known;
  }

  /**
   * Reads the value as the last writer left it; as this window last knew it where the file cannot be read.
   * Never rejects.
   */
  async get(): Promise<Value> {
    const stored = await this.stored();
    if (stored !== undefined) this.known = this.withPending(stored.value);
    return this.known;
  }

  /** Whether the last change is on the disk. */
  get isWritten(): boolean {
    return this.unwritten === undefined && this.pending.length === 0;
  }

  /** Forgets what could not be written, so that it counts neither here nor once the disk works again. */
  discard(): void {
    this.unwritten = undefined;
    this.pending = [];
    this.known = this.lastStored;
  }

  /** Changes the value, one change at a time over all windows. Never rejects. */
  change(change: (value: Value) => Value): Promise<void> {
    return this.decide((value) => ({ value: change(value), answer: undefined }));
  }

  /**
   * Reads the value and changes it in one step, so that no other window decides on the same state. Resolves
   * to the answer. Never rejects. What is wanted while the file is busy is written together.
   */
  decide<Answer>(
    step: (value: Value) => { readonly value: Value; readonly answer: Answer },
  ): Promise<Answer> {
    return new Promise((resolve) => {
      this.waiting.push((before) => {
        const { value, answer } = step(before);
        return { value, done: () => resolve(answer) };
      });
      if (!this.isDeciding) void this.decideAll();
    });
  }

  /** Decides on what is waiting, until nothing is. */
  private async decideAll(): Promise<void> {
    this.isDeciding = true;
    while (this.waiting.length > 0) {
      const release = await this.lock();
      const stored = await this.stored();
      const steps = this.waiting.splice(0);
      const before = stored === undefined ? this.known : this.withPending(stored.value);
      const done: (() => void)[] = [];
      const value = steps.reduce((changed, step) => {
        const decided = step(changed);
        done.push(decided.done);
        return decided.value;
      }, before);
      this.known = value;
      if (stored !== undefined) {
        if (value !== stored.value) await this.write(value);
      } else if (value !== before) {
        this.pending = [
          ...this.pending,
          ...steps.map((step) => (later: Value) => step(later).value),
        ];
      }
      await release?.();
      for (const answer of done) answer();
    }
    this.isDeciding = false;
  }

  /** Reads the value for the next change. Undefined where there is a file that cannot be read. */
  private async stored(): Promise<{ readonly value: Value } | undefined> {
    if (this.unwritten !== undefined) return this.unwritten;
    try {
      const text = await tryAgain(
        () => this.readText(this.path),
        (code) => !isAbsent(code),
      );
      this.lastStored = this.read(parsedJson(text));
    } catch (error) {
      if (!isAbsent(codeOf(error))) return undefined;
      this.lastStored = this.read(undefined);
    }
    return { value: this.lastStored };
  }

  private withPending(value: Value): Value {
    return this.pending.reduce((changed, change) => change(changed), value);
  }

  private async write(value: Value): Promise<void> {
    this.pending = [];
    this.unwritten = await writeFileAtomic(this.path, JSON.stringify(value)).then(
      () => undefined,
      () => ({ value }),
    );
  }

  /** Without the lock a change of another window may be lost, which is better than certainly losing this one. */
  private async lock(): Promise<(() => Promise<void>) | undefined> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const answer = await takeLock(`${this.path}.lock`, Date.now() + lockMs);
      if (answer.kind === "taken") return answer.release;
      if (answer.kind === "unavailable") return undefined;
      await pause(retryMs);
    }
    return undefined;
  }
}

/** The ending of files that are being written. Nothing uses one that was left by a crash. */
const tempSuffix = ".tmp";

/** Who may read a file: its owner alone, or whom the system lets read new files, as in a repository. */
const modes = { owner: 0o600, shared: 0o666 } as const;

/**
 * Writes a file under a temporary name and renames it, so that a reader finds the old or the new text and
 * never half of one. The next piece of a text is only requested when the last is on the disk. Rejects where
 * the disk fails.
 */
export async function writeFileAtomic(
  path: string,
  text: string | Iterable<string>,
  readers: keyof typeof modes = "owner",
): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString("hex")}${tempSuffix}`;
  try {
    await writeFile(temporary, text, { mode: modes[readers], flush: true });
    await replaceFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Renames a file over another. Windows refuses that while any program has one of them open, so it is retried
 * there. Rejects with the last error.
 */
export async function replaceFile(
  from: string,
  to: string,
  renameFile: typeof rename = rename,
  isWindows: boolean = process.platform === "win32",
): Promise<void> {
  await tryAgain(
    () => renameFile(from, to),
    (code) => isWindows && ["EPERM", "EACCES", "EBUSY"].includes(code),
  );
}

/** Half a second in all: a virus scanner or a backup is done with a small file by then. */
const pausesMs = [10, 30, 60, 120, 280];

/** Retries after a pause where `mayPass` returns true for the error's code. Rejects with the last error. */
async function tryAgain<Result>(
  work: () => Promise<Result>,
  mayPass: (code: string) => boolean,
): Promise<Result> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(codeOf(error))) throw error;
      await pause(pauseMs);
    }
  }
  return work();
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

/** Returns whether an error means that the file does not exist; ENOTDIR means that for one of its folders. */
function isAbsent(code: string): boolean {
  return code === "ENOENT" || code === "ENOTDIR";
}
