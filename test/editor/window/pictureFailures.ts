import type { RootHookObject } from "mocha";
import * as vscode from "vscode";
import { EditorWindow } from "./window";

/**
 * Returns Mocha hooks that, after a failed test and before cleanup, take pictures of all windows and add the text on
 * the screen to the failure. So the list of failures alone shows the cause.
 */
export function pictureFailures(): RootHookObject {
  const takePicture = async (title: string, error: unknown) => {
    const window = new EditorWindow();
    try {
      await window.connect();
      const name = `failed-${title.replaceAll(/\W+/g, "-").slice(0, 100)}`;
      const picture = await window.picture(name);
      console.log(`      the window then: ${picture}`);
      if (error instanceof Error) error.message = await withScreen(error.message, window);
      const others = window.page.context().pages();
      for (const [index, page] of others.entries()) {
        if (page === window.page) continue;
        await page.screenshot({ path: picture.replace(".png", `-${index + 1}.png`) });
      }
    } catch (failure) {
      // The test's own failure matters more than one of taking the picture.
      console.log(`      no picture of the window: ${failure}`);
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
          await takePicture(test.fullTitle(), error);
          throw error;
        }
      };
      // Mocha would wait for a function with a parameter to call it.
      Object.defineProperty(test.fn, "length", { value: 0 });
    },
  };
}

/** Adds what the window shows after the first line of a message. */
async function withScreen(message: string, { page }: EditorWindow): Promise<string> {
  const groups = vscode.window.tabGroups.all.map(({ tabs }) =>
    tabs.map(
      ({ label, isActive, isDirty }) => `${isActive ? ">" : ""}${label}${isDirty ? "*" : ""}`,
    ),
  );
  const shown = vscode.window.visibleTextEditors.map(
    ({ document, viewColumn }) =>
      `${viewColumn ?? "–"} ${document.uri.scheme}:${document.uri.path}`,
  );
  const onTop = page.locator(
    ".notification-list-item-message, .monaco-dialog-message, .quick-input-widget:visible, .monaco-menu:visible",
  );
  const texts = (await onTop.allInnerTexts()).map((text) =>
    text.replaceAll(/\s+/g, " ").slice(0, 200),
  );
  const focus = await page.evaluate(() => {
    const { tagName, className, ariaLabel } = document.activeElement ?? {};
    return `${tagName} ${className} ${ariaLabel}`.slice(0, 200);
  });
  const screen = JSON.stringify({ groups, shown, texts, focus });
  const [first = "", ...rest] = message.split("\n");
  return [`${first} ${screen}`, ...rest].join("\n");
}
