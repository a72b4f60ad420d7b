import { type FSWatcher, watch } from "node:fs";
import * as vscode from "vscode";
import type { InvocationRecord, InvocationTexts } from "../../core/invocationRecord";
import { readSettings } from "../settings";
import type { OutputChannels } from "../words/outputChannels";
import type { InvocationStore } from "./invocationStore";

const pauseBeforeReadingMs = 100;

/**
 * The record of past calls, of this window and of all others. A disk that does not take a record
 * never stops a call: the user is told once and the log says why.
 */
export class InvocationHistory {
  private readonly changed = new vscode.EventEmitter<void>();
  private watcher: FSWatcher | undefined;
  private pause: NodeJS.Timeout | undefined;
  private toldOfFailure = false;

  /** Fires when there is something new to list. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: InvocationStore,
    private readonly folder: string,
    private readonly channels: OutputChannels,
  ) {}

  /** Keeps a record, in place of an earlier state of the same call. Never rejects. */
  async keep(record: InvocationRecord, texts: InvocationTexts): Promise<void> {
    const limit = readSettings().historyMaxEntries;
    if (limit === 0) return;
    try {
      await this.store.write(record, texts);
      await this.store.keepNewest(limit);
    } catch (error) {
      this.tellOnce(error);
    }
    this.changed.fire();
  }

  /** Lists the calls kept, newest first, and from then on follows what other windows add. */
  async list(): Promise<InvocationRecord[]> {
    this.follow();
    const limit = readSettings().historyMaxEntries;
    return limit === 0 ? [] : this.store.list(limit);
  }

  /** Reads the input and output of a call. Undefined where they are gone or damaged. */
  texts(id: string): Promise<InvocationTexts | undefined> {
    return this.store.texts(id);
  }

  dispose(): void {
    clearTimeout(this.pause);
    this.watcher?.close();
    this.changed.dispose();
  }

  private follow(): void {
    if (this.watcher !== undefined) return;
    try {
      this.watcher = watch(this.folder, () => {
        clearTimeout(this.pause);
        this.pause = setTimeout(() => this.changed.fire(), pauseBeforeReadingMs);
      });
      this.watcher.on("error", () => this.watcher?.close());
    } catch {
      // The folder appears with the first call; listing after that call follows it.
    }
  }

  private tellOnce(error: unknown): void {
    this.channels.note(`A call could not be recorded: ${String(error)}`);
    if (this.toldOfFailure) return;
    this.toldOfFailure = true;
    void vscode.window.showWarningMessage(
      "Calls cannot be recorded: the editor's storage does not take them. The output channel still shows each call and its invocation ID.",
    );
  }
}
