import * as vscode from "vscode";
import type { InvocationHistory } from "./audit/invocationHistory";
import type { PayloadBindings } from "./author/payloadBindings";
import { contextKeys } from "./ids";

const memoryNames = { invoked: "hasInvoked", payloadKept: "hasKeptPayload" } as const;

type Step = keyof typeof memoryNames;

/**
 * Remembers for all windows which of the first steps were done, so that the walkthrough's complete by
 * themselves and the Skills view says what the built-in registry is until a skill was invoked.
 */
export class FirstSteps {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;

  /** Fires when a step was done for the first time. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly memory: vscode.Memento,
    private readonly history: Pick<InvocationHistory, "list" | "onDidChange">,
    bindings: Pick<PayloadBindings, "find">,
  ) {
    this.subscription = vscode.Disposable.from(
      history.onDidChange(() => void this.look()),
      vscode.workspace.onDidSaveTextDocument(({ uri, isUntitled }) => {
        if (!isUntitled && bindings.find(uri) !== undefined) void this.done("payloadKept");
      }),
    );
    for (const step of Object.keys(memoryNames) as Step[]) this.tell(step);
    void this.look();
  }

  /** Tells whether a skill was ever invoked, as far as this machine knows. */
  get hasInvoked(): boolean {
    return this.isDone("invoked");
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private async look(): Promise<void> {
    if (this.hasInvoked) return;
    const records = await this.history.list();
    if (records.some(({ status }) => status !== "running")) await this.done("invoked");
  }

  private isDone(step: Step): boolean {
    return this.memory.get(memoryNames[step]) === true;
  }

  private async done(step: Step): Promise<void> {
    if (this.isDone(step)) return;
    await this.memory.update(memoryNames[step], true);
    this.tell(step);
    this.changed.fire();
  }

  private tell(step: Step): void {
    void vscode.commands.executeCommand("setContext", contextKeys[step], this.isDone(step));
  }
}
