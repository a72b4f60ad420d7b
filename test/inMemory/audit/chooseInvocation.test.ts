import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { newRecordId } from "../../../src/core/invocation/record/invocationRecord";
import { keepRecords } from "../../fixtures/machineStore";
import { pastInvocation } from "../../fixtures/pastInvocation";
import { askStore } from "../records";
import { useEditor } from "../useEditor";

describe("The list of invocations for a command", () => {
  const editor = useEditor();

  it("It shows the inputs of the newest thirty, also of large ones", async () => {
    const startedAt = editor.clock.now();
    for (let index = 0; index < 35; index += 1) {
      const inputText = JSON.stringify({
        text: `Text ${index}.`.padEnd(index === 33 ? 300_000 : 0),
      });
      const record = pastInvocation(startedAt + index, {
        id: newRecordId(startedAt + index, "0a1b2c3d-4e5f"),
        endsBefore: startedAt + 1000,
        registry: "built-in",
        skillSlug: "text-stats",
        version: "1.0.0",
        status: "success",
        durationMs: 5,
      });
      await askStore(editor, (store) => keepRecords(store, [record], { inputText }));
    }
    const opening = editor.run("openInvocation");
    const { items } = await editor.pick("text-stats@");
    const texts = items.map(({ detail }) => /Text (\d+)\./.exec(String(detail))?.[1]);
    assert.deepEqual(texts.slice(0, 3), ["34", "33", "32"]);
    // A machine that is busy reads fewer in time.
    const last = texts.findLastIndex((text) => text !== undefined);
    assert.ok(last < 30, `the ${last + 1}th is told`);
    await editor.leave();
    await opening;
  });
});
