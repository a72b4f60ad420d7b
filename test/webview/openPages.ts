import assert from "node:assert/strict";
import { after, afterEach, before } from "mocha";
import { type OpenOptions, type OpenPage, type PageBrowser, startPageBrowser } from "./pageBrowser";

/**
 * Gives the tests of a suite a way to open pages. They are closed after each test, which fails where
 * anything went wrong in one of them.
 */
export function openPages(): (options?: OpenOptions) => Promise<OpenPage> {
  let browser: PageBrowser;
  let opened: OpenPage[] = [];
  before(async () => {
    browser = await startPageBrowser();
  });
  after(() => browser.close());
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
    const page = await browser.open(options);
    opened.push(page);
    return page;
  };
}
