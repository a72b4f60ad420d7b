import { after, afterEach, before, beforeEach } from "mocha";
import { EditorWindow } from "./window";

/**
 * Gives the tests of a block their window. Each test starts with a clean window, and so does the next block. If the
 * tests are `steps`, each one continues where the previous one ended, and is skipped after a failure. `showsOutput`
 * shows the output channel, for tests that read it. Call it first in `describe`, so that its hooks run first.
 */
export function useWindow({ steps = false, showsOutput = false } = {}): EditorWindow {
  const window = new EditorWindow();
  window.showsOutput = showsOutput;
  let failed: string | undefined;
  before(async () => {
    await window.connect();
    await window.tidy();
  });
  beforeEach(async function () {
    if (!steps) return window.tidy();
    if (failed === undefined) return;
    console.log(`      not tried because “${failed}” failed: ${this.currentTest?.title}`);
    this.skip();
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") failed ??= this.currentTest.title;
  });
  after(async () => {
    window.showsOutput = false;
    try {
      // The tests' own cleanup runs even if the window could not be cleaned, since the next block needs it.
      await window.tidy().finally(() => window.end());
      await window.tidy();
    } finally {
      await window.disconnect();
    }
  });
  return window;
}
