import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import { MemoryEditor } from "../memoryEditor";
import { useEditor } from "../useEditor";

describe("The Skills view in two windows of one user", () => {
  const editor = useEditor();
  let second: MemoryEditor;
  before(async () => {
    second = new MemoryEditor({ machine: editor.parts.machine });
    await editor.row("skills", /^Text statistics/);
    await second.row("skills", /^Text statistics/);
  });
  after(() => second.dispose());

  const topRow = async (of: MemoryEditor) => (await of.view("skills")).rows[0]?.label;

  it("A favorite of the other window is at the top when the view is visible again", async () => {
    await second.runOnRow("skills", "JSON diff", "Add to Favorites");
    assert.equal(await topRow(second), "JSON diff");
    const view = await editor.view("skills");
    await view.setVisible(false);
    await view.setVisible(true);
    assert.equal(await topRow(editor), "JSON diff");
  });

  it("A favorite of the other window is removed once this one has the focus, without polling", async () => {
    editor.setFocused(false);
    await second.run("removeFavorite", "json-diff");
    await editor.clock.advance(60_000);
    assert.equal(await topRow(editor), "JSON diff");
    editor.setFocused(true);
    await editor.until("the row to go", async () => (await topRow(editor)) !== "JSON diff");
  });

  it("Filters saved by the other window are offered", async () => {
    await editor.run("filter", { verification: "verified" });
    const saving = editor.run("viewAs");
    await editor.choose("Save Active Filters As…");
    await editor.answer("Kept ones");
    await saving;
    await second.run("viewAs", { saved: "Kept ones" });
    assert.match((await second.view("skills")).message, /Showing: verified\./);
  });
});
