import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import type { JsonValue } from "../../../src/core/json/jsonValue";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import type { Answer } from "../../fixtures/registries/testRegistry";
import { askStore, recordsOf } from "../records";
import { MemoryDocument } from "../screen/documents";
import { useEditor } from "../useEditor";
import { Uri } from "../vscode/values";

describe("The record of invocations to a registry elsewhere", () => {
  const editor = useEditor();
  let registry: ForeignRegistry;
  let output: JsonValue = "a text";
  let refusal: Answer | undefined;
  before(async () => {
    const about = { invocationId: "inv-1", status: "success", version: "2.1.0" };
    registry = await startForeignRegistry(
      { dialect: "camel" },
      { "/v1/runtime/invoke": () => refusal ?? { body: { ...about, output } } },
    );
    await editor.connectTo(registry);
  });
  after(() => registry.close());

  const question = "Keep the payloads and outputs of invocations at";
  const invoke = async (text: string) => {
    await editor.newPayload("word-tally", JSON.stringify({ text }));
    await editor.run("invoke");
  };

  it("It stores inputs and outputs after a person agreed once", async () => {
    await editor.newPayload("word-tally", '{ "text": "one" }');
    const invoked = editor.run("invoke");
    await editor.press("Invoke word-tally@2.1.0?", "Invoke");
    await editor.answer(registry.projectKey);
    await invoked;
    await editor.press(`${question} ${registry.baseUrl}`, "Keep");
    await invoke("two");
    assert.equal(editor.output.match(/Invocation ID: inv-1/g)?.length, 2);
    assert.ok(!editor.parts.notices.some(({ text }) => text.includes(question)));
    // The output channel opens each from its own header.
    const { documents, languages } = editor.parts;
    const path = "extension-output-skill-registry.skill-registry-#1-Skill Registry";
    const uri = Uri.from({ scheme: "output", path });
    const channel = new MemoryDocument(documents, uri, "Log", editor.output);
    const links = await languages.linksOf(channel);
    const targets = links.flatMap(({ target }) =>
      target?.path === "skillRegistry.openInvocation" ? [target.query] : [],
    );
    assert.equal(new Set(targets).size, 2);
  });

  it("An output that does not match its schema is marked while it is open", async () => {
    const opening = editor.run("openOutput");
    await editor.choose(/^word-tally@2\.1\.0/);
    await opening;
    await editor.until("the problem", () => editor.problems.length > 0);
    assert.deepEqual(editor.problems, ['type "a text"']);
    const { active } = editor.parts.tabs;
    const { uri } = editor.document;
    assert.ok(active !== undefined);
    editor.parts.tabs.close(active);
    assert.deepEqual(editor.parts.languages.problems(uri), []);
  });

  it("A long text of an output is shown unescaped, in its language", async () => {
    output = { words: 2, csv: "a,b\n1,2\n" };
    await invoke("as text");
    const { tabs } = editor.parts;
    const result = await editor.until("the result", () =>
      tabs.all.find(({ label }) => label === "word-tally output.json"),
    );
    tabs.activate(result);
    await editor.pressLens("Show as Text");
    assert.match(editor.document.uri.path, /\/word-tally csv\.csv$/);
    assert.equal(editor.document.getText(), "a,b\n1,2\n");
  });

  it("A failure replaces the shown result of an earlier invocation, and shows none of its output", async () => {
    const results = () =>
      editor.parts.tabs.visibleEditors
        .map(({ document }) => document)
        .filter(({ uri }) => uri.scheme === "skill-output" && !/extent|text/.test(uri.query))
        .map((document) => document.getText());
    await invoke("before");
    await editor.until("the result", () => /words/.test(results().join()));
    refusal = { status: 403, body: { error: "Not today.", code: "no_such_code" } };
    await invoke("after");
    refusal = undefined;
    const failure = /"status": "(?:blocked|refused)"[\s\S]*Not today/;
    await editor.until("the failure", () => failure.test(results()[0] ?? ""));
    assert.equal(results().length, 1);
    assert.doesNotMatch(results()[0] ?? "", /words/);
  });

  it("A long text is stored completely; the channel shows its beginning", async () => {
    output = "long text ".repeat(500_000);
    await invoke("three");
    assert.match(
      editor.output,
      /long text\n… cut here, after 100000 characters\. “Skill Registry: Open Output”/,
    );
    const [latest] = await recordsOf(editor);
    const texts = await askStore(editor, (store) => store.texts(latest?.id ?? ""));
    assert.equal(texts?.outputText, JSON.stringify(output));
  });
});
