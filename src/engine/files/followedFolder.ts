import { existsSync, type FSWatcher, watch } from "node:fs";
import { basename, dirname, relative, sep } from "node:path";
import { Timer } from "../../registry/wait";

/**
 * Watches a folder for changes by this and other windows: `changed` is called with the name of each file,
 * undefined where the system does not report it, and where the folder came or went. Until it is there, the
 * nearest folder above it is watched, so that nothing is tried again and again. A watcher that fails is created
 * again.
 */
export class FollowedFolder {
  private watcher: FSWatcher | undefined;
  private watched = "";
  private readonly retry = new Timer();

  constructor(
    private readonly folder: string,
    private readonly changed: (file: string | undefined) => void,
    private readonly start: typeof watch = watch,
    private readonly retryMs = 5_000,
  ) {}

  /** Starts watching, if it does not yet; a missing folder, once it exists. */
  follow(): void {
    if (this.watcher !== undefined && this.watched === this.folder) return;
    for (;;) {
      const nearest = this.nearest();
      if (this.watcher !== undefined && this.watched === nearest) return;
      this.watcher?.close();
      this.watcher = undefined;
      this.retry.dispose();
      try {
        this.watch(nearest);
      } catch {
        this.retryLater();
        return;
      }
    }
  }

  dispose(): void {
    this.retry.dispose();
    this.watcher?.close();
  }

  /** The folder, or else the nearest one above it that exists. */
  private nearest(): string {
    let path = this.folder;
    while (!existsSync(path) && dirname(path) !== path) path = dirname(path);
    return path;
  }

  private watch(path: string): void {
    const [next] = relative(path, this.folder).split(sep);
    const watcher = this.start(path, (event, file) => {
      if (event === "rename" && file === basename(path)) this.again(watcher);
      else if (path === this.folder) this.changed(file ?? undefined);
      else if (this.watcher === watcher && (file === null || file === next)) this.lookBelow();
    });
    watcher.on("error", () => this.again(watcher));
    this.watcher = watcher;
    this.watched = path;
  }

  /** Goes on where the next folder on the way may be there now. */
  private lookBelow(): void {
    this.follow();
    if (this.watched === this.folder) this.changed(undefined);
  }

  private again(failed: FSWatcher): void {
    failed.close();
    if (this.watcher !== failed) return;
    this.watcher = undefined;
    this.retryLater();
  }

  /** Begins anew after a while. Changes in between were not reported. */
  private retryLater(): void {
    this.retry.after(this.retryMs, () => {
      this.follow();
      if (this.watcher !== undefined) this.changed(undefined);
    });
  }
}
