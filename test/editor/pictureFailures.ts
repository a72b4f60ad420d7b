import type { RootHookObject } from "mocha";
import { connectWindow, type EditorWindow } from "./window";

/** Mocha hooks that take a picture of the window whenever a test has failed. */
export function pictureFailures(): RootHookObject {
  let window: EditorWindow | undefined;
  return {
    async afterEach(this: Mocha.Context) {
      const test = this.currentTest;
      if (test?.state !== "failed") return;
      window ??= await connectWindow();
      const name = test.fullTitle().replaceAll(/\W+/g, "-").slice(0, 100);
      console.log(`      the window then: ${await window.picture(`failed-${name}`)}`);
    },
    async afterAll() {
      await window?.disconnect();
    },
  };
}
