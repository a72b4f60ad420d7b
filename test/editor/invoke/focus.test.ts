import { describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { lastBlock, outputText } from "../window/outputText";
import { useWindow } from "../window/useWindow";

describe("Invoking, wherever the focus is", () => {
  const window = useWindow({ showsOutput: true });

  const blocks = () => outputText().match(/^── /gm)?.length ?? 0;
  const panel = () => window.page.locator(".part.panel .monaco-editor").first();
  const invoke = async (input: object, command = "skillRegistry.invoke") => {
    await writeValidInput(window, JSON.stringify(input));
    const before = blocks();
    await vscode.commands.executeCommand(command);
    await eventually("the block", () => blocks() > before);
  };

  it("uses the visible payload, even with the focus in the Output panel", async () => {
    await openPayload(window, "text-stats");
    await invoke({ text: "One." });
    // The same text might count as the second half of a double click.
    await writeValidInput(window, '{ "text": "One. Two." }');
    await panel().click();
    await eventually(
      "the focus in the panel",
      () => vscode.window.activeTextEditor?.document.uri.scheme === "output",
    );
    await window.statusBarItem(/text-stats@1\.0\.0: valid/).waitFor();
    await window.editorAction("Invoke Skill").waitFor();
    const before = blocks();
    await window.runCommand("Skill Registry: Invoke Skill");
    await eventually("another block", () => blocks() === before + 1);
  });

  it("needs only the keyboard, also to repeat the last invocation from its result", async () => {
    await openPayload(window, "text-stats");
    await writeValidInput(window, '{ "text": "By keys." }');
    const before = blocks();
    await window.page.keyboard.press("ControlOrMeta+Alt+Enter");
    await eventually("a block", () => blocks() === before + 1);
    await writeValidInput(window, '{ "text": "By keys, again." }');
    await window.focusEditor(
      window.page.locator('.editor-instance .monaco-editor[data-uri^="skill-output"]'),
    );
    await eventually(
      "the focus in the result",
      () => vscode.window.activeTextEditor?.document.uri.scheme === "skill-output",
    );
    await window.page.keyboard.press("ControlOrMeta+Alt+Shift+Enter");
    await eventually("another block", () => blocks() === before + 2);
    await eventually("its words", () => /"words": 3/.test(lastBlock()));
  });

  it("shows the newest result from its first line, also after a click into an older one", async () => {
    await openPayload(window, "text-stats");
    const long = Array.from({ length: 40 }, (_, index) => `word${index} word${index}.`).join(" ");
    for (const text of [long, `${long} More.`]) {
      await invoke({ text, topWords: 40 });
      const [, time = ""] = /^── (\S+)(?![\s\S]*^── )/m.exec(outputText()) ?? [];
      await panel().getByText(time).waitFor();
      await panel().click();
    }
  });
});
