import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { keepRecords } from "../../fixtures/machineStore";
import { pastInvocation } from "../../fixtures/pastInvocation";
import { askStore } from "../records";
import { useEditor } from "../useEditor";

describe("The document of an output that was not kept", () => {
  const editor = useEditor();
  const show = async (id: string) => {
    const uri = editor.vscode.Uri.from({
      scheme: "skill-output",
      path: `/${id}/text-stats output.json`,
    });
    await editor.vscode.window.showTextDocument(uri, { preview: false });
    return editor.document.getText();
  };

  it("Says so, and is not checked against the output schema", async () => {
    const [lost, kept] = ["01763633000000-0a1b2c3d", "01763633000001-0a1b2c3d"];
    const record = (id: string) =>
      pastInvocation(editor.clock.now(), { id, skillSlug: "text-stats", version: "1.0.0" });
    await askStore(editor, async (store) => {
      await keepRecords(store, [record(lost)]);
      await keepRecords(store, [record(kept)], { inputText: "{}", outputText: "{}" });
    });
    assert.match(await show(lost), /was not kept/);
    const { uri } = editor.document;
    assert.equal(await show(kept), "{}");
    await editor.until("the problems of the other output", () => editor.problems.length > 0);
    assert.deepEqual(editor.parts.languages.problems(uri), []);
  });
});
