import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { suite } from "./suiteFiles";

const file = "words.skill-suite.json";
const outputs = "words.skill-snapshots.json";
const token = `ghp_${"a1B2".repeat(9)}`;

describe("An open suite", () => {
  const folder = useFolder({
    [file]: suite("text-stats", [
      { name: "one", payload: { text: token } },
      { name: "two", payload: { text: "a" }, expect: { output: { "/title": token } } },
    ]),
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

  it("has its stored outputs searched too", async () => {
    assert.deepEqual(
      (await secretsIn(outputs, 1)).map(({ text }) => text),
      [token],
    );
  });
});
