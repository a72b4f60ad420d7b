import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { outputText } from "../window/outputText";
import { useWindow } from "../window/useWindow";

describe("In a German window", () => {
  const window = useWindow({ steps: true, showsOutput: true });
  before(() => {
    assert.equal(vscode.env.language, "de");
  });

  it("views and the list of skills speak German", async () => {
    await window.openContainer("Skill Registry");
    await window
      .treeRow(/^Text statistics, Verifiziert, Geringe Berechtigungen, .*Plainworks/)
      .waitFor();
    await window.view("Aufrufe").getByText("Ihre Aufrufe erscheinen hier").waitFor();
  });

  it("commands are found by their German titles, and ask in German", async () => {
    await window.runCommand("Skill Registry: Mit Registry verbinden…");
    await window.quickInput.getByPlaceholder("Registry auswählen").waitFor();
    await window.quickInput.getByText("Eingebaute Registry").waitFor();
    await window.leaveQuickInput();
  });

  it("the page of a skill speaks German, and says so to screen readers", async () => {
    const heading = window.webview.getByRole("heading", { name: "Text statistics", level: 1 });
    await window.pressUntil(window.treeRow(/^Text statistics/), heading);
    for (const words of [
      "Verifiziert",
      "Verwendet das Netzwerk nicht",
      "in der eingebauten Registry",
    ]) {
      await window.webview.getByText(words).filter({ visible: true }).first().waitFor();
    }
    assert.equal(await window.webview.locator("html").getAttribute("lang"), "de");
    const lens = window.codeLens("text-stats@1.0.0 aufrufen");
    await window.pressUntil(window.webview.getByRole("button", { name: "Neue Payload" }), lens);
  });

  it("a payload is checked in German; what tools match on stays", async () => {
    await window.statusBarItem(/text-stats@1\.0\.0: gültig/).waitFor();
    await window.replaceText('{ "text": 5 }');
    await window.statusBarItem(/text-stats@1\.0\.0: 1 Problem/).waitFor();
    const [problem] = problems();
    assert.match(
      problem?.message ?? "",
      /^text: Erwartet wird eine Zeichenfolge, nicht eine Zahl\./,
    );
    assert.deepEqual([problem?.source, problem?.code], ["skill-registry", "type"]);
    await vscode.commands.executeCommand("skillRegistry.invoke");
    await window
      .notification("Nicht gesendet: Die Payload für text-stats hat ein Problem.")
      .waitFor();
  });

  it("fixes have German titles", async () => {
    const editor = vscode.window.activeTextEditor ?? assert.fail("No editor.");
    const [problem] = problems();
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      editor.document.uri,
      problem?.range,
    );
    assert.ok(actions.some(({ title }) => title === 'In "5" ändern'));
  });

  it("the schema is explained in German", async () => {
    const editor = vscode.window.activeTextEditor ?? assert.fail("No editor.");
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      editor.document.uri,
      new vscode.Position(0, 4),
    );
    const texts = hovers.flatMap(({ contents }) => contents.map((text) => textOf(text)));
    assert.match(texts.join("\n"), /string\\?, .*höchstens .* Zeichen/);
  });

  it("an invocation is recorded in German; its lines in the output channel stay English", async () => {
    await window.replaceText('{ "text": "one two" }');
    await vscode.commands.executeCommand("skillRegistry.invoke");
    // This goes by itself.
    await window.statusBarItem(/text-stats: erfolgreich, /).waitFor();
    await window.treeRow(/^text-stats@1\.0\.0, erfolgreich, /).waitFor();
    const block = await eventually("the call's block", () => {
      const text = outputText();
      return text.includes("Output:") && text;
    });
    assert.match(block, /text-stats@1\.0\.0 {2}success {2}\d+ ms\nInvocation ID: \S+\nOutput:\n/);
  });

  it("a skill that cannot be invoked is told in German, with the registry's code", async () => {
    await vscode.commands.executeCommand("skillRegistry.newPayload", "draft-writer");
    await window.codeLens("draft-writer@0.1.0 aufrufen").waitFor();
    await vscode.commands.executeCommand("skillRegistry.invoke");
    await window
      .notification(/draft-writer wurde nicht aufgerufen – .* \(skill_not_verified\)/)
      .waitFor();
  });
});

function problems(): vscode.Diagnostic[] {
  const { document } = vscode.window.activeTextEditor ?? assert.fail("No editor.");
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ source }) => source === "skill-registry");
}

function textOf(content: vscode.MarkdownString | vscode.MarkedString): string {
  return typeof content === "string" ? content : content.value;
}
