import { strict as assert } from "node:assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { openPayload } from "../payloads";
import { answerFileDialog } from "../window/answerFileDialog";
import { needsDialogs } from "../window/needsDialogs";
import { useWindow } from "../window/useWindow";

describe("A form of a document in an editor", () => {
  const window = useWindow();

  it("is one text with its editor: typed, undone, and saved under another name", async function () {
    needsDialogs(this);
    const { document } = await openPayload(window, "text-stats");
    await window.replaceText('{"text": "One."}');
    await vscode.commands.executeCommand("skillRegistry.editAsForm", document.uri);
    const field = () => window.webview.getByRole("textbox", { name: "Text", exact: true });
    await field().fill("Two.");
    await eventually("the change", () => document.getText() === '{"text": "Two."}');
    await window.webview.locator("#open-form").click();
    await eventually("the editor", () => vscode.window.activeTextEditor?.document === document);
    await vscode.commands.executeCommand("undo");
    await eventually("the undone change", () => document.getText() === '{"text": "One."}');
    const folder = await mkdtemp(join(tmpdir(), "skill-form-"));
    window.atEnd(() => rm(folder, { recursive: true, force: true }));
    const saved = vscode.commands.executeCommand("workbench.action.files.saveAs");
    await answerFileDialog(window, join(folder, "form.json"));
    await saved;
    const file = await eventually("the file", () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.uri.path.endsWith("/form.json") && shown;
    });
    await vscode.commands.executeCommand("skillRegistry.openSkill", "text-stats");
    await eventually("the undone text", async () => (await field().inputValue()) === "One.");
    await window.webview.getByText("This form edits form.json.").waitFor();
    await field().fill("Three.");
    await eventually("the change", () => file.getText() === '{"text": "Three."}');
    assert.equal(file.isDirty, true);
    await file.save();
  });
});
