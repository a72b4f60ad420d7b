import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { openPayload, writeValidInput } from "../payloads";
import { useWindow } from "../window/useWindow";

describe("A folder that is not trusted", () => {
  const window = useWindow();

  it("lists the skills of the user's registry, whatever the folder's settings say", async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Text statistics/).waitFor();
  });

  it("lets payloads be written and checked", async () => {
    await openPayload(window, "text-stats");
    await writeValidInput(window, '{"text": "One sentence."}');
  });
});
