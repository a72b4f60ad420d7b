import * as vscode from "vscode";
import { invocationStatuses } from "../../core/invocation/outcome";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { Owner } from "../ui/owner";
import { type Memory, StoredValue } from "../ui/stored";

/**
 * Remembers for all windows whether a skill was ever invoked on this machine. Until then, the Skills view explains the
 * built-in registry.
 */
export class FirstInvocation extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  private readonly stored: StoredValue<boolean>;

  /** Fires when a skill was invoked for the first time. */
  readonly onDidChange = this.changed.event;

  constructor(
    memory: Memory,
    private readonly history: Pick<InvocationHistory, "list" | "onDidChange">,
  ) {
    super();
    this.stored = new StoredValue(memory, "hasInvoked", (kept) => kept === true);
    this.own(history.onDidChange(() => void this.checkHistory()));
    void this.checkHistory();
  }

  /** Whether a skill was ever invoked; false while that is unknown. */
  get isDone(): boolean {
    return this.stored.get();
  }

  private async checkHistory(): Promise<void> {
    if (this.isDone) return;
    const statuses = invocationStatuses.filter((item) => item !== "running");
    const ended = await this.history.list({ statuses, limit: 1 }).catch(() => []);
    if (this.isDone || ended.length === 0) return;
    await this.stored.set(true);
    this.changed.fire();
  }
}
