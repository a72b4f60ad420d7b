import type * as vscode from "vscode";
import type { CaseLevel } from "../../core/suite/caseCost";
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
  ) {}

  /** Discovers the files again. */
  async discover(): Promise<void> {
    await Promise.all([this.payloads.discover(), this.suites.discover()]);
    this.hasDiscovered = true;
  }

  /** Returns the suite of a file, looked for anew where it is not known; undefined where it is none that is listed. */
  async suiteAt(uri: vscode.Uri): Promise<vscode.TestItem | undefined> {
    if (this.suites.itemOf(uri) === undefined) await this.discover();
    return this.suites.itemOf(uri);
  }

  /**
   * Runs cases up to a level, and checks payloads where nothing is sent. Resolves when all have run or the user stopped
   * the run.
   */
  async run(request: vscode.TestRunRequest, level: CaseLevel): Promise<void> {
    // A suite that is open is listed before anything is discovered.
    if (!this.hasDiscovered) await this.discover();
    const run = this.controller.createTestRun(request);
    await unlessCancelled(run.token, async (signal) => {
      const wanted = { requested: new RequestedTests(request), run, signal };
      if (level === "offline") await this.payloads.run(wanted);
      await this.suites.run(wanted, level);
    }).finally(() => run.end());
  }
}
