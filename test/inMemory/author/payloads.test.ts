import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import type { Answer } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { DiagnosticSeverity } from "../vscode/enums";
import { Diagnostic } from "../vscode/languageValues";
import { Range } from "../vscode/values";

describe("A new payload", () => {
  const editor = useEditor();

  it("is indented by the editor's setting", async () => {
    const cases: readonly (readonly [tabSize: number, insertSpaces: boolean, indent: string])[] = [
      [4, true, "    "],
      [3, true, "   "],
      [4, false, "\t"],
    ];
    for (const [tabSize, insertSpaces, indent] of cases) {
      editor.parts.settings.write("editor.tabSize", tabSize);
      editor.parts.settings.write("editor.insertSpaces", insertSpaces);
      const document = await editor.newPayload("text-stats");
      assert.equal(/^\s+/.exec(document.lineAt(1).text)?.[0], indent);
      await editor.tidy();
    }
    editor.parts.settings.write("editor.tabSize", undefined);
    editor.parts.settings.write("editor.insertSpaces", undefined);
  });

  it("has as many problems in the status bar as the Problems panel lists for it", async () => {
    const { languages } = editor.vscode;
    const { uri } = await editor.newPayload("csv-profile", '{"csv": "a", "csv": "b", "extra": 1}');
    assert.match(editor.parts.statusBar.texts.join(), /csv-profile@.*: 2 problems/);
    // The editor marks both places of a repeated name, and a spell checker lists a word.
    const { Warning: warning, Information: information } = DiagnosticSeverity;
    const spelling = languages.createDiagnosticCollection("spelling");
    spelling.set(uri, [new Diagnostic(new Range(0, 2, 0, 5), "csv", information)]);
    const ofEditor = languages.createDiagnosticCollection("json");
    const marks = [1, 13].map((at) => {
      const mark = new Diagnostic(new Range(0, at, 0, at + 5), "Duplicate object key", warning);
      return Object.assign(mark, { source: "json" });
    });
    ofEditor.set(uri, marks);
    const listed = () =>
      languages.getDiagnostics(uri).filter(({ severity }) => severity <= warning).length;
    await editor.status(/csv-profile@.*: 3 problems/);
    assert.equal(listed(), 3);
    ofEditor.dispose();
    await editor.status(/csv-profile@.*: 2 problems/);
    assert.equal(listed(), 2);
    spelling.dispose();
  });

  it("is sent by Copy as cURL if no payload of the skill is open", async () => {
    const { value } = JSON.parse(`{"value": ${(await editor.newPayload("json-diff")).getText()}}`);
    await editor.tidy();
    await editor.run("copyAsCurl", "json-diff");
    const [body = ""] = /\{.*\}/s.exec(editor.parts.machine.clipboard) ?? [];
    assert.deepEqual(JSON.parse(body).input, value);
    assert.notDeepEqual(value, {});
  });

  it("is copied in the chosen format", async () => {
    await editor.newPayload("text-stats", '{"text":"Good morning."}');
    const copying = editor.run("copyAs");
    const pick = await editor.pick(/cURL \(PowerShell\)/);
    assert.match(pick.text, /cURL \(cmd\) .*\n.*fetch .*\n.*Python .*\n.*TypeScript/);
    await editor.choose(/^Python/);
    await copying;
    assert.match(editor.parts.machine.clipboard, /urllib[\s\S]*Good morning/);
    const typed = editor.run("copyAs");
    await editor.choose(/^TypeScript/);
    await typed;
    assert.match(editor.parts.machine.clipboard, /export type Input/);
  });
});

describe("A renamed payload", () => {
  const folder = useFolder();
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("is bound by its new name if that belongs to another skill", async () => {
    const { documents } = editor.parts;
    const { uri } = folder;
    await folder.write("text-stats.skill-input.json", '{ "text": "a" }');
    let name = "text-stats.skill-input.json";
    const show = async () => {
      await editor.vscode.window.showTextDocument(await documents.get(uri(name)));
      return editor.checked();
    };
    assert.match(await show(), /^text-stats@/);
    for (const [next, skill] of [
      ["csv-profile.skill-input.json", "csv-profile"],
      ["mine.json", "csv-profile"],
      ["text-stats.skill-input.json", "text-stats"],
    ] as const) {
      const [oldUri, newUri] = [uri(name), uri(next)];
      await editor.tidy();
      await documents.rename(oldUri, newUri);
      name = next;
      assert.match(await show(), new RegExp(`${skill}@`), next);
    }
  });
});

describe("An invoked payload", () => {
  const editor = useEditor();
  let registry: ForeignRegistry;
  let answer: Answer;
  /** For each sending, whether the payload was visible. */
  const shown: boolean[] = [];
  const isShown = () =>
    editor.vscode.window.visibleTextEditors.some(({ document }) =>
      document.uri.path.endsWith("word-tally.skill-input.json"),
    );
  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
    registry.answer("/v1/runtime/invoke", () => {
      shown.push(isShown());
      return answer;
    });
    await editor.run("connect", registry.baseUrl);
  });
  after(() => registry.close());

  it("is offered for storing after an output, not after a rejection, and is shown before it is sent again", async () => {
    const question = "Keep the payloads and outputs";
    const isAsked = () => editor.parts.notices.some(({ text }) => text.includes(question));
    answer = { status: 403, body: { error: { code: "policy_blocked", message: "No." } } };
    const payload = await editor.newPayload("word-tally", '{ "text": "one" }');
    const refused = editor.run("invoke");
    await editor.press("Invoke word-tally@2.1.0?", "Invoke");
    await editor.answer(registry.projectKey);
    await refused;
    assert.equal(isAsked(), false);

    editor.parts.documents.replace(payload, '{ "text": "two" }');
    const other = await editor.parts.documents.get({ content: "{}", language: "json" });
    await editor.vscode.window.showTextDocument(other);
    assert.equal(isShown(), false);
    answer = {
      status: 200,
      body: { invocationId: "inv-1", status: "success", version: "2.1.0", output: "a" },
    };
    const again = editor.run("invokeLast");
    const dialog = await editor.dialog("Invoke word-tally@2.1.0 again?");
    assert.match(dialog.detail, /Payload: .*two.*\n*Registry: http/s);
    assert.deepEqual(shown, [true]);
    dialog.press("Invoke");
    await again;
    assert.deepEqual(shown, [true, true]);
    await editor.notification(question);
  });
});
