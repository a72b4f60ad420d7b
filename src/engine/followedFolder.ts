import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";

/**
 * Watches a folder for changes by this and other windows: `changed` is called with the name of each file,
 * undefined where the system does not report it. A watcher that fails, or whose folder is replaced, is
 * created again.
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

  /** Starts watching, if it does not yet; a missing folder, once it exists. */
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
      // The folder is created with the first invocation, possibly by another window.
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

  /** Retries until the folder exists again. Changes in between were not reported. */
  private retryLater(): void {
    this.retry = setTimeout(() => {
      this.follow();
      if (this.watcher !== undefined) this.changed(undefined);
    }, this.retryMs);
  }
}
