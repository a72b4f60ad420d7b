import assert from "node:assert/strict";
import { after, afterEach } from "mocha";
import { type OpenOptions, type OpenPage, type PageBrowser, startPageBrowser } from "./pageBrowser";

let browser: Promise<PageBrowser> | undefined;

// When all suites have ended.
after(async () => (await browser)?.close());

/**
 * Gives the tests of a suite a way to open pages. They are closed after each test, which fails where
 * anything went wrong in one of them. All suites share one browser.
 */
export function openPages(): (options?: OpenOptions) => Promise<OpenPage> {
  let opened: OpenPage[] = [];
  afterEach(async () => {
    const pages = opened;
    opened = [];
    await Promise.all(pages.map((page) => page.close()));
    assert.deepEqual(
      pages.flatMap(({ problems }) => problems),
      [],
    );
  });
  return async (options) => {
    browser ??= startPageBrowser();
    const page = await (await browser).open(options);
    opened.push(page);
    return page;
  };
}
