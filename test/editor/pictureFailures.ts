import type { RootHookObject } from "mocha";
import { EditorWindow } from "./window";

/**
 * Mocha hooks that take a picture of the window, and of those beside it, whenever a test has failed,
 * before anything is tidied.
 */
export function pictureFailures(): RootHookObject {
  const takePicture = async (title: string) => {
    const window = new EditorWindow();
    try {
      await window.connect();
      const name = `failed-${title.replaceAll(/\W+/g, "-").slice(0, 100)}`;
      const picture = await window.picture(name);
      console.log(`      the window then: ${picture}`);
      const others = window.page.context().pages();
      for (const [index, page] of others.entries()) {
        if (page === window.page) continue;
        await page.screenshot({ path: picture.replace(".png", `-${index + 1}.png`) });
      }
    } catch (error) {
      // The test's own failure is the one to tell.
      console.log(`      no picture of the window: ${error}`);
    } finally {
      await window.disconnect();
    }
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
          await takePicture(test.fullTitle());
          throw error;
        }
      };
      // A function that names a parameter would be waited for until it calls it.
      Object.defineProperty(test.fn, "length", { value: 0 });
    },
  };
}
