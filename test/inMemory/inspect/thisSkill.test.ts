import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

describe("A command about this skill", () => {
  const folder = useFolder({
    "typed.skill-suite.json": '{ "skill": "sql-format@2.0.0", "cases": [',
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  const copied = async () => {
    const copying = editor.runFromPalette("Skill Registry: Copy As…");
    await editor.choose("Slug");
    await copying;
    return editor.parts.machine.clipboard;
  };

  it("It uses the page's skill, else the visible payload's, without asking", async () => {
    await editor.newPayload("text-stats");
    assert.equal(await copied(), "text-stats");
    await editor.run("openSkill", "csv-profile");
    assert.equal(await copied(), "csv-profile");
    assert.equal(editor.parts.quickInputs.current, undefined);
  });

  it("It uses the skill of the visible suite, even if its text is incomplete", async () => {
    const { window, workspace } = editor.vscode;
    const suite = await workspace.openTextDocument(folder.uri("typed.skill-suite.json"));
    await window.showTextDocument(suite);
    assert.equal(await copied(), "sql-format");
  });

  it("“Open Payload”, “Invoke Skill” and “Add to Favorites” use the page's skill too", async () => {
    await editor.run("openSkill", "json-diff");
    await editor.run("openPayload");
    assert.match(editor.document.fileName, /json-diff\.skill-input\.json$/);
    await editor.run("openSkill", "slow-report");
    await editor.run("invoke");
    assert.match(editor.document.fileName, /slow-report\.skill-input\.json$/);
    await editor.run("openSkill", "market-data");
    await editor.run("addFavorite");
    const { rows } = await editor.view("skills");
    assert.equal(rows[0]?.label, "Market data");
  });
});
