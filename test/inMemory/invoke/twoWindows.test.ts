import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import type { Answer } from "../../fixtures/registries/testRegistry";
import { MemoryEditor } from "../memoryEditor";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";

const settings = { "skillRegistry.history.keepTexts": "always" };

describe("Two windows of one user that invoke at the same moment", () => {
  const editor = useEditor({ settings });
  let second: MemoryEditor;
  let registry: ForeignRegistry;

  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
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

  it("Equal invocations are sent once, and the other window reports that", async () => {
    let respond: (answer: Answer) => void = () => undefined;
    const answer = new Promise<Answer>((resolve) => {
      respond = resolve;
    });
    registry.answer("/v1/runtime/invoke", () => answer);
    const before = posts();
    for (const window of [editor, second])
      await window.newPayload("word-tally", '{ "text": "held" }');
    const invoked = editor.run("invoke");
    await registry.heard(({ body }) => body.includes("held"));
    await second.run("invoke");
    await second.notification(/is already being invoked with this payload/);
    respond({ body: { invocationId: "held-1", status: "success", output: 1 } });
    await invoked;
    assert.equal(posts(), before + 1);
    registry.restore();
  });

  it("Different invocations are both sent, and both windows list them all", async () => {
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
