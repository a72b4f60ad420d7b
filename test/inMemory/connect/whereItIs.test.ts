import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

describe("What the registry in use does not have", () => {
  const folder = useFolder({
    "word-tally.skill-input.json": '{ "text": "a b" }',
    "tally.skill-suite.json":
      '{"format":1,"skill":"word-tally","cases":[{"name":"a","payload":{"text":"a"}}]}',
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  let registry: ForeignRegistry;
  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
    const environments = {
      staging: { registry: registry.baseUrl },
      local: { registry: "built-in" },
    };
    const text = JSON.stringify({ format: 1, environments });
    await folder.write(".skill-registry/environments.json", text);
  });
  after(() => registry.close());

  const titles = async () => (await editor.actions()).map(({ title }) => title);
  const connected = async () => {
    const taking = editor.takeAction("Connect to staging…");
    await editor.press(/Use the registry http/, "Use Registry");
    await taking;
  };

  it("Is said of a suite's skill as of a payload's, with a fix that connects to another environment", async () => {
    await editor.vscode.window.showTextDocument(folder.uri("tally.skill-suite.json"));
    const found = await editor.until("the finding", () => {
      const all = editor.vscode.languages.getDiagnostics(editor.document.uri);
      return all.find(({ code }) => code === "unchecked");
    });
    assert.match(found.message, /This registry has no skill “word-tally”/);
    assert.deepEqual(await titles(), ["Connect to staging…"]);
    await editor.vscode.window.showTextDocument(folder.uri("word-tally.skill-input.json"));
    await editor.checked();
    assert.deepEqual(await titles(), ["Connect to staging…", "Bind to Another Skill…"]);
    await connected();
    await editor.until("no finding", () => editor.problems.length === 0);
  });

  it("Leads to it from the invocation of another registry that is run again", async () => {
    await editor.connectTo();
    await editor.newPayload("text-stats", '{ "text": "a" }');
    await editor.run("invoke");
    await editor.connectTo(registry);
    const [record] = await recordsOf(editor);
    const rerun = editor.run("rerunInvocation", record);
    await editor.press(
      "This invocation went to another registry (built-in)",
      "Connect to built-in…",
    );
    await rerun;
    const all = await recordsOf(editor);
    assert.deepEqual(
      all.map(({ skillSlug, registry: name }) => [skillSlug, name]),
      [
        ["text-stats", "built-in"],
        ["text-stats", "built-in"],
      ],
    );
  });
});
