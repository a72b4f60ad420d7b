import { after, afterEach, before, beforeEach } from "mocha";
import { EditorWindow } from "./window";

/**
 * Gives the tests of a block the window they run in. Each starts without what another left open, and so
 * does what comes after them. Where the tests are `steps`, each starts where the one before ended instead,
 * and what comes after one that failed is skipped. `showsOutput` is for
 * tests that read the output channel: it is shown. Called first in `describe`, so that its hooks are.
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
      // What the tests arranged is undone where the window could not be tidied as well: the next block needs it.
      await window.tidy().finally(() => window.end());
      await window.tidy();
    } finally {
      await window.disconnect();
    }
  });
  return window;
}
