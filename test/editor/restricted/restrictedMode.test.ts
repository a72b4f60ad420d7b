import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { openPayload, writeValidInput } from "../payloads";
import { connectWindow, type EditorWindow } from "../window";

describe("A folder that is not trusted", () => {
  let window: EditorWindow;
  before(async () => {
    window = await connectWindow();
    await window.tidy();
  });
  after(async () => {
    await window.tidy();
    await window.disconnect();
  });

  it("lists the skills of the user's registry, whatever the folder's settings say", async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Text statistics/).waitFor();
  });

  it("lets inputs be written and checked", async () => {
    await openPayload(window, "text-stats");
    await writeValidInput(window, '{"text": "One sentence."}');
  });
});
