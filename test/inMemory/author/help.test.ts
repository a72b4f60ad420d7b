import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { DiagnosticSeverity } from "../vscode/enums";
import { CodeActionKind, Diagnostic } from "../vscode/languageValues";
import { MarkdownString, Range, Uri } from "../vscode/values";

describe("Help with writing a payload", () => {
  const editor = useEditor();
  const text = () => editor.document.getText();

  it("Quick fixes correct a wrong name, a wrong value and a missing property", async () => {
    await editor.newPayload(
      "json-diff",
      '{\n  "after": 2,\n  "array": "edti",\n  "tests": "true"\n}',
    );
    assert.equal(editor.problems.length, 3);
    for (const title of [
      'Add "before"',
      'Rename to "arrays"',
      'Change to "edit"',
      "Change to true",
    ]) {
      await editor.takeAction(title);
      await editor.checked();
    }
    assert.deepEqual(editor.problems, []);
    assert.deepEqual(Object.keys(JSON.parse(text())), ["before", "after", "arrays", "tests"]);
  });

  it("Two lenses above a payload show its cost and all further actions, and a third one an obstacle", async () => {
    await editor.newPayload("text-stats", '{"text": "a"}');
    await editor.checked();
    const titles = async () => (await editor.lenses()).map(({ command }) => command?.title);
    const invoke = "▷ Invoke text-stats@1.0.0 · Free";
    assert.deepEqual(await titles(), [invoke, "More…"]);
    const removed = editor.run("removeProjectKey");
    await editor.press(/Remove the Project Key/, "Remove");
    await removed;
    const hindrance = "No Project Key is kept for this registry. Set one first.";
    assert.deepEqual(await titles(), [invoke, "More…", hindrance]);
    const page = (await editor.lenses()).at(-1)?.command?.arguments;
    assert.deepEqual(page, ["text-stats@1.0.0"]);
    const choosing = editor.pressLens("More…");
    const { rows } = await editor.pick("Validate");
    assert.deepEqual(
      rows.map(({ label }) => label),
      [
        "Validate",
        "Edit as Form",
        "Open Skill",
        "Examples",
        "Copy Link",
        "New Payload",
        "Bind to Another Skill…",
      ],
    );
    await editor.choose("Open Skill");
    await choosing;
    await editor.page("Text statistics");
  });

  it("Fix All fixes everything unambiguous at once, and saves nothing", async () => {
    const document = await editor.newPayload(
      "csv-profile",
      '{\n  // mine\n  "csv": "a",\n  "samples": "5",\n  "headre": true,\n}',
    );
    assert.equal(editor.problems.length, 4);
    const whole = new Range(0, 0, document.lineCount, 0);
    const { languages } = editor.parts;
    const [fix] = await languages.actionsAt(document, whole, CodeActionKind.SourceFixAll);
    assert.ok(fix?.edit);
    await editor.vscode.workspace.applyEdit(fix.edit);
    assert.equal(text(), '{\n  "csv": "a",\n  "samples": 5,\n  "header": true\n}');
    assert.equal(document.isDirty, true);
  });

  it("A file named after a missing skill reports that, and offers another skill", async () => {
    const uri = Uri.file("/tmp/no-such-skill.skill-input.json").with({ scheme: "untitled" });
    await editor.vscode.window.showTextDocument(await editor.parts.documents.get(uri));
    const [problem] = await editor.until("the reason", () => {
      const found = editor.parts.languages.problems(uri);
      return found.some(({ code }) => code === "unchecked") && found;
    });
    assert.match(problem?.message ?? "", /no skill “no-such-skill”.*file is named after/);
    const bound = editor.takeAction("Bind to Another Skill…");
    await editor.choose(/^Text statistics/);
    await bound;
    await editor.status(/text-stats@/);
  });

  it("Only JSON can be bound, with a message otherwise", async () => {
    const document = await editor.parts.documents.get({ language: "plaintext", content: "{}" });
    await editor.vscode.window.showTextDocument(document);
    const bound = editor.run("bindPayload", "csv-profile");
    await editor.press("Only JSON can be bound to a skill", "Change Language Mode");
    await bound;
    assert.deepEqual(editor.parts.commands.ran.at(-1), [
      "workbench.action.editor.changeLanguageMode",
    ]);
    assert.deepEqual(editor.problems, []);
  });

  it("A problem links to its rule in the schema, below its own registry's address only", async () => {
    const { uri } = await editor.newPayload("csv-profile", '{"csv": "a", "samples": 11}');
    const [problem] = editor.parts.languages.problems(uri);
    const place = problem?.relatedInformation?.[0]?.location;
    assert.ok(place);
    const schema = await editor.parts.documents.get(place.uri);
    assert.equal(schema.getText(place.range), '"maximum": 10');
    const query = new URLSearchParams(place.uri.query);
    query.set("registry", "https://elsewhere.example");
    const elsewhere = place.uri.with({ query: query.toString() });
    const other = await editor.parts.documents.get(elsewhere);
    assert.match(other.getText(), /of a registry that is not connected now/);
  });

  it("Problems of one rule name it once, so that no row pushes them out of the Problems panel", async () => {
    const { uri } = await editor.newPayload("json-diff", "{}");
    const found = editor.parts.languages.problems(uri);
    assert.deepEqual(
      found.map(({ code, relatedInformation = [] }) => [code, relatedInformation.length]),
      [
        ["required", 1],
        ["required", 0],
      ],
    );
  });

  it("A repeated name is reported by the editor's JSON support only, with a fix at both places, and is not sent", async () => {
    const repeated = '{"text": "a", "text": "b"}';
    const document = await editor.newPayload("text-stats", repeated);
    assert.deepEqual(editor.problems, ['json "text"']);
    const others = editor.vscode.languages.createDiagnosticCollection("json");
    const places = [1, repeated.lastIndexOf('"text"')].map(
      (start) => new Range(document.positionAt(start), document.positionAt(start + 6)),
    );
    others.set(
      document.uri,
      places.map((range) => {
        const warning = new Diagnostic(range, "Duplicate object key", DiagnosticSeverity.Warning);
        warning.source = "json";
        return warning;
      }),
    );
    assert.deepEqual(editor.problems, []);
    for (const place of places) {
      const offered = await editor.parts.languages.actionsAt(document, place);
      assert.ok(offered.length > 0, `no fix at ${place.start.character}`);
    }
    const invoked = editor.run("invoke");
    await editor.notification(/Not sent: .* has a problem\. Duplicate property "text"/);
    await invoked;
    others.dispose();
    assert.deepEqual(editor.problems, ['json "text"']);
  });

  it("A property is explained at its place", async () => {
    const document = await editor.newPayload("csv-profile", '{"csv": "a", "samples": 1}');
    const at = document.positionAt(text().indexOf("samples") + 2);
    const hovers = await editor.parts.languages.hoversAt(document, at);
    const shown = hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (content instanceof MarkdownString ? content.value : ""))
      .join();
    assert.match(shown, /How many different values to show of each column/);
    assert.match(shown, /Default\\: 3/);
  });

  it("A new payload starts with what the user chooses, and is later filled from an example", async () => {
    const started = editor.run("newPayload");
    const pick = await editor.pick("Text statistics");
    pick.type("csv-profile");
    await editor.until("one skill", () => !pick.text.includes("Text statistics"));
    await editor.choose(/^CSV profile/);
    await editor.choose("What the skill requires");
    await started;
    assert.match(text(), /"csv"/);
    assert.doesNotMatch(text(), /delimiter/);
    await editor.checked();
    const required = text();
    const filled = editor.chooseAction("Examples");
    await editor.choose(/^Example 1/);
    await filled;
    assert.notEqual(text(), required);
    assert.match(await editor.checked(), /csv-profile@.*: valid/);
  });

  it("Code actions fill a payload from each example, with required or with all properties", async () => {
    const document = await editor.newPayload("csv-profile", "{}");
    const { languages } = editor.parts;
    const start = new Range(0, 0, 0, 0);
    const actions = await languages.actionsAt(document, start, CodeActionKind.RefactorRewrite);
    const fills = actions.filter(({ title }) => title.startsWith("Fill "));
    assert.match(fills[0]?.title ?? "", /^Fill from example 1: /);
    assert.deepEqual(
      fills.slice(-2).map(({ title }) => title),
      ["Fill with required properties", "Fill with all properties"],
    );
    for (const { title, edit } of fills) {
      assert.ok(edit, title);
      await editor.vscode.workspace.applyEdit(edit);
      assert.match(await editor.checked(), /csv-profile@.*: valid/, title);
      editor.write("{}");
    }
  });

  it("A credential in a payload is marked, and is selected when a question asks before sending it", async () => {
    const token = `ghp_${"aB3dE7gH1jK5mN9pQ2sT6vX0zY4cF8bWqR5t"}`;
    const document = await editor.newPayload("text-stats", `{"text": "x ${token}"}`);
    assert.deepEqual(editor.problems, [`secret ${token}`]);
    const invoked = editor.run("invoke");
    const dialog = await editor.dialog(/[Ll]ine 1 appears to contain a GitHub token/);
    const [selection] = editor.parts.tabs.activeEditor?.selections ?? [];
    assert.equal(document.getText(selection), token);
    dialog.press("Cancel");
    await invoked;
    assert.deepEqual(await recordsOf(editor), []);
  });

  it("A credential in a payload is copied only on demand, however it is spelled", async () => {
    const escaped = `\\u0067hp_${"aB3dE7gH1jK5mN9pQ2sT6vX0zY4cF8bWqR5t"}`;
    await editor.newPayload("text-stats", `{"text": "${escaped}"}`);
    assert.deepEqual(editor.problems, [`secret ${escaped}`]);
    const { machine } = editor.parts;
    const copied = editor.run("copyAsCurl");
    const dialog = await editor.dialog(/[Ll]ine 1 appears to contain a GitHub token/);
    assert.equal(machine.clipboard, "");
    dialog.press("Copy This Once");
    await copied;
    assert.match(machine.clipboard, /curl[\s\S]*u0067hp_/);
  });
});
