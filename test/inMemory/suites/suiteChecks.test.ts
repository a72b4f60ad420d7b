import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { plainManifest, startManifestRegistry } from "../../fixtures/registries/manifestRegistry";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { suite } from "./suiteFiles";

const odd = "odd.skill-suite.json";
const file = "words.skill-suite.json";
const outputs = "words.skill-snapshots.json";
const token = `ghp_${"a1B2".repeat(9)}`;

describe("An open suite", () => {
  const folder = useFolder({
    [file]: suite("text-stats", [
      { name: "one", payload: { text: token } },
      { name: "two", payload: { text: "a" }, expect: { output: { "/title": token } } },
    ]),
    [odd]: suite("odd", [{ name: "one", payload: {} }]),
    [outputs]: JSON.stringify({ format: 1, outputs: { two: { note: token } } }),
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  const secretsIn = async (name: string, count: number) => {
    const { document } = await editor.vscode.window.showTextDocument(folder.uri(name));
    const marked = await editor.until("the marks", () => {
      const found = editor.parts.languages
        .problems(folder.uri(name) as never)
        .filter(({ code }) => code === "secret");
      return found.length >= count ? found : undefined;
    });
    return marked.map(({ range }) => ({ text: document.getText(range as never), range }));
  };

  it("marks each credential once, in payloads and expected outputs", async () => {
    const marked = await secretsIn(file, 2);
    assert.deepEqual(
      marked.map(({ text }) => text),
      [token, token],
    );
    assert.notDeepEqual(marked[0]?.range, marked[1]?.range);
  });

  it("names at its skill a mistake in the skill's schema", async () => {
    const range = { type: "object", properties: { n: { minimum: 10, maximum: 1 } } };
    const registry = await startManifestRegistry({
      odd: plainManifest("odd", { inputSchema: range }),
    });
    await editor.connectTo(registry);
    const { document } = await editor.vscode.window.showTextDocument(folder.uri(odd));
    const mistake = await editor.until("the mark", () =>
      editor.parts.languages
        .problems(folder.uri(odd) as never)
        .find(({ code }) => code === "schema"),
    );
    assert.equal(document.getText(mistake.range as never), '"odd"');
    assert.match(mistake.message, /publisher of odd about its input schema at \/properties\/n/);
    await editor.connectTo();
    await registry.close();
  });

  it("has its stored outputs searched too", async () => {
    assert.deepEqual(
      (await secretsIn(outputs, 1)).map(({ text }) => text),
      [token],
    );
  });

  it("names the rule of several problems once", async () => {
    const empty = ["a", "b"].map((name) => ({ name, payload: {} }));
    await folder.write("empty.skill-suite.json", suite("text-stats", empty));
    await editor.vscode.window.showTextDocument(folder.uri("empty.skill-suite.json"));
    const found = await editor.until("the marks", () => {
      const all = editor.parts.languages.problems(folder.uri("empty.skill-suite.json") as never);
      return all.length === 2 ? all : undefined;
    });
    assert.deepEqual(
      found.map(({ code, relatedInformation = [] }) => [code, relatedInformation.length]),
      [
        ["required", 1],
        ["required", 0],
      ],
    );
  });
});
