import * as vscode from "vscode";
import type { CaseLevel } from "../../core/suite/caseCost";
import type { SkillFiles } from "../skillFiles";
import { unlessCancelled } from "../ui/wait";
import type { PayloadTests } from "./payloadTests";
import type { SuiteTests } from "./suiteTests";
import { RequestedTests } from "./testItems";

/** Fills the Test Explorer's entry with the saved payloads and the suites of the workspace, below their skills. */
export class SkillTests {
  private hasDiscovered = false;

  constructor(
    private readonly controller: vscode.TestController,
    private readonly payloads: PayloadTests,
    readonly suites: SuiteTests,
    private readonly files: Pick<SkillFiles, "onDidChangeFile">,
  ) {}

  /** Checks each requested payload or suite offline when its file is written, until the user stops it. */
  async follow(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (!this.hasDiscovered) await this.discover();
    const requested = new RequestedTests(request);
    const waiting = new Map<string, vscode.TestItem>();
    let isRunning = false;
    const runAll = async () => {
      if (isRunning) return;
      isRunning = true;
      while (waiting.size > 0 && !token.isCancellationRequested) {
        const items = [...waiting.values()];
        waiting.clear();
        const runRequest = new vscode.TestRunRequest(items, request.exclude, request.profile, true);
        await this.run(runRequest, "offline");
      }
      isRunning = false;
    };
    const following = this.files.onDidChangeFile(({ use, kind, uri }) => {
      if (kind !== "changed" && kind !== "created") return;
      const item = (use === "suite" ? this.suites : this.payloads).itemOf(uri);
      if (item === undefined || !requested.hasPart(item)) return;
      waiting.set(item.id, item);
      void runAll();
    });
    token.onCancellationRequested(() => following.dispose());
  }

  /** Discovers the files again. */
  async discover(): Promise<void> {
    await Promise.all([this.payloads.discover(), this.suites.discover()]);
    this.hasDiscovered = true;
  }

  /** Returns the suite of a file, after a search if it is unknown; undefined if it is not listed. */
  async suiteAt(uri: vscode.Uri): Promise<vscode.TestItem | undefined> {
    if (this.suites.itemOf(uri) === undefined) await this.discover();
    return this.suites.itemOf(uri);
  }

  /**
   * Runs cases up to a level. A run that sends nothing also checks the saved payloads. Resolves when all have run or
   * the user stopped the run.
   */
  async run(request: vscode.TestRunRequest, level: CaseLevel): Promise<void> {
    // Before the search, only open suites are listed.
    if (!this.hasDiscovered) await this.discover();
    const run = this.controller.createTestRun(request);
    await unlessCancelled(run.token, async (signal) => {
      const wanted = { requested: new RequestedTests(request), run, signal };
      if (level === "offline") await this.payloads.run(wanted);
      await this.suites.run(wanted, level);
    }).finally(() => run.end());
  }
}
