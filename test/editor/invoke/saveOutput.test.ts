import { strict as assert } from "node:assert";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { answerFileDialog } from "../window/answerFileDialog";
import { needsDialogs } from "../window/needsDialogs";
import { useWindow } from "../window/useWindow";

describe("A saved output", () => {
  const window = useWindow();

  it("is its JSON and nothing else, under the skill's name", async function () {
    needsDialogs(this);
    await openPayload(window, "text-stats");
    await writeValidInput(window, '{ "text": "Grüße." }');
    await vscode.commands.executeCommand("skillRegistry.invoke");
    const output = window.page.locator('.editor-instance .monaco-editor[data-uri^="skill-output"]');
    await window.focusEditor(output);
    await eventually(
      "the focus in the output",
      () => vscode.window.activeTextEditor?.document.uri.scheme === "skill-output",
    );
    // The editor's own command offers the same name.
    await window.runCommand("File: Save As...");
    const box = window.quickInput.getByRole("textbox");
    await eventually("the name", async () =>
      (await box.inputValue()).endsWith("/text-stats output.json"),
    );
    await window.page.keyboard.press("Escape");
    await window.quickInput.waitFor({ state: "hidden" });
    await window.focusEditor(output);
    await window.page.keyboard.press("ControlOrMeta+Shift+S");
    await eventually("the name", async () =>
      (await box.inputValue()).endsWith("/text-stats output.json"),
    );
    const folder = await mkdtemp(join(tmpdir(), "skill-outputs-"));
    window.atEnd(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "kept.json");
    await answerFileDialog(window, file);
    const text = await eventually("the file", () => readFile(file, "utf8").catch(() => false));
    assert.equal(JSON.parse(String(text)).words, 1);
  });
});
