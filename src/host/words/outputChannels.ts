import * as vscode from "vscode";
import type { KeyRedactor } from "../../core/registry/redactSecrets";

/** The output channel for calls and the log channel for diagnostics, made on first use. */
export class OutputChannels {
  private output: vscode.OutputChannel | undefined;
  private log: vscode.LogOutputChannel | undefined;

  /** `redactor` takes keys out of whatever is written. */
  constructor(private readonly redactor: KeyRedactor) {}

  /** Adds a call's block and shows the channel without taking the focus. */
  write(block: string): void {
    const output = this.openOutput();
    output.append(this.redactor.redact(block));
    output.show(true);
  }

  /** Shows the output channel. */
  showOutput(): void {
    this.openOutput().show();
  }

  /** Shows the log channel. */
  showLog(): void {
    this.openLog().show();
  }

  /** Notes something for diagnosis. */
  note(text: string): void {
    this.openLog().info(this.redactor.redact(text));
  }

  dispose(): void {
    this.output?.dispose();
    this.log?.dispose();
  }

  private openOutput(): vscode.OutputChannel {
    this.output ??= vscode.window.createOutputChannel("Skill Registry");
    return this.output;
  }

  private openLog(): vscode.LogOutputChannel {
    this.log ??= vscode.window.createOutputChannel("Skill Registry Log", { log: true });
    return this.log;
  }
}
