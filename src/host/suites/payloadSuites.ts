import * as vscode from "vscode";
import { isPayloadFile, otherVersionGiven } from "../../core/payload/payloadBinding";
import {
  lineStartsOf,
  type PayloadCheck,
  positionIn,
  verdictText,
} from "../../core/payload/payloadCheck";
import { registryFailureText } from "../../core/registry/registryFailure";
import { oneLine, revealHidden } from "../../core/text/plainText";
import type { PayloadBindings } from "../author/payloadBindings";
import type { PayloadChecks } from "../author/payloadChecks";
import { payloadFilePattern } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import { hostLanguage } from "../messages/hostLanguage";
import { sha256 } from "../sha256";
import { isListed, type TestWorks, unlistedFiles } from "./lazyTestController";
import { SuiteItems } from "./suiteItems";

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
 * the version each is bound to. Nothing is ever invoked.
 */
export class PayloadSuites implements TestWorks, vscode.Disposable {
  private readonly items: SuiteItems;
  private readonly subscriptions: vscode.Disposable[];
  /** By file, the digest of the text that was judged last; undefined while a run is about to read it. */
  private readonly judged = new Map<string, string | undefined>();

  constructor(
    private readonly controller: vscode.TestController,
    private readonly parts: PayloadSuitesParts,
  ) {
    this.items = new SuiteItems(controller, parts.bindings);
    const watcher = vscode.workspace.createFileSystemWatcher(payloadFilePattern);
    this.subscriptions = [
      watcher,
      watcher.onDidCreate((uri) => this.add(uri)),
      watcher.onDidDelete((uri) => this.items.remove(uri)),
      watcher.onDidChange((uri) => void this.outdate(uri)),
      parts.bindings.onDidChange((uri) => this.follow(uri)),
      parts.checks.onDidStartOver(() => this.items.outdateAll()),
    ];
  }

  async discover(): Promise<void> {
    const { findFiles } = vscode.workspace;
    // What comes while it looks may be missing in what it finds.
    const before = this.items.addresses;
    const found = await findFiles(payloadFilePattern, unlistedFiles, maxFiles + 1);
    const uris = found.slice(0, maxFiles);
    await this.items.replace(uris, found.length > maxFiles, before);
    void this.settleAll(uris);
  }

  async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (this.items.isEmpty) await this.discover();
    const run = this.controller.createTestRun(request);
    const stop = new AbortController();
    const subscription = token.onCancellationRequested(() => stop.abort());
    try {
      const wanted = this.items.wanted(request);
      for (const item of wanted) {
        run.enqueued(item);
        this.judged.set(`${item.uri}`, undefined);
      }
      for (const item of wanted) {
        if (stop.signal.aborted) run.skipped(item);
        else await this.check(await this.settled(item, stop.signal), run, stop.signal);
        if (this.judged.get(`${item.uri}`) === undefined) this.judged.delete(`${item.uri}`);
      }
    } finally {
      subscription.dispose();
      run.end();
    }
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /**
   * Marks what was said of a file as outdated, unless it was said of the very text that is there: one writing may be told
   * of twice, the second time after a run has read it.
   */
  private async outdate(uri: vscode.Uri): Promise<void> {
    const name = `${uri}`;
    const isReadNext = () => this.judged.has(name) && this.judged.get(name) === undefined;
    if (isReadNext()) return;
    const text = this.judged.has(name) ? await textOf(uri).catch(() => undefined) : undefined;
    const isSame = text !== undefined && this.judged.get(name) === sha256(text);
    if (!isSame && !isReadNext()) this.items.outdate(uri);
  }

  private add(uri: vscode.Uri): void {
    if (!isListed(uri)) return;
    this.items.put(uri);
    void this.settleAll([uri]);
  }

  /** Moves files below the skill that their names mean, one after the other: each may ask the registry. */
  private async settleAll(uris: readonly vscode.Uri[]): Promise<void> {
    for (const uri of uris) await this.settle(uri);
  }

  private settle(uri: vscode.Uri): Promise<void> {
    const { bindings, details } = this.parts;
    return bindings.settle(uri, (slug) => details.exists(slug));
  }

  private follow(uri: vscode.Uri): void {
    const isSaved = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    if (isSaved && uri.scheme !== "untitled" && isPayloadFile(uri.path)) this.add(uri);
  }

  /** The item of the same file after its name was settled, which may have moved it. */
  private async settled(item: vscode.TestItem, signal: AbortSignal): Promise<vscode.TestItem> {
    if (item.uri === undefined) return item;
    await unlessAborted(this.settle(item.uri), signal).catch(() => undefined);
    return this.items.find(item.uri) ?? item;
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
      this.judged.set(`${uri}`, sha256(text));
      const asked = this.parts.details.find(binding.slug, binding.version);
      const found = await unlessAborted(asked, signal);
      const failure = found.ok
        ? otherVersionGiven(binding, found.value, hostLanguage())
        : found.failure;
      if (!found.ok || failure !== undefined) {
        const words =
          failure === undefined ? "" : revealHidden(registryFailureText(failure, hostLanguage()));
        run.errored(item, new vscode.TestMessage(words));
        return;
      }
      const check = await this.parts.checks.checkText(found.value, text, signal);
      this.items.judged(item, found.value.summary.version);
      report(run, item, uri, check, text, performance.now() - start);
      const { slug, version } = found.value.summary;
      const skill = oneLine(`${slug}@${version}`, 80);
      const path = oneLine(vscode.workspace.asRelativePath(uri));
      run.appendOutput(`${path}  ${skill}  ${verdictText(check, hostLanguage())}\r\n`);
    } catch (error) {
      if (signal.aborted) run.skipped(item);
      else if (isGone(error)) {
        // With a folder its files go unseen.
        run.skipped(item);
        this.items.remove(uri);
      } else run.errored(item, new vscode.TestMessage(unreadable(error)));
    }
  }
}

/** What is typed in an open editor and not saved, else what is on the disk, which an editor shows a moment later. */
async function textOf(uri: vscode.Uri): Promise<string> {
  const name = uri.toString();
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === name);
  if (open?.isDirty === true) {
    // An editor keeps showing a file that is gone.
    await vscode.workspace.fs.stat(uri);
    return open.getText();
  }
  const bytes = await vscode.workspace.fs.readFile(uri);
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** The answer, or the signal's reason as soon as it is aborted: a silent registry is not waited for. */
function unlessAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([answer, aborted]);
}

function isGone(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === "FileNotFound";
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
  const starts = lineStartsOf(text);
  const positionAt = (offset: number) => {
    const { line, character } = positionIn(starts, offset);
    return new vscode.Position(line, character);
  };
  const errors = check.problems.filter(({ severity }) => severity === "error");
  const messages = errors.slice(0, maxMessages).map((problem) => {
    const { start, end } = problem.mark ?? problem;
    const message = new vscode.TestMessage(problem.message);
    const range = new vscode.Range(positionAt(start), positionAt(end));
    message.location = new vscode.Location(uri, range);
    return message;
  });
  if (check.state === "invalid") {
    run.failed(item, messages, milliseconds);
    return;
  }
  const reason = check.reason ?? vscode.l10n.t("This payload could not be validated.");
  run.errored(item, [new vscode.TestMessage(revealHidden(reason)), ...messages], milliseconds);
}
