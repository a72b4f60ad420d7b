import { type FSWatcher, watch } from "node:fs";
import * as vscode from "vscode";
import type { InvocationRecord, InvocationTexts } from "../../core/invocation/invocationRecord";
import { readSettings } from "../settings";
import type { OutputChannels } from "../words/outputChannels";
import type { InvocationStore } from "./invocationStore";

/** Changes come in bursts: a record, its lock, its pin, and the system tells of each. */
const burstMs = 100;
const dayMs = 86_400_000;
/** How many calls of this window can be looked at in full although their texts are not kept. */
const maxInMemory = 20;
const maxCharactersInMemory = 20_000_000;

/**
 * The record of past calls, of this window and of all others. A disk that does not take a record
 * never stops a call: the user is told once and the log says why.
 */
export class InvocationHistory {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly inMemory = new Map<string, InvocationTexts>();
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

  /**
   * Keeps a record, in place of an earlier state of the same call, with its texts where `keepTexts`
   * says so; without, they can be read until the window closes. Never rejects.
   */
  async keep(record: InvocationRecord, texts: InvocationTexts, keepTexts: boolean): Promise<void> {
    if (!keepTexts) this.remember(record.id, texts);
    const { historyMaxEntries: maxEntries, historyMaxDays: days } = readSettings();
    if (maxEntries === 0) return;
    try {
      await this.store.write(record, keepTexts ? texts : {});
      const since = days === 0 ? 0 : Date.now() - days * dayMs;
      if (record.status !== "running") await this.store.retain({ maxEntries, since });
    } catch (error) {
      this.tellOnce(error);
    }
    this.announce();
  }

  /** Lists the calls kept, newest first, and from then on follows what other windows add. */
  async list(): Promise<readonly InvocationRecord[]> {
    this.follow();
    const limit = readSettings().historyMaxEntries;
    if (limit === 0) return [];
    const { records, damaged } = await this.store.list(limit);
    this.tellOfDamage(damaged);
    return records;
  }

  /** Finds a call by its name here. */
  async find(id: string): Promise<InvocationRecord | undefined> {
    return (await this.list()).find((record) => record.id === id);
  }

  /** Reads the input and output of a call; both may be left out. Undefined where they are damaged. */
  async texts(id: string): Promise<InvocationTexts | undefined> {
    const kept = await this.store.texts(id);
    return kept?.inputText === undefined ? (this.inMemory.get(id) ?? kept) : kept;
  }

  /** Keeps a call whatever the retention says, or no longer so. Rejects where the disk refuses. */
  async pin(id: string, pinned: boolean): Promise<void> {
    await this.store.pin(id, pinned);
    this.announce();
  }

  /** Removes a call for good. Rejects where the disk refuses. */
  async remove(id: string): Promise<void> {
    this.inMemory.delete(id);
    await this.store.remove(id);
    this.announce();
  }

  dispose(): void {
    clearTimeout(this.pause);
    this.watcher?.close();
    this.changed.dispose();
  }

  private remember(id: string, texts: InvocationTexts): void {
    if ((texts.outputText?.length ?? 0) > maxCharactersInMemory) return;
    this.inMemory.set(id, texts);
    for (const oldest of this.inMemory.keys()) {
      if (this.inMemory.size <= maxInMemory) break;
      this.inMemory.delete(oldest);
    }
  }

  private follow(): void {
    if (this.watcher !== undefined) return;
    try {
      const watcher = watch(this.folder, (_event, file) => {
        // Locks and halves come and go beside the records; what has no name may be anything.
        if (file === null || /\.(?:jsonl|pin)$/.test(file)) this.announce();
      });
      watcher.on("error", () => watcher.close());
      this.watcher = watcher;
    } catch {
      // The folder appears with the first call; listing after that call follows it.
    }
  }

  private announce(): void {
    this.pause ??= setTimeout(() => {
      this.pause = undefined;
      this.changed.fire();
    }, burstMs);
  }

  private tellOfDamage(names: readonly string[]): void {
    if (names.length === 0) return;
    this.channels.note(`Damaged records, set aside in ${this.folder}: ${names.join(", ")}`);
    void vscode.window.showWarningMessage(
      names.length === 1
        ? vscode.l10n.t(
            "The record {0} was damaged and set aside as *.damaged. The other calls are not affected; “Skills: Show Log” names the folder.",
            names[0] ?? "",
          )
        : vscode.l10n.t(
            "{0} records were damaged and set aside as *.damaged. The other calls are not affected; “Skills: Show Log” names the folder.",
            names.length,
          ),
    );
  }

  private tellOnce(error: unknown): void {
    this.channels.note(`A call could not be recorded: ${String(error)}`);
    if (this.toldOfFailure) return;
    this.toldOfFailure = true;
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "Calls cannot be recorded: the editor's storage does not take them. The output channel still shows each call and its invocation ID.",
      ),
    );
  }
}
