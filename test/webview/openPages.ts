import assert from "node:assert/strict";
import { after, afterEach } from "mocha";
import { type OpenOptions, type OpenPage, type PageBrowser, startPageBrowser } from "./pageBrowser";

let browser: Promise<PageBrowser> | undefined;

// Runs when all suites have ended.
after(async () => (await browser)?.close());

/**
 * Returns a function that opens pages for the tests of a suite. Pages are closed after each test, which fails if one of
 * them had a problem. All suites share one browser.
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
