import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import type { RecordingServer } from "../../fixtures/network/recordingServer";
import { startSchemaRegistry } from "../../fixtures/registries/schemaRegistry";
import { eventually } from "../eventually";
import { problemsAre } from "../payloads";
import { useWindow } from "../window/useWindow";

const message = (kind: string, more: object) => ({
  required: ["kind"],
  properties: { kind: { const: kind }, ...more },
  additionalProperties: false,
});

const schemas = {
  "broken-part": {
    type: "object",
    properties: { size: { type: "integr" }, name: { type: "string" } },
  },
  "one-of-two": {
    oneOf: [
      message("mail", { to: { type: "string" } }),
      message("call", { number: { type: "integer", description: "Whom to call" } }),
    ],
  },
  "long-list": {
    properties: { kind: { enum: Array.from({ length: 20 }, (_, index) => `kind ${index}`) } },
  },
  "many-rows": { type: "array", items: { type: "string" } },
};

describe("What the schema of a skill says of a payload, in the editor", () => {
  const window = useWindow();
  let server: RecordingServer;
  before(async () => {
    server = await startSchemaRegistry(schemas);
    await window.connectTo(server);
  });

  /** Opens an input for a skill with this text. */
  async function open(slug: string, text: string): Promise<vscode.TextEditor> {
    await vscode.commands.executeCommand("skillRegistry.newPayload", slug);
    const editor = await eventually(`an input for ${slug}`, () => {
      const active = vscode.window.activeTextEditor;
      return active?.document.fileName.includes(`${slug}.`) && active;
    });
    await window.replaceText(text);
    return editor;
  }

  function shown({ document }: vscode.TextEditor): vscode.Diagnostic[] {
    return vscode.languages
      .getDiagnostics(document.uri)
      .filter(({ source }) => source === "skill-registry");
  }

  it("checks the rest where a part of it is broken, and leads to that part", async () => {
    const editor = await open("broken-part", '{ "size": 1, "name": 2 }');
    await window.statusBarItem(/broken-part@1\.0\.0: 1 problem, not all checked/).waitFor();
    await problemsAre("type 2", "unchecked {");
    const unchecked = shown(editor).find(({ code }) => code === "unchecked");
    assert.match(unchecked?.message ?? "", /"type" must be .* JSON type/);
    const place = unchecked?.relatedInformation?.[0]?.location;
    assert.ok(place);
    const schema = await vscode.workspace.openTextDocument(place.uri);
    assert.equal(schema.getText(place.range), '"type": "integr"');
  });

  it("never says valid where a part of it is broken, and asks before it sends", async () => {
    await open("broken-part", '{ "size": 1 }');
    await window.statusBarItem(/broken-part@1\.0\.0: not checked/).waitFor();
    await window.replaceText('{ "name": 2 }');
    await window.statusBarItem(/1 problem, not all checked/).waitFor();
    const invoked = vscode.commands.executeCommand("skillRegistry.invoke");
    const dialog = window.page.locator(".monaco-dialog-box");
    await dialog.getByText(/has a problem, and not all of it could be checked/).waitFor();
    await window.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await invoked;
    assert.deepEqual(
      server.requests.filter(({ path }) => path === "/v1/runtime/invoke"),
      [],
    );
  });

  it("tells of several forms the one that was meant, and completes from it", async () => {
    const editor = await open("one-of-two", '{ "kind": "call", "nubmer": 1 }');
    await eventually("what was meant", () => {
      return (
        shown(editor)[0]?.message === '"nubmer" is not a known property. Did you mean "number"?'
      );
    });
    await window.replaceText('{ "kind": "call",  }');
    const at = editor.document.positionAt(18);
    const list = await eventually("the names", async () => {
      const found = await vscode.commands.executeCommand<vscode.CompletionList>(
        "vscode.executeCompletionItemProvider",
        editor.document.uri,
        at,
      );
      return found.items.length > 0 && found.items;
    });
    assert.deepEqual(
      list.map(({ label }) => (typeof label === "string" ? label : label.label)),
      ["number"],
    );
  });

  it("writes a value from a long list, but not into a text that changed meanwhile", async () => {
    const editor = await open("long-list", '{ "kind": "x" }');
    await eventually("the problem", () => shown(editor).length === 1);
    const fix = await eventually("the fix", async () => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        editor.document.uri,
        shown(editor)[0]?.range,
      );
      return actions.find(({ title }) => title === "Choose an allowed value…")?.command;
    });
    const choose = () => vscode.commands.executeCommand(fix.command, ...(fix.arguments ?? []));
    const interrupted = choose();
    await window.quickInput.getByText('"kind 5"').waitFor();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(editor.document.uri, new vscode.Position(0, 0), "  ");
    await vscode.workspace.applyEdit(edit);
    await window.choose('"kind 5"');
    await interrupted;
    await window.notification(/The payload changed in the meantime/).waitFor();
    assert.equal(editor.document.getText(), '  { "kind": "x" }');
    await vscode.commands.executeCommand("undo");
    const chosen = choose();
    await window.choose('"kind 5"');
    await chosen;
    assert.equal(editor.document.getText(), '{ "kind": "kind 5" }');
  });

  it("lists 200 problems and counts the others", async () => {
    const rows = Array.from({ length: 250 }, (_, index) => index);
    const editor = await open("many-rows", JSON.stringify(rows));
    await eventually("the problems", () => shown(editor).length === 201);
    const more = shown(editor).find(({ code }) => code === "more");
    assert.equal(more?.message, "50 more problems are not listed.");
    await window.statusBarItem(/many-rows@1\.0\.0: 250 problems/).waitFor();
  });
});
