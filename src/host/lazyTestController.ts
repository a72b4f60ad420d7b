import * as vscode from "vscode";
import { payloadFilePattern, testControllerId } from "./ids";

/** What the Test Explorer asks of the saved inputs once it is used. */
export interface SuiteWorks {
  /** Lists the saved inputs anew. */
  discover(): Promise<void>;
  /** Checks the wanted ones. Resolves when all are checked or the user stopped it. */
  run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void>;
}

/**
 * Holds the place of the saved inputs in the Test Explorer, from the moment the workspace has one.
 * Only when they are looked at or run is `load` called, with the controller to fill.
 */
export class LazyTestController implements vscode.Disposable {
  private readonly watcher: vscode.FileSystemWatcher;
  private controller: vscode.TestController | undefined;

  constructor(private readonly load: (controller: vscode.TestController) => Promise<SuiteWorks>) {
    this.watcher = vscode.workspace.createFileSystemWatcher(payloadFilePattern, false, true, true);
    this.watcher.onDidCreate(() => this.appear());
    void this.appearIfNeeded();
  }

  dispose(): void {
    this.watcher.dispose();
    this.controller?.dispose();
  }

  private async appearIfNeeded(): Promise<void> {
    const found = await vscode.workspace.findFiles(payloadFilePattern, "**/node_modules/**", 1);
    if (found.length > 0) this.appear();
  }

  private appear(): void {
    if (this.controller !== undefined) return;
    const controller = vscode.tests.createTestController(
      testControllerId,
      vscode.l10n.t("Skill Payloads"),
    );
    this.controller = controller;
    const discover = async () => (await this.load(controller)).discover();
    controller.resolveHandler = async (item) => {
      if (item === undefined) await discover();
    };
    controller.refreshHandler = discover;
    controller.createRunProfile(
      vscode.l10n.t("Check"),
      vscode.TestRunProfileKind.Run,
      async (request, token) => (await this.load(controller)).run(request, token),
      true,
    );
  }
}
