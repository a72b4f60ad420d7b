import type * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { CallAgain, CallPath, CheckedCall } from "./callPath";
import { DocumentNames } from "./documentNames";
import { JoinedTriggers, type TriggerEnd } from "./joinedTriggers";

/** What starting a call leads to. */
export type CallSteps = Pick<CallPath, "prepare" | "send" | "sendAfter">;

/** Starts calls from wherever they are asked for. Triggers of a call that is under way join it. */
export class Invoker {
  private readonly triggers: JoinedTriggers;
  private readonly names = new DocumentNames();
  private readonly steps: CallSteps;

  /** `now` is a clock in milliseconds that is never set back. */
  constructor(stepsFor: (again: CallAgain) => CallSteps, now?: () => number) {
    this.triggers = new JoinedTriggers(now);
    this.steps = stepsFor({
      now: (checked, twice) => this.again(checked, () => this.steps.send(checked, twice)),
      after: (checked, seconds) =>
        this.again(checked, () => this.steps.sendAfter(checked, seconds)),
    });
  }

  /** Calls the skill a document is bound to with the document's text. Resolves when all is told. */
  async invoke(document: vscode.TextDocument): Promise<void> {
    await this.invokeText(document, false);
  }

  /**
   * Calls with a document's text what `record` names once more, however soon after that call. A
   * double click is one call.
   */
  async invokeAgain(document: vscode.TextDocument, record: InvocationRecord): Promise<void> {
    await this.triggers.run(record.id, "", () => this.invokeText(document, true));
  }

  private invokeText(document: vscode.TextDocument, again: boolean): Promise<TriggerEnd> {
    const source = this.names.nameOf(document);
    const work = async (): Promise<TriggerEnd> => {
      const checked = await this.steps.prepare(document, source);
      return checked === undefined ? "calledOff" : this.steps.send(checked, again);
    };
    return this.triggers.run(source, document.getText(), work, again);
  }

  /** Calls again what was checked before; joins a call from the same source that is under way. */
  private async again({ source, call }: CheckedCall, work: () => Promise<TriggerEnd>) {
    await this.triggers.run(source, call.inputText, work, true);
  }
}
