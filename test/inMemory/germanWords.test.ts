import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { useEditor } from "./useEditor";
import { useFolder } from "./useFolder";
import { MarkdownString, Position } from "./vscode/values";

describe("The extension in a German window", () => {
  const editor = useEditor({ language: "de" });

  const marked = () =>
    editor.parts.languages
      .problems(editor.document.uri)
      .filter(({ source }) => source === "skill-registry");
  /** Opens a payload and writes a text. Resolves once it was checked. */
  async function payload(slug: string, text: string): Promise<void> {
    await editor.run("newPayload", slug);
    editor.write(text);
    await editor.run("validatePayload");
  }

  it("Views and the list of skills are German", async () => {
    const { item } = await editor.row("skills", "Text statistics");
    assert.match(
      item.accessibilityInformation?.label ?? "",
      /^Text statistics, verifiziert, geringe Berechtigungen, .*Plainworks/,
    );
    const { id } = await editor.view("invocations");
    assert.match(editor.parts.commands.welcome(id), /Ihre Aufrufe erscheinen hier/);
  });

  it("A command has its German title in the palette, and asks in German", async () => {
    const connecting = editor.runFromPalette("Skill Registry: Mit Registry verbinden…");
    const pick = await editor.pick("Eingebaute Registry");
    assert.match(pick.text, /Registry auswählen/);
    pick.leave();
    await connecting;
  });

  it("The page of a skill is German, also for screen readers", async () => {
    await editor.pressRow("skills", "Text statistics");
    const page = await editor.page("Text statistics");
    await page.shows("Verifiziert");
    await page.shows("Verwendet das Netzwerk nicht");
    assert.match(page.panel.html, /<html lang="de"/);
  });

  it("A payload is checked, fixed and explained in German; texts for tools stay English", async () => {
    await payload("text-stats", '{ "text": 5 }');
    await editor.status(/text-stats@1\.0\.0: 1 Problem/);
    const [problem] = marked();
    assert.match(problem?.message ?? "", /^text: Erwartet wird eine Zeichenfolge, keine Zahl\./);
    assert.deepEqual([problem?.source, problem?.code], ["skill-registry", "type"]);
    await editor.run("invoke");
    await editor.notification("Nicht gesendet: Die Payload für text-stats hat ein Problem.");
    const titles = (await editor.actions()).map(({ title }) => title);
    assert.ok(titles.includes('In "5" ändern'), titles.join());
    const hovers = await editor.parts.languages.hoversAt(editor.document, new Position(0, 4));
    const texts = hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (content instanceof MarkdownString ? content.value : content));
    assert.match(texts.join("\n"), /string\\?, .*höchstens .* Zeichen/);
  });

  it("An invocation is recorded in German; its lines in the output channel stay English", async () => {
    await payload("text-stats", '{ "text": "one two" }');
    await editor.status(/text-stats@1\.0\.0: gültig/);
    const lenses = (await editor.lenses()).map(({ command }) => command?.title);
    assert.ok(
      lenses.some((title) => title?.includes("text-stats@1.0.0 aufrufen")),
      lenses.join(),
    );
    await editor.run("invoke");
    await editor.status(/text-stats: erfolgreich, /);
    assert.match(
      editor.output,
      /text-stats@1\.0\.0 {2}success {2}\d+ ms\nInvocation ID: \S+\nOutput:\n/,
    );
    const view = await editor.view("invocations");
    await editor.until("the record's row in German", () => {
      const label = view.row(/^text-stats@1\.0\.0/)?.item.accessibilityInformation?.label;
      return /^text-stats@1\.0\.0, erfolgreich, /.test(label ?? "");
    });
  });

  it("An obstacle of a skill is explained in German, with the registry's code", async () => {
    await editor.run("newPayload", "draft-writer");
    await editor.run("validatePayload");
    const invoked = editor.run("invoke");
    await editor.notification(/draft-writer wurde nicht aufgerufen – .* \(skill_not_verified\)/);
    await invoked;
  });
});

describe("A first review in a German window", () => {
  const folder = useFolder({});
  const editor = useEditor({ language: "de", folders: [folder.path] });

  it("Describes its criteria in German", async () => {
    const reviewing = editor.run("reviewSkill", "text-stats");
    const pick = await editor.pick("safe-to-try");
    assert.match(
      pick.row("safe-to-try")?.detail ?? "",
      /^Schemas, Rechte und Preis wurden gelesen/,
    );
    pick.leave();
    await reviewing;
  });
});
