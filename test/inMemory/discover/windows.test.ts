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
  const hasRow = (of: MemoryEditor, label: string) =>
    of.parts.trees.get("skillRegistry.skills")?.row(label) !== undefined;

  it("A favorite of the other window is at the top when the view is visible again", async () => {
    await second.runOnRow("skills", "JSON diff", "Add to Favorites");
    assert.equal(await topRow(second), "JSON diff");
    const view = await editor.view("skills");
    await view.setVisible(false);
    await view.setVisible(true);
    assert.equal(await topRow(editor), "JSON diff");
  });

  it("A skill hidden by the other window is hidden when the user returns to this one", async () => {
    editor.setFocused(false);
    await second.runOnRow("skills", "Slow report", "Hide Skill");
    editor.setFocused(true);
    await editor.until("the row to go", () => !hasRow(editor, "Slow report"));
    assert.match((await editor.view("skills")).message, /1 skill is hidden\./);
  });

  it("A skill unhidden by the other window appears once this one has the focus, without polling", async () => {
    editor.setFocused(false);
    await second.run("unhideSkill", "slow-report");
    await editor.clock.advance(60_000);
    assert.equal(hasRow(editor, "Slow report"), false);
    editor.setFocused(true);
    await editor.until("the row", () => hasRow(editor, "Slow report"));
  });

  it("Filters saved by the other window are offered", async () => {
    await editor.run("filter", { verification: "verified" });
    await editor.run("saveFilterSet", "Kept ones");
    const using = second.run("useFilterSet");
    await second.choose("Kept ones");
    await using;
    assert.match((await second.view("skills")).message, /Showing: verified\./);
  });
});
