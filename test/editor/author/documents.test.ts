import { strict as assert } from "node:assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { openPayload } from "../payloads";
import { answerFileDialog } from "../window/answerFileDialog";
import { useWindow } from "../window/useWindow";
import { Typist } from "./typist";

describe("The document of a payload", () => {
  const window = useWindow();

  it("has its text if it is opened again while it is being closed", async () => {
    await openPayload(window, "text-stats");
    const opened = await eventually("the input", async () => {
      const closed = vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await vscode.commands.executeCommand("skillRegistry.newPayload", "text-stats");
      await closed;
      // No editor is active if the document was shown again before it closed.
      return vscode.window.activeTextEditor;
    });
    assert.notEqual(opened.document.getText(), "");
  });

  it("stays bound when it is saved under another name", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skill-inputs-"));
    window.atEnd(() => rm(folder, { recursive: true, force: true }));
    const { document } = await openPayload(window, "csv-profile");
    const command = "skillRegistry.editor.moveToVersion";
    await vscode.commands.executeCommand(command, document.uri, "1.0.0");
    await window.replaceText('{"text": "a,b\\n1,2"}');
    await window.statusBarItem("csv-profile@1.0.0: valid").waitFor();
    const saved = vscode.commands.executeCommand("workbench.action.files.saveAs");
    await answerFileDialog(window, join(folder, "table.json"));
    await saved;
    await eventually("the file", () =>
      vscode.window.activeTextEditor?.document.uri.path.endsWith("/table.json"),
    );
    await window.statusBarItem("csv-profile@1.0.0: valid").waitFor();
  });

  it("shows quick fixes at Ctrl+. after a read-only text was open in the same editor group", async () => {
    await vscode.commands.executeCommand("skillRegistry.checkReadiness", "text-stats");
    await eventually("the read-only text", () =>
      /^skill-readiness:/.test(`${vscode.window.activeTextEditor?.document.uri}`),
    );
    await openPayload(window, "text-stats");
    await window.replaceText('{"text": 1}');
    await window.statusBarItem(/text-stats@.*: 1 problem/).waitFor();
    const menu = window.page.locator(".action-widget").first();
    await eventually("the quick fixes", async () => {
      await window.page.keyboard.press("ControlOrMeta+.");
      await menu.waitFor({ timeout: 5_000 });
      return true;
    });
    assert.match(await menu.innerText(), /Quick Fix/);
    await window.page.keyboard.press("Escape");
  });

  describe("with invalid JSON", () => {
    const { Error: error } = vscode.DiagnosticSeverity;
    /** Returns the errors of the active payload: who reports each, and where. */
    const marks = () => {
      const document = vscode.window.activeTextEditor?.document;
      return document === undefined
        ? []
        : vscode.languages
            .getDiagnostics(document.uri)
            .filter(({ severity }) => severity === error)
            .map(({ source, range }) => {
              return `${source === "skill-registry" ? "ours" : "editor"}: ${document.getText(range)}`;
            })
            .sort();
    };
    const areMarked = (expected: readonly string[]) =>
      eventually(expected.join(), () => JSON.stringify(marks()) === JSON.stringify(expected)).catch(
        () => assert.deepEqual(marks(), expected),
      );

    const cases: readonly (readonly [string, string, string])[] = [
      ['{"csv" "a"}', '"a"', "Add a colon"],
      ['{\n  // mine\n  "csv": "a"\n}', "// mine", "Remove this comment"],
      ['{"csv": "a",}', ",", "Remove this comma"],
    ];
    it("is marked once, beside the editor's own JSON support, and has its quick fix", async () => {
      const { uri } = (await openPayload(window, "csv-profile")).document;
      for (const [written, mark, fix] of cases) {
        await window.replaceText(written);
        await areMarked([`editor: ${mark}`]);
        await eventually(`the fix ${fix}`, async () => {
          const [at] = vscode.languages.getDiagnostics(uri);
          const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
            "vscode.executeCodeActionProvider",
            uri,
            at?.range,
          );
          return actions.some(({ title }) => title === fix);
        });
      }
      await window.replaceText('{"csv": "a"}');
      await eventually("no mark", () => vscode.languages.getDiagnostics(uri).length === 0);
    });

    it("has only the editor's two warnings about a repeated name, which the status bar counts", async () => {
      const { uri } = (await openPayload(window, "csv-profile")).document;
      await window.replaceText('{"csv": "a", "csv": "b"}');
      await eventually("two marks of the editor", () => {
        const sources = vscode.languages.getDiagnostics(uri).map(({ source }) => source);
        return JSON.stringify(sources) === '["json","json"]';
      });
      await window.statusBarItem(/csv-profile@.*: 2 problems/).waitFor();
    });

    it("is marked by the extension if the editor does not mark it", async () => {
      const editor = await openPayload(window, "csv-profile");
      await new Typist(window).clear();
      await areMarked(["ours: "]);
      await vscode.languages.setTextDocumentLanguage(editor.document, "jsonc");
      await window.replaceText('{\n  // mine\n  "csv" "a",\n}');
      await areMarked(['editor: "a"', "ours: ,", "ours: // mine"]);
      const ours = vscode.languages
        .getDiagnostics(editor.document.uri)
        .filter(({ source }) => source === "skill-registry");
      assert.ok(ours.every(({ code }) => code === "json"));
    });
  });
});
