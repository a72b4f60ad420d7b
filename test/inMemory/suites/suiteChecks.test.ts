import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { suite } from "./suiteFiles";

const file = "words.skill-suite.json";
const token = `ghp_${"a1B2".repeat(9)}`;

describe("An open suite", () => {
  const folder = useFolder({
    [file]: suite("text-stats", [
      { name: "one", payload: { text: token } },
      { name: "two", payload: { text: "a" }, expect: { output: { "/title": token } } },
    ]),
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("marks each credential once, in payloads and expected outputs", async () => {
    const { document } = await editor.vscode.window.showTextDocument(folder.uri(file));
    const marked = await editor.until("the marks", () => {
      const found = editor.parts.languages
        .problems(folder.uri(file) as never)
        .filter(({ code }) => code === "secret");
      return found.length > 1 ? found : undefined;
    });
    assert.deepEqual(
      marked.map(({ range }) => document.getText(range as never)),
      [token, token],
    );
    assert.notDeepEqual(marked[0]?.range, marked[1]?.range);
  });
});
