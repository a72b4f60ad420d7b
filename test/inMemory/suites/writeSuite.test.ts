import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { startTestRegistry } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { DiagnosticSeverity } from "../vscode/enums";
import { Diagnostic } from "../vscode/languageValues";
import { Range } from "../vscode/values";

describe("Writing a suite with the help of its skill", () => {
  const folder = useFolder();
  const editor = useEditor(() => ({ folders: [folder.path] }));

  let suites = 0;

  async function suite(text: string) {
    suites += 1;
    const name = `${suites}.skill-suite.json`;
    await folder.write(name, text);
    const document = await editor.vscode.workspace.openTextDocument(folder.uri(name));
    await editor.vscode.window.showTextDocument(document);
    return document;
  }

  /** Opens a suite with a text, without its `|`. Returns the position of that. */
  async function suiteWithCursor(text: string) {
    const at = text.indexOf("|");
    const document = await suite(text.replace("|", ""));
    return { document: editor.document, position: document.positionAt(at) };
  }

  const nextDiagnostics = () =>
    new Promise<void>((resolve) => {
      const subscription = editor.vscode.languages.onDidChangeDiagnostics(() => {
        subscription.dispose();
        resolve();
      });
    });

  const labelsAt = async (text: string) => {
    const { document, position } = await suiteWithCursor(text);
    const items = await editor.parts.languages.completionsAt(document, position);
    return items.map(({ label }) => (typeof label === "string" ? label : label.label));
  };

  it("Its payloads are checked like separate payloads, except those that have to be invalid", async () => {
    await suite(
      JSON.stringify({
        format: 1,
        skill: "text-stats@1.0.0",
        cases: [
          { name: "good", payload: { text: "a" } },
          { name: "wrong", payload: { text: 1 } },
          { name: "meant", payload: {}, expect: { invalid: ["required"] } },
        ],
      }),
    );
    await editor.until("a problem", () => editor.problems.length > 0);
    assert.deepEqual(editor.problems, ["type 1"]);
  });

  it("A problem of a payload is fixed at its place", async () => {
    await suite(
      '{"format":1,"skill":"text-stats@1.0.0","cases":[{"name":"a","payload":{"text":1}}]}',
    );
    await editor.until("a problem", () => editor.problems.length > 0);
    const { document } = editor;
    const at = document.positionAt(document.getText().indexOf(":1}") + 1);
    const actions = await editor.parts.languages.actionsAt(document, new Range(at, at));
    const [fix] = actions;
    assert.ok(fix?.edit !== undefined, actions.map(({ title }) => title).join());
    await editor.vscode.workspace.applyEdit(fix.edit);
    assert.match(document.getText(), /"payload":\{"text":"1"\}/);
    await editor.until("no problem", () => editor.problems.length === 0);
  });

  it("A repeated name in it is reported once, by the editor's JSON support if that marks it", async () => {
    const payload = '{"text":"a","text":"b"}';
    const document = await suite(
      `{"format":1,"skill":"text-stats@1.0.0","cases":[{"name":"a","payload":${payload}}]}`,
    );
    await editor.until("a problem", () => editor.problems.length > 0);
    assert.deepEqual(editor.problems, ['json "text"']);
    const others = editor.vscode.languages.createDiagnosticCollection("json");
    const start = document.getText().indexOf('"text"');
    const first = new Range(document.positionAt(start), document.positionAt(start + 6));
    const warning = new Diagnostic(first, "Duplicate object key", DiagnosticSeverity.Warning);
    warning.source = "json";
    others.set(document.uri, [warning]);
    assert.deepEqual(editor.problems, []);
    assert.ok((await editor.parts.languages.actionsAt(editor.document, first)).length > 0);
    others.dispose();
  });

  it("An unreadable skill is marked at its name", async () => {
    await suite('{"format":1,"skill":"no-such-skill","cases":[{"name":"a","payload":{}}]}');
    await editor.until("a problem", () => editor.problems.length > 0);
    assert.deepEqual(editor.problems, ['unchecked "no-such-skill"']);
  });

  it("A failing registry gets no request with each keystroke", async () => {
    const registry = await startTestRegistry({ "**": { status: 500 } });
    await editor.connectTo(registry);
    try {
      const text = '{"format":1,"skill":"fails","cases":[{"name":"a","payload":{}}]}';
      const document = await suite(text);
      await editor.until("a problem", () => editor.problems.length > 0);
      const before = registry.requests.length;
      const marked = nextDiagnostics();
      const edit = new editor.vscode.WorkspaceEdit();
      edit.insert(document.uri, document.positionAt(text.indexOf("{}") + 1), " ");
      await editor.vscode.workspace.applyEdit(edit);
      await marked;
      assert.equal(registry.requests.length, before);
    } finally {
      await editor.connectTo();
      await registry.close();
    }
  });

  it("Its payloads are completed by the input schema, even while they are invalid JSON", async () => {
    const start = '{ "skill": "text-stats", "cases": [{ "name": "a", "payload": {';
    assert.ok((await labelsAt(`${start} "|" } }] }`)).includes("text"));
    assert.ok((await labelsAt(`${start} "|`)).includes("text"));
    assert.deepEqual(await labelsAt('{ "skill": "text-stats", "cases": [{ "na|me": "" }] }'), []);
  });

  it("Its skill is completed by a search, with the version", async () => {
    const labels = await labelsAt('{ "format": 1, "skill": "text-st|", "cases": [] }');
    assert.ok(labels.includes("text-stats@1.0.0"), labels.join());
    assert.ok((await labelsAt('{ "format": 1, "skill": |\n}')).length > 1);
  });
});
