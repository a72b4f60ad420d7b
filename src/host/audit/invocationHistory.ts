import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import {
  type InvocationRecord,
  type InvocationTexts,
  nextLatestEnd,
} from "../../core/invocation/record/invocationRecord";
import { FollowedFolder } from "../../engine/followedFolder";
import type { InvocationStore } from "../../engine/invocationStore";
import type { OutputChannels } from "../messages/outputChannels";
import { showNotice } from "../messages/showNotice";
import { readSettings } from "../settings";
import { SessionInvocations, type UnwrittenInvocation } from "./sessionInvocations";

/** Changes come in bursts: the system reports a record, its lock and its pin separately. */
const burstMs = 100;
/** A longer timer would fire immediately. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The record of past invocations, of this window and all others. A disk that rejects a record never stops an
 * invocation: the user is notified once, the log has the reason, and the window keeps it in memory.
 */
export class InvocationHistory {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly session = new SessionInvocations();
  private readonly followed: FollowedFolder;
  private pause: NodeJS.Timeout | undefined;
  private expiry: NodeJS.Timeout | undefined;
  private hasShownFailure = false;
  /** The newest invocation of this window, which may not be on disk. */
  private newest: InvocationRecord | undefined;

  /** Fires when there is something new to list. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: InvocationStore,
    private readonly folder: string,
    private readonly channels: OutputChannels,
  ) {
    // Ignore lock and temporary files; without a file name, reload.
    this.followed = new FollowedFolder(folder, (file) => {
      if (file === undefined || /\.(?:jsonl|pin)$/.test(file)) this.announce();
    });
    void store.learnNames();
  }

  /** Names the record of an invocation that starts now, after all others in the order of invocations. */
  newId(startedAt: number): string {
    return this.store.newId(startedAt, randomUUID().slice(0, 13));
  }

  /** Makes the end of this window's newest invocation available immediately, however long the disk takes for it. */
  end(record: InvocationRecord): void {
    this.newest = record;
  }

  /**
   * Stores a record, replacing an earlier state of the same invocation, with its texts where `keepTexts` is
   * set; otherwise they can be read until the window closes. Never rejects.
   */
  async keep(record: InvocationRecord, texts: InvocationTexts, keepTexts: boolean): Promise<void> {
    const { historyMaxEntries: maxEntries, historyMaxDays: maxDays } = readSettings();
    if (!keepTexts || maxEntries === 0) this.session.rememberTexts(record.id, texts);
    this.newest = record;
    if (maxEntries === 0) return;
    await this.write({ record, texts: keepTexts ? texts : {} });
    if (record.status !== "running") {
      await this.store
        .retain({ maxEntries, maxDays, newest: record.id, now: Date.now() })
        .catch((error) =>
          this.channels.noteFailure(`Old invocations could not be removed: ${String(error)}`),
        );
    }
    this.announce();
  }

  /**
   * Adds the texts of an invocation that was stored without them, as far as this window still has them. A
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
      this.showFailureOnce(error);
    }
    this.announce();
  }

  /** Lists the stored invocations, newest first, and from then on follows changes of other windows. */
  async list(): Promise<readonly InvocationRecord[]> {
    this.followed.follow();
    const limit = readSettings().historyMaxEntries;
    if (limit === 0) return [];
    // An invocation that ends while the record is read was still running for the reader.
    const now = Date.now();
    const { records, damaged } = await this.store.list(limit);
    this.showDamage(damaged);
    const merged = this.session.mergedWith(records);
    this.announceExpiry(merged, now);
    return merged;
  }

  /**
   * Finds an invocation by its record's name; also this window's newest where it is not stored, or not yet as
   * ended.
   */
  async find(id: string): Promise<InvocationRecord | undefined> {
    const kept = (await this.list()).find((record) => record.id === id);
    if (kept !== undefined && kept.status !== "running") return kept;
    return this.newest?.id === id ? this.newest : kept;
  }

  /** Reads the input and output of an invocation; both may be absent. Undefined where they are damaged. */
  async texts(id: string): Promise<InvocationTexts | undefined> {
    const kept = await this.store.texts(id);
    return kept?.inputText === undefined ? (this.session.texts(id) ?? kept) : kept;
  }

  /** Exempts an invocation from the retention, or no longer; notifies the user where the disk fails. */
  async pin(id: string, pinned: boolean): Promise<void> {
    await this.change(this.store.pin(id, pinned));
  }

  /** Removes an invocation permanently; notifies the user where the disk fails. */
  async remove(id: string): Promise<void> {
    if (this.newest?.id === id) this.newest = undefined;
    this.session.forget(id);
    await this.change(this.store.remove(id));
  }

  dispose(): void {
    clearTimeout(this.pause);
    clearTimeout(this.expiry);
    this.followed.dispose();
    this.changed.dispose();
  }

  /** Writes an invocation, and then those that failed to be written before. */
  private async write(invocation: UnwrittenInvocation): Promise<void> {
    if (!(await this.writeOne(invocation))) return;
    for (const waiting of this.session.unwritten) {
      if (!(await this.writeOne(waiting))) return;
    }
    this.hasShownFailure = false;
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
      this.showFailureOnce(error);
      return false;
    }
  }

  private async change(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.channels.noteFailure(`The record could not be changed: ${String(error)}`);
      void vscode.window.showWarningMessage(
        vscode.l10n.t("Not changed: the editor's storage cannot be written."),
      );
    }
    this.announce();
  }

  private announce(): void {
    this.pause ??= setTimeout(() => {
      this.pause = undefined;
      this.changed.fire();
    }, burstMs);
  }

  /**
   * Fires when an invocation whose window died must have ended, since nothing on the disk changes then.
   * `readAt` is from before the records were read.
   */
  private announceExpiry(records: readonly InvocationRecord[], readAt: number): void {
    clearTimeout(this.expiry);
    const next = nextLatestEnd(records, readAt);
    if (next === undefined) return;
    const rest = Math.max(next + 1 - Date.now(), 0);
    this.expiry = setTimeout(() => this.announce(), Math.min(rest, longestTimerMs));
  }

  private showDamage(names: readonly string[]): void {
    if (names.length === 0) return;
    this.channels.noteFailure(`Damaged records, set aside in ${this.folder}: ${names.join(", ")}`);
    const message =
      names.length === 1
        ? vscode.l10n.t(
            "The record {0} was damaged and set aside as *.damaged. The other invocations are not affected; the log names the folder.",
            names[0] ?? "",
          )
        : vscode.l10n.t(
            "{0} records were damaged and set aside as *.damaged. The other invocations are not affected; the log names the folder.",
            names.length,
          );
    this.warn(message);
  }

  private showFailureOnce(error: unknown): void {
    this.channels.noteFailure(`An invocation could not be recorded: ${String(error)}`);
    if (this.hasShownFailure) return;
    this.hasShownFailure = true;
    this.warn(
      vscode.l10n.t(
        "Invocations cannot be recorded: the editor's storage cannot be written. They stay listed until this window closes, and in the output channel with their IDs.",
      ),
    );
  }

  private warn(message: string): void {
    const actions = [{ action: "showLog", title: vscode.l10n.t("Show Log") }] as const;
    void showNotice({ severity: "warning", message, actions });
  }
}
