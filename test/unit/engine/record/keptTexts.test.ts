import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { KeptTexts } from "../../../../src/engine/record/keptTexts";
import { pastInvocation } from "../../../fixtures/pastInvocation";

describe("the words of an invocation's texts in a row", () => {
  const ended = pastInvocation(1, { status: "success" });
  const read: (number | undefined)[] = [];
  const history = {
    texts: async (_id: string, most?: number) => {
      read.push(most);
      return { inputText: '{"text":"Hello"}', outputText: '{"words":1}' };
    },
  };

  it("come from the beginning of each text, are cached once it has ended, and are redacted at each reading", async () => {
    let key = "none";
    const texts = new KeptTexts(history, (text) => text.replaceAll(key, "…"));
    assert.deepEqual(await texts.preview(ended), { words: "Hello → 1", hasOutput: true });
    await texts.preview(ended);
    assert.deepEqual(read, [100_000]);
    await texts.preview({ ...ended, status: "running", id: "other" });
    await texts.preview({ ...ended, status: "running", id: "other" });
    assert.deepEqual(read, [100_000, 100_000, 100_000]);
    key = "Hello";
    assert.equal((await texts.read(ended)).words, "… → 1");
  });
});
