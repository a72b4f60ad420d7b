import { after, afterEach, before, beforeEach } from "mocha";
import { skipBecause } from "../fixtures/tools";
import { MemoryEditor } from "./memoryEditor";
import type { WindowStart } from "./memoryWindow";

/**
 * Gives the tests of a block an editor in memory, which is tidied after each test. They share it, so the first failure
 * ends the block: what later tests would report follows from it. After a failure, the screen is printed.
 */
export function useEditor(start?: WindowStart | (() => WindowStart)): MemoryEditor {
  let editor: MemoryEditor | undefined;
  let hasFailed = false;
  beforeEach(function () {
    if (hasFailed) skipBecause(this, "after a failure");
  });
  before(() => {
    editor = new MemoryEditor(typeof start === "function" ? start() : start);
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") {
      hasFailed = true;
      console.error(editor?.screen);
    }
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
