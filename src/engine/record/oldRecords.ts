import type { RetentionSettings, Store } from "../store/store";

/** How long records are removed after an invocation, in milliseconds. A command waits for it before it ends. */
const maxRetentionMs = 200;

/** Removes the old records of a store. */
export class OldRecords {
  private removing: Promise<void> | undefined;
  /** The number of records after the last removal. */
  private size = 0;
  private added = 0;
  /** The settings of the last removal; undefined if it did not remove all. */
  private settings: RetentionSettings | undefined;

  constructor(
    private readonly store: Pick<Store, "retain" | "extent">,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Resolves when the present removal has ended. Never rejects. */
  get removed(): Promise<void> {
    return this.removing ?? Promise.resolve();
  }

  /**
   * Starts a removal after an invocation, but only if the settings changed or the record has grown by one percent since
   * the last one.
   */
  removeAfterInvocation(settings: RetentionSettings): void {
    this.added += 1;
    const isNew =
      settings.maxEntries !== this.settings?.maxEntries ||
      settings.maxDays !== this.settings.maxDays;
    if (!isNew && this.added < this.size / 100) return;
    this.removing ??= this.remove(settings).finally(() => {
      this.removing = undefined;
    });
  }

  private async remove(settings: RetentionSettings): Promise<void> {
    this.settings = settings;
    this.added = 0;
    try {
      const until = performance.now() + maxRetentionMs;
      let isMore = true;
      while (isMore && performance.now() < until) isMore = await this.store.retain(settings);
      // The next invocation continues, also one of the next command.
      if (isMore) this.settings = undefined;
      const { single, ofBatches } = await this.store.extent();
      this.size = single.count + ofBatches.count;
    } catch (error) {
      this.onError(error);
    }
  }
}
