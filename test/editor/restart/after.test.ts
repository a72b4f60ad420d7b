import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { EditorWindow } from "../window";

/** Looks at what before.test.ts left in a window with the same data. */
describe("A window that was closed and is open again", () => {
  const window = new EditorWindow();
  before(async () => {
    await window.connect();
  });
  after(async () => {
    await window.tidy();
    await window.disconnect();
  });

  it("shows the page at the tab where it was", async () => {
    await window.webview.getByRole("heading", { name: "CSV profile", level: 1 }).waitFor();
    await window.webview.getByText("First version.").waitFor();
    await window.webview.getByRole("tab", { name: "Versions", selected: true }).waitFor();
  });

  it("lists skills by the same filter, in the same order", async () => {
    await window.openContainer("Skill Registry");
    await window.treeRow(/^CSV profile/).waitFor();
    await window.treeRow(/^Text statistics/).waitFor({ state: "detached" });
    await window.view("Skills").getByText("Showing: data · by name.").waitFor();
  });

  it("keeps the input bound to its version", async () => {
    const [file] = await vscode.workspace.findFiles("**/csv-profile.orders.skill-input.json");
    assert.ok(file !== undefined);
    await vscode.window.showTextDocument(file);
    await window.statusBarItem(/csv-profile@1\.1\.0: 2 problems/).waitFor();
  });
});
