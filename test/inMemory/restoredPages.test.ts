import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { pageIds } from "../../src/host/ids";
import { MemoryEditor } from "./memoryEditor";
import type { WindowStart } from "./memoryWindow";

describe("A page of the last window", () => {
  const inEditor = async (start: WindowStart, work: (editor: MemoryEditor) => void) => {
    const editor = new MemoryEditor(start);
    work(editor);
    await editor.dispose();
  };
  const waiting = ({ parts }: MemoryEditor) => [...parts.serializers.keys()].sort();
  const all = Object.values(pageIds).sort();
  const pages = [pageIds.skillPage];

  it("finds its serializer if its tab exists before the extension starts", () =>
    inEditor({ pages }, (editor) => assert.deepEqual(waiting(editor), all)));

  it("finds its serializer if the extension learns of its tab later", () =>
    inEditor({ pages, tabsComeLate: true }, (editor) => {
      assert.deepEqual(waiting(editor), []);
      editor.parts.tabs.learn();
      assert.deepEqual(waiting(editor), all);
    }));

  it("finds its serializer if its tab is opened again", () =>
    inEditor({}, (editor) => {
      // A window without pages does no work for them.
      assert.deepEqual(waiting(editor), []);
      editor.parts.tabs.openPanel(pageIds.usagePage, "Usage", 1);
      assert.deepEqual(waiting(editor), all);
    }));
});
