import * as vscode from "vscode";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import { Owner } from "./owner";

/** The output channel for invocations and the log channel for diagnostics, created on first use. */
export class OutputChannels extends Owner {
  private output: vscode.OutputChannel | undefined;
  private log: vscode.LogOutputChannel | undefined;
  private revealing: vscode.Disposable | undefined;
  private newest: string | undefined;

  /** `redactor` redacts keys in everything that is written. */
  constructor(private readonly redactor: KeyRedactor) {
    super();
  }

  /** Adds an invocation's block. The channel shows it from its first line, now or when it is next opened. */
  write(block: string): void {
    const output = this.openOutput();
    const clean = this.redactor.redact(block);
    output.append(clean);
    this.newest = clean;
    this.revealNewest();
  }

  /** Shows the output channel, from the newest block's first line. */
  showOutput(): void {
    this.openOutput().show();
    this.revealNewest();
  }

  showLog(): void {
    this.openLog().show();
  }

  /** Logs that something failed, with method and address for a request. */
  noteFailure(text: string, severity: "warning" | "error" = "error"): void {
    const clean = this.redactor.redact(text);
    if (severity === "error") this.openLog().error(clean);
    else this.openLog().warn(clean);
  }

  /** Logs a request and its result at log level Debug. */
  noteRequest(line: string): void {
    this.openLog().debug(this.redactor.redact(line));
  }

  override dispose(): void {
    this.revealing?.dispose();
    super.dispose();
  }

  private revealNewest(): void {
    this.revealing?.dispose();
    this.revealing = this.newest === undefined ? undefined : revealBlock(this.newest);
  }

  private openOutput(): vscode.OutputChannel {
    this.output ??= this.own(vscode.window.createOutputChannel("Skill Registry"));
    return this.output;
  }

  private openLog(): vscode.LogOutputChannel {
    this.log ??= this.own(vscode.window.createOutputChannel("Skill Registry Log", { log: true }));
    return this.log;
  }
}

/**
 * Scrolls the Output panel to the first line of a block until the whole block is visible. By itself the panel scrolls
 * to the end of new text, or not at all once the user has clicked into it.
 */
function revealBlock(block: string): vscode.Disposable {
  const [header = ""] = block.split("\n", 1);
  const reveal = () => {
    const editor = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.scheme === "output" && document.getText().includes(header),
    );
    if (editor === undefined) return;
    const text = editor.document.getText();
    const start = editor.document.positionAt(text.lastIndexOf(header));
    editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.AtTop);
    if (text.replaceAll("\r\n", "\n").endsWith(block)) subscription.dispose();
  };
  const subscription = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(
      ({ document }) => document.uri.scheme === "output" && reveal(),
    ),
    vscode.window.onDidChangeVisibleTextEditors(reveal),
  );
  reveal();
  return subscription;
}
