import { strict as assert } from "node:assert";
import { after, describe, it } from "mocha";
import { type ForeignRegistry, startForeignRegistry } from "../fixtures/registries/foreignRegistry";
import { useEditor } from "./useEditor";

/** Unescaped, the editor would show the first as a link and the second as an icon. */
const link = "[press](command:workbench.action.quit)";
const icon = "$(flame)";

describe("A registry's text", () => {
  const editor = useEditor();
  let registry: ForeignRegistry | undefined;
  after(() => registry?.close());
  const noticeWith = (words: string) =>
    editor.until(`a message with ${words}`, () =>
      editor.parts.notices.find(({ text }) => text.includes(words)),
    );

  it("is no link in the detail of a dialog", async () => {
    await editor.run("openSkill", "text-stats");
    const page = await editor.page("Text statistics");
    await editor.until("the skill", () => page.shown?.kind === "ready");
    page.send({ type: "openLink", url: `https://evil.example/${link}` });
    const dialog = await noticeWith("evil.example");
    assert.ok(!dialog.text.includes("]("), dialog.text);
    dialog.close();
  });

  it("is no link in a notification, and no icon in the status bar or in a pickable row", async () => {
    const error = { code: "skill_failed", message: `Broken ${link} ${icon}` };
    registry = await startForeignRegistry(
      { dialect: "camel" },
      { "/v1/runtime/invoke": { body: { status: "error", invocationId: `i ${icon}`, error } } },
    );
    await editor.connectTo(registry);
    await editor.newPayload("word-tally", '{ "text": "a" }');
    const invoking = editor.run("invoke");
    await editor.press("Invoke word-tally@2.1.0?", "Invoke");
    await editor.answer(registry.projectKey);
    await invoking;
    const notice = await noticeWith("Broken");
    assert.ok(!notice.text.includes("]("), notice.text);
    const status = await editor.status(/word-tally: .*error/);
    assert.ok(!`${status}`.includes(icon));
    const choosing = editor.run("rerunInvocation");
    const pick = await editor.pick("word-tally");
    assert.ok(pick.text.includes("flame") && !pick.text.includes(icon), pick.text);
    pick.leave();
    await choosing;
  });
});
