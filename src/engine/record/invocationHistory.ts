import { randomUUID } from "node:crypto";
import { isOver } from "../../core/invocation/outcome";
import {
  type InvocationRecord,
  type InvocationTexts,
  nextLatestEnd,
} from "../../core/invocation/record/invocationRecord";
import { Timer } from "../../registry/wait";
import { ChangeEvent } from "../changeEvent";
import { FollowedFolder } from "../files/followedFolder";
import { InvocationStore } from "./invocationStore";
import { SessionInvocations, type UnwrittenInvocation } from "./sessionInvocations";

/** Changes come in bursts: the system reports a record, its lock and its pin separately. */
const burstMs = 100;
/** What was read is read anew after so long: not every disk reports what others change. */
const snapshotMs = 1_000;

/** The record as it was read once, for all who ask before it changes. */
interface Snapshot {
  readonly limit: number;
  readonly records: Promise<readonly InvocationRecord[]>;
  /** When it is no longer returned, by the monotonic clock. */
  until: number;
}

/** How many invocations are kept, and for how long; none with `maxEntries` 0, of any age with `maxDays` 0. */
export interface RetentionSettings {
  readonly maxEntries: number;
  readonly maxDays: number;
}

/** Called where something goes wrong with the record. None of it stops an invocation. */
export interface RecordReports {
  /** Damaged records were set aside in `folder`. */
  readonly damaged: (names: readonly string[], folder: string) => void;
  /** A record could not be written; `isFirst` since the last one that could. */
  readonly notWritten: (error: unknown, isFirst: boolean) => void;
  /** Old records could not be removed. */
  readonly notRetained: (error: unknown) => void;
  /** A record could not be pinned or removed as the user wanted. */
  readonly notChanged: (error: unknown) => void;
}

/**
 * The record of past invocations, of this program and all others of this machine. A disk that rejects a record
 * never stops an invocation: that is reported, and the record is kept in memory.
 */
export class InvocationHistory {
  private readonly changed = new ChangeEvent<void>();
  private readonly store: InvocationStore;
  private readonly session = new SessionInvocations();
  private readonly followed: FollowedFolder;
  private snapshot: Snapshot | undefined;
  /** Ends with the last removal of old records; `retained` has not begun. */
  private retaining: Promise<void> = Promise.resolve();
  private retained: Promise<void> | undefined;
  private readonly pause = new Timer();
  private readonly expiry = new Timer();
  private hasReportedFailure = false;
  /** How many records there were when old ones were removed last, and how many were kept since. */
  private size = 0;
  private grown = 0;
  /** The newest invocation of this program, which may not be on disk. */
  private newest: InvocationRecord | undefined;

  /** Fires when there is something new to list. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly folder: string,
    private readonly retention: () => RetentionSettings,
    private readonly reports: RecordReports,
  ) {
    this.store = new InvocationStore(folder);
    // Ignore lock and temporary files; without a file name, reload.
    this.followed = new FollowedFolder(folder, (file) => {
      if (file === undefined || /\.(?:jsonl|pin)$/.test(file)) this.announce();
    });
    void this.store.learnNames();
  }

  /** Names the record of an invocation that starts now, after all others in the order of invocations. */
  newId(startedAt: number): string {
    return this.store.newId(startedAt, randomUUID().slice(0, 13));
  }

  /** Makes the end of this program's newest invocation available immediately, however long the disk takes for it. */
  end(record: InvocationRecord): void {
    this.newest = record;
  }

  /**
   * Stores a record, replacing an earlier state of the same invocation, with its texts where `keepTexts` is
   * set; otherwise they can be read until this program ends. Resolves to whether it is on the disk. Never rejects.
   */
  async keep(
    record: InvocationRecord,
    texts: InvocationTexts,
    keepTexts: boolean,
  ): Promise<boolean> {
    const { maxEntries, maxDays } = this.retention();
    if (!keepTexts || maxEntries === 0) this.session.rememberTexts(record.id, texts);
    this.newest = record;
    if (maxEntries === 0) return false;
    const isWritten = await this.write({ record, texts: keepTexts ? texts : {} });
    this.snapshot = undefined;
    if (isOver(record)) await this.retain({ maxEntries, maxDays }, record.id);
    this.announce();
    return isWritten;
  }

  /**
   * Removes old records, once for all that were kept while it was done, and not again before the record has grown by a
   * hundredth: all names are read for it, which a script with a thousand records a minute would do after each.
   */
  private async retain(retention: RetentionSettings, newest: string): Promise<void> {
    this.grown += 1;
    if (this.grown < this.size / 100) return;
    const next = async () => {
      this.retained = undefined;
      this.grown = 0;
      this.size = await this.store.retain({ ...retention, newest, now: Date.now() });
    };
    this.retained ??= this.retaining.then(next).catch(this.reports.notRetained);
    this.retaining = this.retained;
    await this.retained;
  }

  /**
   * Adds the texts of an invocation that was stored without them, as far as this program still has them. A
   * record that was removed since stays removed. Never rejects.
   */
  async keepTexts(record: InvocationRecord): Promise<void> {
    const texts = this.session.texts(record.id);
    if (texts === undefined) return;
    // It is written with the next record that the disk accepts.
    if (this.session.holds(record.id)) return this.session.hold({ record, texts });
    try {
      await this.store.addTexts(record, texts);
    } catch (error) {
      this.session.hold({ record, texts });
      this.reportFailure(error);
    }
    this.announce();
  }

  /**
   * Lists the stored invocations, newest first, and from then on follows changes of other programs. All who ask
   * before anything changes share one reading.
   */
  async list(): Promise<readonly InvocationRecord[]> {
    this.followed.follow();
    const limit = this.retention().maxEntries;
    if (limit === 0) return [];
    const known = this.snapshot;
    if (known?.limit === limit && performance.now() < known.until) return known.records;
    const fresh: Snapshot = { limit, records: this.read(limit), until: Number.POSITIVE_INFINITY };
    this.snapshot = fresh;
    const end = () => {
      fresh.until = performance.now() + snapshotMs;
    };
    void fresh.records.then(end, end);
    return fresh.records;
  }

  /**
   * Lists the stored invocations as they are on the disk now. What was read a moment ago does not say whether another
   * program has sent the same meanwhile, and not every disk reports that.
   */
  listNow(): Promise<readonly InvocationRecord[]> {
    this.snapshot = undefined;
    return this.list();
  }

  private async read(limit: number): Promise<readonly InvocationRecord[]> {
    // An invocation that ends while the record is read was still running for the reader.
    const now = Date.now();
    const { records, damaged } = await this.store.list(limit);
    if (damaged.length > 0) this.reports.damaged(damaged, this.folder);
    const merged = this.session.mergedWith(records);
    this.announceExpiry(merged, now);
    return merged;
  }

  /**
   * Finds an invocation by its record's name; also this program's newest where it is not stored, or not yet as
   * ended.
   */
  async find(id: string): Promise<InvocationRecord | undefined> {
    const isThis = (record: InvocationRecord) => record.id === id;
    // Another program may have kept it a moment ago, which was not noticed yet.
    const kept = (await this.list()).find(isThis) ?? (await this.listNow()).find(isThis);
    if (kept !== undefined && isOver(kept)) return kept;
    return this.newest?.id === id ? this.newest : kept;
  }

  /**
   * Reads the payload and output of an invocation; both may be absent. Undefined where they are damaged, or in a file
   * larger than `maxBytes`.
   */
  async texts(id: string, maxBytes?: number): Promise<InvocationTexts | undefined> {
    const kept = await this.store.texts(id, maxBytes);
    return kept?.inputText === undefined ? (this.session.texts(id) ?? kept) : kept;
  }

  /** Exempts an invocation from the retention, or no longer; reports where the disk fails. */
  async pin(id: string, pinned: boolean): Promise<void> {
    await this.change(this.store.pin(id, pinned));
  }

  /** Removes an invocation permanently; reports where the disk fails. */
  async remove(id: string): Promise<void> {
    if (this.newest?.id === id) this.newest = undefined;
    this.session.forget(id);
    await this.change(this.store.remove(id));
  }

  dispose(): void {
    this.pause.dispose();
    this.expiry.dispose();
    this.followed.dispose();
    this.changed.dispose();
  }

  /** Writes an invocation, and then those that failed to be written before. */
  private async write(invocation: UnwrittenInvocation): Promise<boolean> {
    if (!(await this.writeOne(invocation))) return false;
    for (const waiting of this.session.unwritten) {
      if (!(await this.writeOne(waiting))) return true;
    }
    this.hasReportedFailure = false;
    return true;
  }

  private async writeOne(invocation: UnwrittenInvocation): Promise<boolean> {
    const { record, texts } = invocation;
    try {
      await this.store.write(record, texts);
      this.session.letGo(record.id);
      return true;
    } catch (error) {
      this.session.hold(invocation);
      // Where there is no room for the texts, there may be for the facts alone.
      await this.store.write(record, {}).catch(() => undefined);
      this.reportFailure(error);
      return false;
    }
  }

  private async change(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.reports.notChanged(error);
    }
    this.announce();
  }

  private announce(): void {
    this.snapshot = undefined;
    if (!this.pause.isRunning) this.pause.after(burstMs, () => this.changed.fire());
  }

  /**
   * Fires when an invocation whose program died must have ended, since nothing on the disk changes then.
   * `readAt` is from before the records were read.
   */
  private announceExpiry(records: readonly InvocationRecord[], readAt: number): void {
    this.expiry.dispose();
    const next = nextLatestEnd(records, readAt);
    if (next === undefined) return;
    const rest = Math.max(next + 1 - Date.now(), 0);
    this.expiry.after(rest, () => this.announce());
  }

  private reportFailure(error: unknown): void {
    this.reports.notWritten(error, !this.hasReportedFailure);
    this.hasReportedFailure = true;
  }
}
