import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { DiagnosticSeverity } from "../vscode/enums";
import { suite } from "./suiteFiles";

const file = "words.skill-suite.json";
const cases = [
  { name: "there", payloadFile: "there.json" },
  { name: "gone", payloadFile: "inputs/gone.json" },
];

describe("A payload file that a case names", () => {
  const folder = useFolder({ [file]: suite("text-stats", cases), "there.json": '{"text":"a"}' });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  const marked = () =>
    editor.parts.languages
      .problems(folder.uri(file) as never)
      .filter(({ code }) => code === "payloadFile");

  it("is marked in its open suite while it is missing", async () => {
    const { document } = await editor.vscode.window.showTextDocument(folder.uri(file));
    await editor.until("the mark", () => marked().length > 0 || undefined);
    assert.deepEqual(
      marked().map(({ message, range, severity }) => [
        message,
        document.getText(range as never),
        severity,
      ]),
      [["inputs/gone.json could not be read.", '"inputs/gone.json"', DiagnosticSeverity.Error]],
    );
    await editor.parts.files.write(
      folder.uri("inputs/gone.json") as never,
      Buffer.from('{"text":"b"}'),
    );
    await editor.until("no mark", () => marked().length === 0 || undefined);
    await editor.parts.files.remove(folder.uri("there.json") as never);
    await editor.until("the other mark", () => marked().length > 0 || undefined);
    assert.deepEqual(
      marked().map(({ message }) => message),
      ["there.json could not be read."],
    );
  });
});
