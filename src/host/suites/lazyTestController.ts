import * as vscode from "vscode";
import type { CaseLevel } from "../../core/suite/runSuite";
import { payloadFilePattern, suiteControllerId, suiteFilePattern, testControllerId } from "../ids";

/** What the Test Explorer asks of an entry once it is used. */
export interface TestWorks {
  /** Lists what there is again. */
  discover(): Promise<void>;
  /** Runs what is wanted as far as the level says. Resolves when all has run or the user stopped it. */
  run(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    level: CaseLevel,
  ): Promise<void>;
}

/** Matches files that are never listed. */
export const unlistedFiles = "**/node_modules/**";

/** Holds the entry of saved payloads. */
export function payloadTests(load: TestEntry["load"]): vscode.Disposable {
  return new LazyTestController({
    id: testControllerId,
    label: vscode.l10n.t("Skill Payloads"),
    pattern: payloadFilePattern,
    profiles: [{ label: vscode.l10n.t("Check"), level: "offline" }],
    load,
  });
}

/** Holds the entry of suites. */
export function suiteTests(load: TestEntry["load"]): vscode.Disposable {
  return new LazyTestController({
    id: suiteControllerId,
    label: vscode.l10n.t("Skill Suites"),
    pattern: suiteFilePattern,
    profiles: [
      { label: vscode.l10n.t("Check Offline"), level: "offline" },
      { label: vscode.l10n.t("Test Run, Not Billed"), level: "testRun" },
      { label: vscode.l10n.t("Invoke Live"), level: "live" },
    ],
    load,
  });
}

/** An entry of the Test Explorer for files of one kind. */
interface TestEntry {
  readonly id: string;
  readonly label: string;
  /** Matches the files. */
  readonly pattern: string;
  /** The ways to run them, the cheapest and default one first. */
  readonly profiles: readonly { readonly label: string; readonly level: CaseLevel }[];
  /** Loads what fills the entry, the same each time. */
  readonly load: (controller: vscode.TestController) => Promise<TestWorks>;
}

/**
 * Holds the place of files in the Test Explorer, from the moment the workspace has one. Only when they
 * are looked at or run is the entry's `load` called, with the controller to fill.
 */
class LazyTestController implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private controller: vscode.TestController | undefined;

  constructor(private readonly entry: TestEntry) {
    const watcher = vscode.workspace.createFileSystemWatcher(entry.pattern, false, true, true);
    this.subscriptions = [
      watcher,
      watcher.onDidCreate((uri) => isListed(uri) && this.appear()),
      onDidOpenFile(entry.pattern, () => this.appear()),
    ];
    void this.appearIfNeeded();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.controller?.dispose();
  }

  private async appearIfNeeded(): Promise<void> {
    const found = await vscode.workspace.findFiles(this.entry.pattern, unlistedFiles, 1);
    if (found.length > 0) this.appear();
  }

  private appear(): void {
    if (this.controller !== undefined) return;
    const { id, label, load, profiles } = this.entry;
    const controller = vscode.tests.createTestController(id, label);
    this.controller = controller;
    const discover = async () => (await load(controller)).discover();
    controller.resolveHandler = async (item) => {
      if (item === undefined) await discover();
    };
    controller.refreshHandler = discover;
    for (const [index, profile] of profiles.entries()) {
      controller.createRunProfile(
        profile.label,
        vscode.TestRunProfileKind.Run,
        async (request, token) => (await load(controller)).run(request, token, profile.level),
        index === 0,
      );
    }
  }
}

/** Whether a file that matches is listed, as far as its path says. */
export function isListed(uri: vscode.Uri): boolean {
  return !uri.path.includes("/node_modules/");
}

/**
 * Calls `listener` with each file that matches, is listed and is opened. Watchers need it beside them:
 * on Linux they miss a file that is written in the instant its folder is made.
 */
export function onDidOpenFile(
  pattern: string,
  listener: (uri: vscode.Uri) => void,
): vscode.Disposable {
  return vscode.workspace.onDidOpenTextDocument((document) => {
    const { uri } = document;
    const isInFolder = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    if (isInFolder && isListed(uri) && vscode.languages.match({ pattern }, document) > 0) {
      listener(uri);
    }
  });
}
