import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { problemsOfActiveEditor } from "../payloads";
import { useWindow } from "../window/useWindow";

/** Tests what VS Code does with a folder that has payloads; tests in memory cover the rest. */
describe("The saved payloads of a folder", () => {
  const window = useWindow();

  async function open(name: string): Promise<void> {
    const [file] = await vscode.workspace.findFiles(`**/${name}.skill-input.json`);
    assert.ok(file !== undefined);
    await vscode.window.showTextDocument(file);
  }

  it("They are bound and checked when they are opened", async () => {
    await open("csv-profile.orders");
    await window.statusBarItem("csv-profile: valid").waitFor();
    await open("text-stats.slow-reader");
    await window.statusBarItem("text-stats: 1 problem").waitFor();
    await eventually("the problem", () => problemsOfActiveEditor().join() === "minimum 5");
  });

  it("They are in the Test Explorer, with the result of a run", async () => {
    await vscode.commands.executeCommand("workbench.view.testing.focus");
    const rows = window.page.locator(".test-explorer .monaco-list-row");
    const closed = rows.and(window.page.locator('[aria-expanded="false"]'));
    const isTold = (name: string, result: string) =>
      eventually(`${name} (${result})`, async () => {
        const labels = await rows.evaluateAll((all) => all.map((one) => one.ariaLabel ?? ""));
        if (labels.some((label) => label.includes(name) && label.includes(result))) return true;
        // A row that is redrawn or expands by itself meanwhile is found at the next look.
        if ((await closed.count()) > 0) {
          await closed.first().locator(".monaco-tl-twistie").click({ timeout: 2_000 });
        }
        return false;
      });
    await isTold("csv-profile.orders", "");
    await vscode.commands.executeCommand("testing.runAll");
    await isTold("csv-profile.orders", "Passed");
    await isTold("text-stats.slow-reader", "Failed");
  });
});
