import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { filesWith } from "../connect/filesWith";
import { dataFolder } from "../dataFolder";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { EditorWindow } from "../window/window";

const run = (command: string, ...options: unknown[]) =>
  vscode.commands.executeCommand(`skillRegistry.${command}`, ...options);

/** Prepares what the window shows when it closes; after.test.ts checks it after the restart. */
describe("A window before it closes", () => {
  const window = new EditorWindow();
  before(async () => {
    await window.connect();
    await window.tidy();
  });
  after(async () => {
    await window.storeState();
    await window.storeNothingMore();
    await window.disconnect();
  });

  it("has a list with marks, filter, order and groups", async () => {
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Text statistics/).waitFor();
    await run("addFavorite", "json-diff");
    await run("filter", { task: "data" });
    await run("viewAs", { order: "name", grouping: "publisher" });
    await window.treeRow(/^CSV profile/).waitFor();
    await window.treeRow(/^Text statistics/).waitFor({ state: "detached" });
  });

  it("has an unsaved payload", async () => {
    const { document } = await openPayload(window, "text-stats");
    assert.equal(document.isUntitled, true);
    await writeValidInput(window, '{ "text": "typed and never saved" }');
    // The editor backs up unsaved text a moment after it was typed. Closing before that would ask.
    await eventually("what the editor keeps", async () => {
      const files = await filesWith(dataFolder(), ["typed and never saved"]);
      return files.some((path) => path.includes("Backups"));
    });
  });

  it("has that payload in a form", async () => {
    await run("editAsForm");
    await window.webview.getByText(/^This form edits text-stats/).waitFor();
  });

  it("has a payload bound to an earlier version", async () => {
    const [file] = await vscode.workspace.findFiles("**/csv-profile.orders.skill-input.json");
    assert.ok(file !== undefined);
    await vscode.window.showTextDocument(file, { preview: false });
    await window.statusBarItem("csv-profile: valid").waitFor();
    await run("editor.moveToVersion", file, "1.1.0");
    await window.statusBarItem(/csv-profile@1\.1\.0: 2 problems/).waitFor();
  });

  it("has a page with a chosen tab", async () => {
    await run("openSkill", "csv-profile");
    const tab = window.webview.getByRole("tab", { name: "Versions" });
    await window.pressUntil(tab, window.webview.getByText("First version."));
  });
});
