import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { writeSnapshots } from "../../../src/core/suite/suite";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { suite } from "./suiteFiles";

const suiteFile = "words.skill-suite.json";
const outputsFile = "words.skill-snapshots.json";
const cases = [
  { name: "greets", payload: { text: "Good morning" }, expect: { snapshot: true } },
  { name: "counts", payload: { text: "{{case:greets/words}}" } },
];

describe("The name of a case", () => {
  const folder = useFolder({
    [suiteFile]: suite("text-stats", cases),
    [outputsFile]: writeSnapshots(new Map([["greets", { words: 2 }]])),
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  const open = async (name: string) =>
    (await editor.vscode.window.showTextDocument(folder.uri(name))).document;
  const messages = () =>
    editor.parts.languages
      .problems(folder.uri(outputsFile) as never)
      .filter(({ code }) => code === "orphan")
      .map(({ message }) => message);

  it("Rename Symbol takes its stored output and its references along", async () => {
    const document = await open(suiteFile);
    const at = document.positionAt(document.getText().indexOf('"greets"') + 2);
    const edit = await editor.parts.languages.renamed(document as never, at, "says hello");
    await editor.parts.documents.apply(edit as never);
    const renamed = JSON.parse(document.getText()).cases;
    assert.equal(renamed[0].name, "says hello");
    assert.equal(renamed[1].payload.text, "{{case:says hello/words}}");
    const stored = await editor.vscode.workspace.openTextDocument(folder.uri(outputsFile));
    assert.deepEqual(JSON.parse(stored.getText()).outputs, { "says hello": { words: 2 } });
    assert.deepEqual(messages(), []);
  });

  for (const [title, left] of [
    ["Rename to “greets”", { greets: { words: 2 } }],
    ["Remove “typed”", {}],
  ] as const) {
    it(`A name that was typed leaves an output of no case, mended by ${title}`, async () => {
      await folder.write(suiteFile, suite("text-stats", cases));
      await folder.write(outputsFile, writeSnapshots(new Map([["typed", { words: 2 }]])));
      const document = await open(outputsFile);
      await editor.until("the finding", () => messages().length === 1 || undefined);
      assert.match(messages()[0] ?? "", /No case is named “typed”. Rename this output to “greets”/);
      await editor.takeAction(title);
      assert.deepEqual(JSON.parse(document.getText()).outputs, left);
      await editor.until("no finding", () => messages().length === 0 || undefined);
      await document.save();
    });
  }
});
