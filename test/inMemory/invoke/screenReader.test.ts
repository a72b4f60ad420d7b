import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { useEditor } from "../useEditor";

describe("A finished invocation", () => {
  const editor = useEditor();
  const invoke = async (text: string) => {
    await editor.newPayload("text-stats", JSON.stringify({ text }));
    await editor.run("invoke");
    await editor.status(/text-stats: success/);
    return editor.parts.notices.map((notice) => notice.text);
  };

  it("It is announced to a screen reader, and otherwise only shown in the status bar", async () => {
    assert.deepEqual(await invoke("One."), []);
    editor.set("editor.accessibilitySupport", "on");
    const [announced, ...others] = await invoke("Two.");
    assert.match(announced ?? "", /^text-stats: success, /);
    assert.deepEqual(others, []);
  });
});
