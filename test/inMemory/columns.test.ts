import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { recordsOf } from "./records";
import { useEditor } from "./useEditor";

describe("The editor column for new documents", () => {
  const editor = useEditor();
  const columnOf = (label: string | RegExp) =>
    editor.parts.tabs.all.find((tab) =>
      typeof label === "string" ? tab.label === label : label.test(tab.label),
    )?.group.viewColumn;

  it("A page and a payload open beside a result, and do not cover it", async () => {
    await editor.newPayload("text-stats", '{ "text": "One." }');
    await editor.run("invoke");
    const result = await editor.until("the result", () =>
      editor.parts.tabs.all.find(({ group }) => group.viewColumn === 2),
    );
    editor.parts.tabs.activate(result);
    await editor.run("openSkill", "csv-profile");
    await editor.page("CSV profile");
    assert.equal(columnOf("CSV profile"), 1);
    editor.parts.tabs.activate(result);
    await editor.run("newPayload", "json-diff");
    assert.equal(columnOf(/^json-diff/), 1);
    assert.equal(result.isActive, true);
  });

  it("A past output opens beside results, and does not cover the payload", async () => {
    await editor.newPayload("text-stats", '{ "text": "Two." }');
    await editor.run("invoke");
    const [, earlier] = await recordsOf(editor);
    await editor.run("openOutput", { id: earlier?.id });
    const shown = editor.parts.tabs.all.filter(({ label }) => /^text-stats output/.test(label));
    assert.deepEqual(
      shown.map(({ group }) => group.viewColumn),
      [2, 2],
    );
    assert.equal(columnOf(/skill-input/), 1);
  });
});
