import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";

/**
 * Follows what changes in a folder, of this window and of others: `changed` is called with the name
 * of each file, undefined where the system does not tell. A watcher that fails, or whose folder is
 * replaced, is made again.
 */
export class FollowedFolder {
  private watcher: FSWatcher | undefined;
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly folder: string,
    private readonly changed: (file: string | undefined) => void,
    private readonly start: typeof watch = watch,
    private readonly retryMs = 5_000,
  ) {}

  /** Follows from now on, where it does not yet; a folder that is not there yet, once it is. */
  follow(): void {
    if (this.watcher !== undefined) return;
    clearTimeout(this.retry);
    try {
      const watcher = this.start(this.folder, (event, file) => {
        if (event === "rename" && file === basename(this.folder)) this.again(watcher);
        else this.changed(file ?? undefined);
      });
      watcher.on("error", () => this.again(watcher));
      this.watcher = watcher;
    } catch {
      // The folder appears with the first invocation, which may be another window's.
      this.retryLater();
    }
  }

  dispose(): void {
    clearTimeout(this.retry);
    this.watcher?.close();
  }

  private again(failed: FSWatcher): void {
    failed.close();
    if (this.watcher !== failed) return;
    this.watcher = undefined;
    this.retryLater();
  }

  /** Tries until the folder is there again. Changes in between were not reported. */
  private retryLater(): void {
    this.retry = setTimeout(() => {
      this.follow();
      if (this.watcher !== undefined) this.changed(undefined);
    }, this.retryMs);
  }
}
