import { strict as assert } from "node:assert";
import type { ServerResponse } from "node:http";
import { after, before, describe, it } from "mocha";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { MemoryEditor } from "../memoryEditor";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";

const settings = { "skillRegistry.history.keepTexts": "always" };

describe("Two windows of one user that invoke at the same moment", () => {
  const editor = useEditor({ settings });
  let second: MemoryEditor;
  let registry: ForeignRegistry;
  let hold: ((response: ServerResponse) => void) | undefined;

  before(async () => {
    registry = await startForeignRegistry({
      dialect: "camel",
      intercept: ({ path }, response) => {
        if (path !== "/v1/runtime/invoke" || hold === undefined) return false;
        hold(response);
        return true;
      },
    });
    await editor.connectTo(registry);
    await editor.newPayload("word-tally", '{ "text": "first" }');
    const invoked = editor.run("invoke");
    await editor.press("Invoke word-tally@2.1.0?", "Invoke");
    await editor.answer(registry.projectKey);
    await invoked;
    // It has the key and the consent of the first one.
    second = new MemoryEditor({ machine: editor.parts.machine, settings });
    await second.connectTo(registry);
  });
  after(async () => {
    await second.dispose();
    await registry.close();
  });

  const posts = () => registry.requests.filter(({ path }) => path === "/v1/runtime/invoke").length;

  it("One invocation is sent where it is the same, and the other window says so", async () => {
    const held = new Promise<ServerResponse>((resolve) => {
      hold = resolve;
    });
    const before = posts();
    for (const window of [editor, second])
      await window.newPayload("word-tally", '{ "text": "held" }');
    const invoked = editor.run("invoke");
    const response = await held;
    await second.run("invoke");
    await second.notification(/is already being invoked with this payload/);
    response.end(JSON.stringify({ invocationId: "held-1", status: "success", output: 1 }));
    await invoked;
    assert.equal(posts(), before + 1);
    hold = undefined;
  });

  it("Both are sent where they differ, and both windows list all of them", async () => {
    const before = posts();
    for (const [window, text] of [
      [editor, "one two"],
      [second, "one two three"],
    ] as const) {
      await window.newPayload("word-tally", JSON.stringify({ text }));
    }
    await Promise.all([editor, second].map((window) => window.run("invoke")));
    assert.equal(posts(), before + 2);
    assert.equal((await recordsOf(editor)).length, 4);
    for (const window of [editor, second]) {
      const view = await window.view("invocations");
      await window.until(
        "four rows",
        () => view.rows.filter(({ label }) => label.startsWith("word-tally@2.1.0")).length === 4,
      );
    }
  });
});
