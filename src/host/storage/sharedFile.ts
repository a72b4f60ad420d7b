import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { takeLock } from "./fileLock";

const lockMs = 5_000;
const retryMs = 20;
/** Longer than a lock can last, so that a waiting window gets its turn unless many are before it. */
const maxTries = 300;

/**
 * A small value that all windows of this machine share, kept in one JSON file. Where the disk fails
 * the value lives on in this window.
 */
export class SharedFile<Value> {
  /** What the disk did not take: newer than the file, until it takes a change again. */
  private unwritten: { readonly value: Value } | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  /** `read` makes a value of whatever the file held, undefined for none. */
  constructor(
    private readonly path: string,
    private readonly read: (value: unknown) => Value,
  ) {}

  /** Reads the value as the last writer left it. Never rejects. */
  async get(): Promise<Value> {
    if (this.unwritten !== undefined) return this.unwritten.value;
    try {
      return this.read(JSON.parse(await readFile(this.path, "utf8")));
    } catch {
      return this.read(undefined);
    }
  }

  /** Changes the value, one change at a time over all windows. Never rejects. */
  change(change: (value: Value) => Value): Promise<void> {
    return this.decide((value) => ({ value: change(value), answer: undefined }));
  }

  /**
   * Looks at the value and changes it in one step, so that no other window decides by the same
   * state. Resolves to the answer. Never rejects.
   */
  decide<Answer>(
    step: (value: Value) => { readonly value: Value; readonly answer: Answer },
  ): Promise<Answer> {
    const done = this.queue.then(() => this.decideNow(step));
    this.queue = done;
    return done;
  }

  private async decideNow<Answer>(
    step: (value: Value) => { readonly value: Value; readonly answer: Answer },
  ): Promise<Answer> {
    const release = await this.lock();
    const before = await this.get();
    const { value, answer } = step(before);
    if (value !== before) await this.write(value);
    await release?.();
    return answer;
  }

  private async write(value: Value): Promise<void> {
    this.unwritten = await writeFileAtomic(this.path, JSON.stringify(value)).then(
      () => undefined,
      () => ({ value }),
    );
  }

  /** Without the lock a change of another window may be lost, which beats losing this one for sure. */
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

/** The ending of files that are being written. One left by a crash is of no use to anyone. */
export const tempSuffix = ".tmp";

/**
 * Writes a file for its owner alone, under a temporary name and then renamed, so that a reader finds the
 * old or the new text and never half of one. A text in pieces is asked for the next one when the last
 * is on the disk. Rejects where the disk does not take it.
 */
export async function writeFileAtomic(
  path: string,
  text: string | Iterable<string>,
): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString("hex")}${tempSuffix}`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flush: true });
    await replaceFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Half a second in all: a virus scanner or a backup is done with a small file by then. */
const pausesMs = [10, 30, 60, 120, 280];

/**
 * Renames a file over another. Windows refuses that for as long as any program has one of them open, so
 * it is tried again there. Rejects with the last refusal.
 */
export async function replaceFile(
  from: string,
  to: string,
  renameFile: typeof rename = rename,
  isWindows: boolean = process.platform === "win32",
): Promise<void> {
  for (const pauseMs of pausesMs) {
    try {
      return await renameFile(from, to);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (!isWindows || !["EPERM", "EACCES", "EBUSY"].includes(code)) throw error;
      await pause(pauseMs);
    }
  }
  return renameFile(from, to);
}
