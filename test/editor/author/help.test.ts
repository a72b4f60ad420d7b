import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { openPayload, problemsAre, problemsOfActiveEditor } from "../payloads";
import { useWindow } from "../window/useWindow";
import { Typist } from "./typist";

describe("Writing a payload with the keyboard alone", () => {
  const window = useWindow();

  const typist = new Typist(window);
  const press = (key: string) => typist.press(key);
  const text = () => typist.text;

  it("csv-profile: fills what is required, adds a property and chooses its value", async () => {
    await openPayload(window, "csv-profile");
    await typist.clear();
    await typist.ask("{ csv }");
    await eventually("the snippet", () => text().includes('"csv": ""'));
    await typist.type("a;b\\n1;2");
    await typist.lastMember();
    await typist.type('"del');
    await typist.take("delimiter");
    await typist.take('";"');
    await eventually("the value", () => /"delimiter": ";"/.test(text()));
    await window.statusBarItem(/csv-profile@.*: valid/).waitFor();
    assert.deepEqual(JSON.parse(text()), { csv: "a;b\n1;2", delimiter: ";" });
  });

  it("json-diff: mends a wrong name, a wrong value and what is missing with quick fixes", async () => {
    await openPayload(window, "json-diff");
    await window.replaceText('{\n  "after": 2,\n  "array": "edti",\n  "tests": "true"\n}');
    await eventually("the problems", () => problemsOfActiveEditor().length === 3);
    await typist.fixNext('Add "before"');
    await typist.fixNext('Rename to "arrays"');
    await eventually("the value's problem", () =>
      problemsOfActiveEditor().some((problem) => problem.startsWith("enum")),
    );
    await typist.fixNext('Change to "edit"');
    await typist.fixNext("Change to true");
    await window.statusBarItem(/json-diff@.*: valid/).waitFor();
    assert.deepEqual(Object.keys(JSON.parse(text())), ["before", "after", "arrays", "tests"]);
  });

  it("fixes everything that is unambiguous at once", async () => {
    const editor = await openPayload(window, "csv-profile");
    await window.replaceText(
      '{\n  // mine\n  "csv": "a",\n  "samples": "5",\n  "headre": true,\n}',
    );
    await window.statusBarItem(/csv-profile@.*: 4 problems/).waitFor();
    const fixed = '{\n  "csv": "a",\n  "samples": 5,\n  "header": true\n}';
    await eventually("the fixes", async () => {
      await vscode.commands.executeCommand("editor.action.fixAll");
      return eventually("the fixes", () => text() === fixed, 10);
    });
    assert.equal(editor.document.isDirty, true);
  });

  describe("what is no JSON", () => {
    const { Error: error } = vscode.DiagnosticSeverity;
    /** Each error of the active input: who marks it, and what. */
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

    it("is marked by us where the editor does not mark it", async () => {
      const editor = await openPayload(window, "csv-profile");
      await typist.clear();
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

  it("offers another skill where the one that the file's name stands for is not there", async () => {
    const uri = vscode.Uri.file("/tmp/no-such-skill.skill-input.json").with({ scheme: "untitled" });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    const [problem] = await eventually("the reason", () => {
      const found = vscode.languages.getDiagnostics(uri);
      return found.some(({ code }) => code === "unchecked") && found;
    });
    assert.match(problem?.message ?? "", /no skill “no-such-skill”.*file is named after/);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      uri,
      new vscode.Range(0, 0, 0, 0),
    );
    const bind = actions.find(({ command }) => command?.command === "skillRegistry.bindPayload");
    assert.equal(bind?.title, "Bind to Another Skill…");
    await window.tidy();
  });

  it("binds nothing but JSON, and tells what is needed", async () => {
    const document = await vscode.workspace.openTextDocument({
      language: "plaintext",
      content: "{}",
    });
    await vscode.window.showTextDocument(document);
    const bound = vscode.commands.executeCommand("skillRegistry.bindPayload", "csv-profile");
    await window.notification("Only JSON can be bound to a skill").waitFor();
    await vscode.commands.executeCommand("notifications.clearAll");
    await bound;
    assert.deepEqual(problemsOfActiveEditor(), []);
    await window.tidy();
  });

  it("points at the rule in the schema, which opens read-only", async () => {
    const editor = await openPayload(window, "csv-profile");
    await window.replaceText('{"csv": "a", "samples": 11}');
    const [problem] = await eventually("the problem", () => {
      const found = vscode.languages.getDiagnostics(editor.document.uri);
      return found.length === 1 && found;
    });
    const place = problem?.relatedInformation?.[0]?.location;
    assert.ok(place);
    const schema = await vscode.workspace.openTextDocument(place.uri);
    assert.equal(schema.getText(place.range), '"maximum": 10');
    // Under the address of another registry it is not this one's.
    const query = new URLSearchParams(place.uri.query);
    query.set("registry", "https://elsewhere.example");
    const elsewhere = place.uri.with({ query: query.toString() });
    const other = await vscode.workspace.openTextDocument(elsewhere);
    assert.match(other.getText(), /of a registry that is not connected now/);
    await vscode.window.showTextDocument(schema, { selection: place.range });
    await window.editor.and(window.page.locator('.focused[data-uri^="skill-schema"]')).waitFor();
    const refusal = window.page.getByText("Cannot edit in read-only editor").first();
    await eventually("the refusal", async () => {
      await press("x");
      return eventually("the refusal", () => refusal.isVisible(), 10);
    });
  });

  it("explains a property where it stands", async () => {
    const editor = await openPayload(window, "csv-profile");
    await window.replaceText('{"csv": "a", "samples": 1}');
    const at = editor.document.positionAt(editor.document.getText().indexOf("samples") + 2);
    const hovers = await eventually("the hover", async () => {
      const found = await vscode.commands.executeCommand<vscode.Hover[]>(
        "vscode.executeHoverProvider",
        editor.document.uri,
        at,
      );
      return found.length > 0 && found;
    });
    const shown = hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (content instanceof vscode.MarkdownString ? content.value : ""))
      .join();
    assert.match(shown, /How many different values to show of each column/);
    assert.match(shown, /Default\\: 3/);
  });

  it("starts a payload from what the user chooses, and fills another from an example", async () => {
    await window.runCommand("Skill Registry: New Payload for Skill");
    await window.typeIntoQuickInput("csv-profile");
    const row = window.quickInput.locator(".monaco-list-row");
    await eventually("one row", async () => (await row.count()) === 1);
    const required = window.quickInput.getByText("What the skill requires");
    await eventually("the starting points", async () => {
      await press("Enter");
      return eventually("the starting points", () => required.isVisible(), 10);
    });
    await window.choose("What the skill requires");
    await eventually("the input", () => text().includes('"csv"') && !text().includes("delimiter"));
    const example = window.quickInput.locator(".monaco-list-row", { hasText: "Example 1" });
    await window.pressUntil(window.codeLens("Examples"), example);
    await example.click();
    await window.statusBarItem(/csv-profile@.*: valid/).waitFor();
  });

  it("starts a payload with its text, also where the same one is being closed just then", async () => {
    await openPayload(window, "text-stats");
    const opened = await eventually("the input", async () => {
      const closed = vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await vscode.commands.executeCommand("skillRegistry.newPayload", "text-stats");
      await closed;
      // None is open where it was shown once more before it closed.
      return vscode.window.activeTextEditor;
    });
    assert.notEqual(opened.document.getText(), "");
  });

  it("fills a payload from an example, from what is required or with all there is, by code action", async () => {
    const editor = await openPayload(window, "csv-profile");
    await window.replaceText("{}");
    await window.statusBarItem(/csv-profile@.*: 1 problem/).waitFor();
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      editor.document.uri,
      new vscode.Range(0, 0, 0, 0),
      vscode.CodeActionKind.RefactorRewrite.value,
      10,
    );
    const fills = actions.filter(({ title }) => title.startsWith("Fill "));
    assert.match(fills[0]?.title ?? "", /^Fill from example 1: /);
    assert.deepEqual(
      fills.slice(-2).map(({ title }) => title),
      ["Fill with required properties", "Fill with all properties"],
    );
    for (const { title, edit } of fills) {
      assert.ok(edit, title);
      await vscode.workspace.applyEdit(edit);
      await window.statusBarItem(/csv-profile@.*: valid/).waitFor();
      await window.replaceText("{}");
      await window.statusBarItem(/csv-profile@.*: 1 problem/).waitFor();
    }
  });

  it("does not send a credential unseen", async () => {
    await openPayload(window, "text-stats");
    const token = `ghp_${"aB3dE7gH1jK5mN9pQ2sT6vX0zY4cF8bWqR5t"}`;
    await window.replaceText(`{"text": "x ${token}"}`);
    await window.statusBarItem(/text-stats@.*: valid/).waitFor();
    await problemsAre(`secret ${token}`);
    const invoked = vscode.commands.executeCommand("skillRegistry.invoke");
    const dialog = window.page.locator(".monaco-dialog-box");
    await dialog.getByText(/[Ll]ine 1 appears to contain a GitHub token/).waitFor();
    const { activeTextEditor: editor } = vscode.window;
    assert.equal(editor?.document.getText(editor.selection), token);
    await press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await invoked;
  });

  it("does not copy a credential unseen, and copies it when told to", async () => {
    await openPayload(window, "text-stats");
    const escaped = `\\u0067hp_${"aB3dE7gH1jK5mN9pQ2sT6vX0zY4cF8bWqR5t"}`;
    await window.replaceText(`{"text": "${escaped}"}`);
    await window.statusBarItem(/text-stats@.*: valid/).waitFor();
    await problemsAre(`secret ${escaped}`);
    await vscode.env.clipboard.writeText("before");
    const copied = vscode.commands.executeCommand("skillRegistry.copyAsCurl");
    const dialog = window.page.locator(".monaco-dialog-box");
    await dialog.getByText(/[Ll]ine 1 appears to contain a GitHub token/).waitFor();
    assert.equal(await vscode.env.clipboard.readText(), "before");
    await window.press(dialog.getByRole("button", { name: "Copy This Once" }));
    await copied;
    assert.match(await vscode.env.clipboard.readText(), /curl[\s\S]*u0067hp_/);
  });
});
