import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import packageJson from "../../../package.json";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

describe("New Skill Manifest…", () => {
  const folder = useFolder({});
  const editor = useEditor(() => ({ folders: [folder.path] }));

  /** Makes a manifest with this name, and returns the end of its path and its text. */
  async function made(name: string) {
    void editor.run("newManifest");
    await editor.answer(name);
    await editor.until("a manifest", () =>
      editor.vscode.window.activeTextEditor?.document.getText().includes(`"${name}"`),
    );
    const { uri } = editor.document;
    return uri.path.slice(folder.uri("").path.replace(/\/$/, "").length);
  }

  it("is under File > New File… too", () => {
    const commands = packageJson.contributes.menus["file/newFile"].map(({ command }) => command);
    assert.deepEqual(commands, ["skillRegistry.newManifest"]);
  });

  it("opens one with only what the publisher must write left to do", async () => {
    assert.equal(await made("word-count"), "/skillhub.json");
    assert.equal(editor.document.isUntitled, true);
    const manifest = JSON.parse(editor.document.getText()) as Record<string, unknown>;
    assert.equal(manifest["displayName"], "Word count");
    assert.equal(manifest["description"], "");
  });

  it("opens another in a folder of its own, and overwrites none", async () => {
    const bytes = new TextEncoder().encode("{}");
    await editor.vscode.workspace.fs.writeFile(folder.uri("skillhub.json"), bytes);
    assert.equal(await made("line-count"), "/line-count/skillhub.json");
    const text = editor.document.getText();
    void editor.run("newManifest");
    await editor.answer("line-count");
    await editor.notice("line-count has a manifest already, which is shown.");
    assert.equal(editor.document.getText(), text);
  });
});
