import { readFile } from "node:fs/promises";
import { takeLock } from "./fileLock";
import { writeBeside } from "./writeBeside";

const lockMs = 5_000;
const retryMs = 20;
const maxTries = 25;

/**
 * A small value that all windows of this machine share, kept in one JSON file. Where the disk fails
 * the value lives on in this window.
 */
export class SharedFile<Value> {
  private latest: Value | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  /** `read` makes a value of whatever the file held, undefined for none. */
  constructor(
    private readonly path: string,
    private readonly read: (value: unknown) => Value,
  ) {}

  /** Reads the value as the last writer left it. Never rejects. */
  async get(): Promise<Value> {
    try {
      return this.read(JSON.parse(await readFile(this.path, "utf8")));
    } catch {
      return this.latest ?? this.read(undefined);
    }
  }

  /** Changes the value, one change at a time over all windows. Never rejects. */
  change(change: (value: Value) => Value): Promise<void> {
    const done = this.queue.then(() => this.changeNow(change));
    this.queue = done;
    return done;
  }

  private async changeNow(change: (value: Value) => Value): Promise<void> {
    const release = await this.lock();
    this.latest = change(await this.get());
    await writeBeside(this.path, JSON.stringify(this.latest)).catch(() => undefined);
    await release?.();
  }

  /** Without the lock a change of another window may be lost, which beats losing this one for sure. */
  private async lock(): Promise<(() => Promise<void>) | undefined> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const answer = await takeLock(`${this.path}.lock`, Date.now() + lockMs);
      if (answer.kind === "taken") return answer.release;
      if (answer.kind === "unavailable") return undefined;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
    return undefined;
  }
}
