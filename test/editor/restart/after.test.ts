import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { EditorWindow } from "../window/window";

const run = (command: string, argument?: unknown) =>
  vscode.commands.executeCommand(`skillRegistry.${command}`, argument);

/** Checks what before.test.ts left in a window with the same data. */
describe("A window opened again", () => {
  const window = new EditorWindow();
  before(async () => {
    await window.connect();
  });
  after(async () => {
    await window.tidy();
    await window.disconnect();
  });

  it("shows the page at its last tab", async () => {
    await window.webview.getByRole("heading", { name: "CSV profile", level: 1 }).waitFor();
    await window.webview.getByText("First version.").waitFor();
    await window.webview.getByRole("tab", { name: "Versions", selected: true }).waitFor();
  });

  it("lists skills by the same filter, in the same order and groups", async () => {
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Tidy Tables, 1 skill/).waitFor();
    await window.treeRow(/^CSV profile/).waitFor();
    await window.treeRow(/^Text statistics/).waitFor({ state: "detached" });
    await window
      .view("Skills")
      .getByText("Showing: data · by name · grouped by publisher.")
      .waitFor();
    await run("clearFilters");
    await run("viewAs", { grouping: "none" });
    await window.treeRow(/^Text statistics/).waitFor();
  });

  it("keeps favorites at the top", async () => {
    await run("clearFilters");
    await run("viewAs", { grouping: "none" });
    await window.treeRow(/^JSON diff, .*, favorite$/).waitFor();
  });

  it("has the text and the skill of the unsaved payload", async () => {
    // An earlier test of the window may have used the first name.
    const tab = window.page.locator('.tab[data-resource-name^="text-stats."]');
    await window.pressUntil(tab, window.editor.getByText("typed and never saved"));
    await window.statusBarItem(/text-stats@1\.0\.0: valid/).waitFor();
  });

  it("edits the unsaved payload in its form", async () => {
    await window.page.locator(".tab", { hasText: "Text statistics" }).click();
    await window.webview.getByText(/^This form edits text-stats/).waitFor();
  });

  it("keeps the payload bound to its version", async () => {
    const [file] = await vscode.workspace.findFiles("**/csv-profile.orders.skill-input.json");
    assert.ok(file !== undefined);
    await vscode.window.showTextDocument(file);
    await window.statusBarItem(/csv-profile@1\.1\.0: 2 problems/).waitFor();
  });
});
