import * as vscode from "vscode";
import type { CaseLevel } from "../../core/suite/caseCost";
import { casesTag, payloadFilePattern, suiteFilePattern, testControllerId } from "../ids";
import {
  followOpenedFiles,
  followOpenFiles,
  isListed,
  testedFilePattern,
  unlistedFiles,
} from "../lazyProviders";
import { Owner } from "../ui/owner";
import type { ChoiceRow, choose } from "../ui/quickInput/choose";
import type { SkillTests } from "./skillTests";

/**
 * The Test Explorer's entry for the saved payloads and suites of the workspace. It appears once such a file is found,
 * created or opened. Calls `load` with the controller only when the files are viewed or run, or a suite is open.
 */
export class LazyTestController extends Owner {
  private controller: vscode.TestController | undefined;
  private profiles: readonly ChoiceRow<vscode.TestRunProfile>[] = [];

  constructor(private readonly load: (controller: vscode.TestController) => Promise<SkillTests>) {
    super();
    const { createFileSystemWatcher, findFiles, workspaceFolders = [] } = vscode.workspace;
    // Without a folder, nothing is listed. No event is needed either: the editor restarts extensions when the first
    // folder is added.
    if (workspaceFolders.length === 0) return;
    const watcher = this.own(createFileSystemWatcher(testedFilePattern, false, true, true));
    this.own(
      watcher.onDidCreate((uri) => isListed(uri) && this.appear()),
      followOpenedFiles(payloadFilePattern, () => this.appear()),
      followOpenFiles(suiteFilePattern, (uri) => void this.showSuite(uri)),
    );
    void findFiles(testedFilePattern, unlistedFiles, 1).then(([found]) => {
      if (found !== undefined) this.appear();
    });
  }

  /**
   * Runs the cases of a suite's file as in the Test Explorer, with the profile chosen through `ask`. Resolves to
   * whether it is a suite.
   */
  async runSuite(uri: vscode.Uri, ask: typeof choose): Promise<boolean> {
    const provider = await this.load(this.appear());
    const suite = await provider.suiteAt(uri);
    if (suite === undefined) return false;
    const title = `${vscode.l10n.t("Run Suite")}: ${suite.label}`;
    const profile = await ask(this.profiles, { title });
    if (profile === undefined) return true;
    const request = new vscode.TestRunRequest([suite], undefined, profile);
    const source = new vscode.CancellationTokenSource();
    await profile.runHandler(request, source.token);
    source.dispose();
    // The editor has this view only after a run has produced a result.
    await vscode.commands.executeCommand("workbench.panel.testResults.view.focus");
    return true;
  }

  /** Lists an open suite, so that the editor shows a run button beside each of its cases. */
  private async showSuite(uri: vscode.Uri): Promise<void> {
    const { suites } = await this.load(this.appear());
    if (suites.itemOf(uri) === undefined) await suites.put(uri);
  }

  /** Shows the entry, once. */
  private appear(): vscode.TestController {
    if (this.controller !== undefined) return this.controller;
    const { load } = this;
    const controller = this.own(
      vscode.tests.createTestController(testControllerId, vscode.l10n.t("Skills")),
    );
    this.controller = controller;
    const discover = async () => (await load(controller)).discover();
    controller.resolveHandler = async (item) => {
      if (item === undefined) await discover();
    };
    controller.refreshHandler = discover;
    const add = (label: string, level: CaseLevel, description: string) => {
      const value = controller.createRunProfile(
        label,
        vscode.TestRunProfileKind.Run,
        async (request, token) => {
          const tests = await load(controller);
          return request.continuous ? tests.follow(request, token) : tests.run(request, level);
        },
        level === "offline",
        level === "offline" ? undefined : new vscode.TestTag(casesTag),
        // A continuous run starts with each written file, so only a profile that sends nothing offers it.
        level === "offline",
      );
      return { label, description, value };
    };
    this.profiles = [
      add(
        vscode.l10n.t("Check Offline"),
        "offline",
        vscode.l10n.t("Payloads by the input schema; sends nothing"),
      ),
      add(
        vscode.l10n.t("Test Run, Not Billed"),
        "testRun",
        vscode.l10n.t("In your project; asks before it sends"),
      ),
      add(
        vscode.l10n.t("Invoke Live"),
        "live",
        vscode.l10n.t("With your Project Key; says the cost and asks before it sends"),
      ),
    ];
    return controller;
  }
}
