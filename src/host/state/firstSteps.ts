import * as vscode from "vscode";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { Timer } from "../../registry/wait";
import type { PayloadBindings } from "../author/payloadBindings";
import { viewIds } from "../ids";
import { Owner } from "../ui/owner";
import { type Memory, StoredValue } from "../ui/stored";
import { setContextKey } from "./contextKeys";

const memoryNames = {
  listed: "hasListed",
  read: "hasRead",
  written: "hasWritten",
  invoked: "hasInvoked",
  kept: "hasKept",
} as const;

/** The context keys that are set for a moment. */
export type StepKey = keyof typeof memoryNames;

/** VS Code reads a walkthrough with a delay and fires no event, so repeat: the times in between. */
const repeatAfterMs = [0, 1000, 4000, 15_000, 40_000];

/**
 * The step completes only when the context key changes to true after the walkthrough is read, so alternate
 * two values.
 */
const doneValues = ["once", "again"];

/**
 * Remembers for all windows which of the first steps were done, so that the walkthrough's complete by
 * themselves and the Skills view explains the built-in registry until a skill was invoked.
 */
export class FirstSteps extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  private readonly repeating = this.own(new Timer());

  /** Fires when a step was done for the first time. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly memory: Memory,
    private readonly history: Pick<InvocationHistory, "list" | "onDidChange">,
    private readonly bindings: Pick<PayloadBindings, "find">,
  ) {
    super();
    this.own(
      history.onDidChange(() => void this.look()),
      vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
        this.lookAt(opened);
        // The walkthrough is an editor without an input type in the API.
        if ([...opened, ...changed].some(({ input }) => input === undefined))
          this.setKeysRepeatedly();
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri, isUntitled }) => {
        if (!isUntitled && bindings.find(uri) !== undefined) void this.done("kept");
      }),
    );
    this.setKeys();
    this.lookAt(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs));
    void this.look();
  }

  /** Notes that a list of skills was shown. */
  noteList(): void {
    void this.done("listed");
  }

  /** Returns whether a skill was ever invoked on this machine, as far as known. */
  get hasInvoked(): boolean {
    return this.isDone("invoked");
  }

  private lookAt(tabs: readonly vscode.Tab[]): void {
    for (const { input } of tabs) {
      if (input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewIds.skillPage)) {
        void this.done("read");
      }
      if (input instanceof vscode.TabInputText && this.bindings.find(input.uri) !== undefined) {
        void this.done("written");
      }
    }
  }

  private async look(): Promise<void> {
    if (this.hasInvoked && this.isDone("kept")) return;
    const records = await this.history.list();
    if (records.some(({ status }) => status !== "running")) await this.done("invoked");
    if (records.some(({ pinned }) => pinned === true)) await this.done("kept");
  }

  private isDone(step: StepKey): boolean {
    return this.stored(step).get();
  }

  private async done(step: StepKey): Promise<void> {
    if (this.isDone(step)) return;
    await this.stored(step).set(true);
    void this.setKey(step);
    this.changed.fire();
  }

  private stored(step: StepKey): StoredValue<boolean> {
    return new StoredValue(this.memory, memoryNames[step], (kept) => kept === true);
  }

  private setKeysRepeatedly(afterMs: readonly number[] = repeatAfterMs): void {
    const [next, ...later] = afterMs;
    if (next === undefined) return;
    this.repeating.after(next, () => {
      this.setKeys();
      this.setKeysRepeatedly(later);
    });
  }

  private setKeys(): void {
    for (const step of Object.keys(memoryNames) as StepKey[]) {
      if (this.isDone(step)) void this.setKey(step);
    }
  }

  private async setKey(step: StepKey): Promise<void> {
    for (const value of [...doneValues, undefined]) {
      await setContextKey(step, value);
    }
  }
}
