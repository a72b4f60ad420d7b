import * as vscode from "vscode";
import type { PayloadCheck } from "../../core/payload/payloadCheck";
import { checkWords } from "../../core/payload/payloadStateWords";
import { lineStartsOf, positionIn } from "../../core/payload/textPosition";
import { failureWords } from "../../core/registry/failureWords";
import { labelText, oneLine } from "../../core/text/plainText";
import { revealHidden } from "../../core/text/revealHidden";
import { payloadFilePattern } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import type { SuiteWorks } from "../lateSuites";
import { hostLanguage } from "../words/hostLanguage";
import type { PayloadBindings } from "./payloadBindings";
import { otherVersionGiven, type PayloadChecks } from "./payloadChecks";

const maxFiles = 5000;
const maxMessages = 20;

/** What checking saved inputs needs. */
export interface PayloadSuitesParts {
  readonly bindings: PayloadBindings;
  readonly details: SkillDetails;
  readonly checks: PayloadChecks;
}

/**
 * Fills the Test Explorer with the saved inputs of the workspace, by skill, and checks them against
 * the version each is bound to. Nothing is ever called.
 */
export class PayloadSuites implements SuiteWorks, vscode.Disposable {
  private readonly watcher: vscode.FileSystemWatcher;

  constructor(
    private readonly controller: vscode.TestController,
    private readonly parts: PayloadSuitesParts,
  ) {
    this.watcher = vscode.workspace.createFileSystemWatcher(payloadFilePattern);
    this.watcher.onDidCreate((uri) => this.add(uri));
    this.watcher.onDidDelete((uri) => this.remove(uri));
    this.watcher.onDidChange((uri) => controller.invalidateTestResults(this.itemOf(uri)));
  }

  async discover(): Promise<void> {
    const excluded = "**/node_modules/**";
    const found = await vscode.workspace.findFiles(payloadFilePattern, excluded, maxFiles);
    this.controller.items.replace([]);
    for (const uri of found) this.add(uri);
  }

  async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (this.controller.items.size === 0) await this.discover();
    const run = this.controller.createTestRun(request);
    const stop = new AbortController();
    const subscription = token.onCancellationRequested(() => stop.abort());
    try {
      const wanted = filesOf(request, this.controller.items);
      for (const item of wanted) run.enqueued(item);
      for (const item of wanted) {
        if (stop.signal.aborted) run.skipped(item);
        else await this.check(item, run, stop.signal);
      }
    } finally {
      subscription.dispose();
      run.end();
    }
  }

  dispose(): void {
    this.watcher.dispose();
  }

  private async check(
    item: vscode.TestItem,
    run: vscode.TestRun,
    signal: AbortSignal,
  ): Promise<void> {
    const { uri } = item;
    const binding = uri === undefined ? undefined : this.parts.bindings.find(uri);
    if (uri === undefined || binding === undefined) {
      run.skipped(item);
      return;
    }
    run.started(item);
    const start = performance.now();
    try {
      const text = await textOf(uri);
      const found = await this.parts.details.find(binding.slug, binding.version);
      const failure = found.ok ? otherVersionGiven(binding, found.value) : found.failure;
      if (!found.ok || failure !== undefined) {
        const words =
          failure === undefined ? "" : revealHidden(failureWords(failure, hostLanguage()));
        run.errored(item, new vscode.TestMessage(words));
        return;
      }
      const check = await this.parts.checks.checkText(found.value, text, signal);
      report(run, item, uri, check, text, performance.now() - start);
      const { slug, version } = found.value.summary;
      const skill = oneLine(`${slug}@${version}`, 80);
      const path = oneLine(vscode.workspace.asRelativePath(uri));
      run.appendOutput(`${path}  ${skill}  ${checkWords(check, hostLanguage())}\r\n`);
    } catch (error) {
      if (signal.aborted) run.skipped(item);
      else run.errored(item, new vscode.TestMessage(unreadable(error)));
    }
  }

  private add(uri: vscode.Uri): void {
    const binding = this.parts.bindings.find(uri);
    if (binding === undefined) return;
    const { slug } = binding;
    const suite =
      this.controller.items.get(slug) ?? this.controller.createTestItem(slug, labelText(slug));
    this.controller.items.add(suite);
    const label = labelText(vscode.workspace.asRelativePath(uri));
    suite.children.add(this.controller.createTestItem(uri.toString(), label, uri));
  }

  private remove(uri: vscode.Uri): void {
    const item = this.itemOf(uri);
    const suite = item?.parent;
    suite?.children.delete(uri.toString());
    if (suite?.children.size === 0) this.controller.items.delete(suite.id);
  }

  private itemOf(uri: vscode.Uri): vscode.TestItem | undefined {
    const name = uri.toString();
    for (const [, suite] of this.controller.items) {
      const item = suite.children.get(name);
      if (item !== undefined) return item;
    }
    return undefined;
  }
}

function filesOf(
  { include, exclude = [] }: vscode.TestRunRequest,
  items: vscode.TestItemCollection,
): vscode.TestItem[] {
  const files = new Set<vscode.TestItem>();
  const add = (item: vscode.TestItem) => {
    if (exclude.includes(item)) return;
    if (item.uri !== undefined) files.add(item);
    for (const [, child] of item.children) add(child);
  };
  if (include === undefined) for (const [, item] of items) add(item);
  else include.forEach(add);
  return [...files];
}

/** The text as it is in an open editor, saved or not, else as it is on disk. */
async function textOf(uri: vscode.Uri): Promise<string> {
  const name = uri.toString();
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === name);
  if (open !== undefined) return open.getText();
  const bytes = await vscode.workspace.fs.readFile(uri);
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

function unreadable(error: unknown): string {
  return error instanceof TypeError
    ? vscode.l10n.t("This file is not UTF-8 text.")
    : vscode.l10n.t("This file could not be read.");
}

function report(
  run: vscode.TestRun,
  item: vscode.TestItem,
  uri: vscode.Uri,
  check: PayloadCheck,
  text: string,
  milliseconds: number,
): void {
  if (check.state === "valid") {
    run.passed(item, milliseconds);
    return;
  }
  if (check.state === "unchecked") {
    const reason = check.reason ?? vscode.l10n.t("This input could not be checked.");
    run.errored(item, new vscode.TestMessage(revealHidden(reason)), milliseconds);
    return;
  }
  const starts = lineStartsOf(text);
  const positionAt = (offset: number) => {
    const { line, character } = positionIn(starts, offset);
    return new vscode.Position(line, character);
  };
  const errors = check.problems.filter(({ severity }) => severity === "error");
  const messages = errors.slice(0, maxMessages).map((problem) => {
    const message = new vscode.TestMessage(revealHidden(problem.message));
    const range = new vscode.Range(positionAt(problem.start), positionAt(problem.end));
    message.location = new vscode.Location(uri, range);
    return message;
  });
  run.failed(item, messages, milliseconds);
}
