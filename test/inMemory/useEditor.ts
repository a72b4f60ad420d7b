import { after, afterEach, before } from "mocha";
import { MemoryEditor } from "./memoryEditor";
import type { WindowStart } from "./memoryWindow";

/**
 * Gives the tests of a block an editor in memory, which is tidied after each test. After a failure, the screen is
 * printed.
 */
export function useEditor(start?: WindowStart | (() => WindowStart)): MemoryEditor {
  let editor: MemoryEditor | undefined;
  before(() => {
    editor = new MemoryEditor(typeof start === "function" ? start() : start);
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.error(editor?.screen);
    return editor?.tidy();
  });
  after(() => editor?.dispose());
  const current = () => {
    if (editor === undefined) throw new Error("The editor starts with the first test.");
    return editor;
  };
  return new Proxy({} as MemoryEditor, {
    get: (_, key) => {
      const value = Reflect.get(current(), key, current());
      return typeof value === "function" ? value.bind(current()) : value;
    },
  });
}
