import type { RootHookObject } from "mocha";
import { connectWindow, type EditorWindow } from "./window";

/** Mocha hooks that take a picture of the window whenever a test has failed, before anything is tidied. */
export function pictureFailures(): RootHookObject {
  let window: EditorWindow | undefined;
  const picture = async (title: string) => {
    window ??= await connectWindow();
    const name = title.replaceAll(/\W+/g, "-").slice(0, 100);
    console.log(`      the window then: ${await window.picture(`failed-${name}`)}`);
  };
  return {
    beforeEach(this: Mocha.Context) {
      const test = this.currentTest;
      const run = test?.fn as ((this: Mocha.Context, done: Mocha.Done) => unknown) | undefined;
      if (test === undefined || run === undefined) return;
      test.fn = async function (done) {
        try {
          await run.call(this, done);
        } catch (error) {
          await picture(test.fullTitle());
          throw error;
        }
      };
      // A function that names a parameter would be waited for until it calls it.
      Object.defineProperty(test.fn, "length", { value: 0 });
    },
    async afterAll() {
      await window?.disconnect();
    },
  };
}
