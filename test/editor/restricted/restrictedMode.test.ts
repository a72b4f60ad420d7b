import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { useWindow } from "../window/useWindow";

describe("An untrusted folder", () => {
  const window = useWindow();

  it("lists the skills of the user's registry, whatever the folder's settings say", async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Text statistics/).waitFor();
  });

  it("lets payloads be written and checked", async () => {
    await vscode.commands.executeCommand("skillRegistry.newPayload", "text-stats");
    await window.replaceText('{"text": "One sentence."}');
    // The window speaks German.
    await window.statusBarItem("text-stats@1.0.0: gültig").waitFor();
  });
});
