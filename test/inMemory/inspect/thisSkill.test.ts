import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { useEditor } from "../useEditor";

describe("A command about this skill", () => {
  const editor = useEditor();
  const copied = async () => {
    const copying = editor.runFromPalette("Skill Registry: Copy As…");
    await editor.choose("Slug");
    await copying;
    return editor.parts.machine.clipboard;
  };

  it("It means that of the page, else of the payload on the screen, and does not ask", async () => {
    await editor.newPayload("text-stats");
    assert.equal(await copied(), "text-stats");
    await editor.run("openSkill", "csv-profile");
    assert.equal(await copied(), "csv-profile");
    assert.equal(editor.parts.quickInputs.current, undefined);
  });
});
