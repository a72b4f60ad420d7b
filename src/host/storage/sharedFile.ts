import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { takeLock } from "./fileLock";
import { writeFileAtomic } from "./writeFileAtomic";

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
