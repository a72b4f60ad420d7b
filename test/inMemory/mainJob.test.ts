import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { recordsOf } from "./records";
import { useEditor } from "./useEditor";

describe("The main job in an editor in memory", () => {
  const editor = useEditor();

  it("leads from a row to its page, to a payload, its problems, an invocation, its output and its record", async () => {
    await editor.pressRow("skills", /^Text statistics/);
    await (await editor.page("Text statistics")).shows("text-stats");

    await editor.newPayload("text-stats", '{ "text": 3 }');
    assert.deepEqual(editor.problems, ["type 3"]);
    await editor.run("invoke");
    await editor.notification("Not sent: the payload for text-stats has a problem.");
    assert.equal(editor.output, "");
    editor.write('{ "text": "One two." }');
    assert.match(await editor.checked(), /text-stats@.*: valid/);
    assert.deepEqual(editor.problems, []);

    await editor.runFromPalette("Skill Registry: Invoke Skill");
    assert.match(editor.output, /text-stats@.* {2}success {2}/);
    assert.match(editor.output, /"words": 2/);
    const [record] = await recordsOf(editor);
    assert.deepEqual([record?.skillSlug, record?.status], ["text-stats", "success"]);
    await editor.until("the record's commands in the palette", () =>
      editor.parts.commands.palette().some(([, title]) => title === "Skill Registry: Open Output"),
    );
  });
});
