import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";

describe("An invocation that the user did not ask for", () => {
  const editor = useEditor();

  /** Runs `work`, and checks that it adds no record of an invocation. */
  async function invokesNothing(work: () => Promise<unknown>): Promise<void> {
    const before = (await recordsOf(editor)).length;
    await work();
    assert.equal((await recordsOf(editor)).length, before);
  }

  it("Does not follow when JSON without a skill is bound to one", async () => {
    const { window, workspace } = editor.vscode;
    const content = '{ "text": "Unbound." }';
    await window.showTextDocument(await workspace.openTextDocument({ language: "json", content }));
    await invokesNothing(async () => {
      const invoked = editor.run("invoke");
      await editor.press(/This JSON is not bound to a skill/, "Bind to a Skill…");
      await editor.choose("Text statistics");
      await invoked;
    });
    assert.match(await editor.checked(), /text-stats@1\.0\.0: valid/);
    assert.ok(editor.titleActions.includes("Invoke Skill"));
  });

  it("Does not follow from opening the payload of a page or a row", async () => {
    const payload = await editor.newPayload("text-stats", '{ "text": "Not yet." }');
    await editor.run("openSkill", "text-stats");
    const page = await editor.page("Text statistics");
    await page.shows("text-stats");
    await invokesNothing(async () => {
      page.send({ type: "openPayload" });
      await editor.status(/Check the payload, then press ▷/);
      assert.equal(editor.document, payload);
      for (const command of ["openPayload", "invoke"]) await editor.run(command, "text-stats");
    });
    assert.equal(payload.getText(), '{ "text": "Not yet." }');
  });
});
