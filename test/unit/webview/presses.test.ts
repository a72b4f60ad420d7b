import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Page } from "playwright-core";
import { localDay } from "../../../src/core/text/dates";
import { fullSkill } from "../../fixtures/skillDetail";
import { usageRecords } from "../../fixtures/usageRecords";
import { openPages } from "../../webview/openPages";
import { ready } from "../../webview/samplePages";

const newer = { ...ready(fullSkill), stale: "Old." };

/** Starts counting how often the page redraws the content of `parent`. */
async function countDrawings(page: Page, parent: string): Promise<() => Promise<unknown>> {
  await page.locator(parent).evaluate((drawn) => {
    const counter = window as unknown as { drawings: number };
    counter.drawings = 0;
    new MutationObserver((all) => {
      counter.drawings += all.length;
    }).observe(drawn, { childList: true });
  });
  return () => page.evaluate("drawings");
}

describe("a press on a page", () => {
  const open = openPages();

  it("of the pointer is a click despite responses before it ends; the last one is shown afterwards", async () => {
    const { page, show, sent } = await open();
    await show(ready(fullSkill));
    await page.focus("#copyAs");
    await page.hover("#open-payload");
    await page.mouse.down();
    const drawings = await countDrawings(page, ".notices");
    for (const stale of ["Older.", newer.stale]) await show({ ...newer, stale });
    assert.equal(await page.locator(".stale").count(), 0);
    await page.mouse.up();
    assert.deepEqual(await sent(), [{ type: "openPayload" }]);
    await page.getByText(newer.stale, { exact: true }).waitFor();
    assert.equal(await drawings(), 1);
  });

  it("of the space bar is a click despite a response before it ends, which is shown afterwards", async () => {
    const { page, show, sent } = await open();
    await show(ready(fullSkill));
    await page.focus("#open-payload");
    await page.keyboard.down("Space");
    await show(newer);
    await page.keyboard.up("Space");
    assert.deepEqual(await sent(), [{ type: "openPayload" }]);
    await page.locator(".stale").waitFor();
  });

  it("delays nothing once the pointer moves without a pressed button, nor if it opens a list or scrolls", async () => {
    const { page, show } = await open({
      kept: { slug: "csv-profile", version: "", tab: "versions", scrollTop: 0 },
    });
    await show(ready(fullSkill));
    const press = (selector: string) => page.dispatchEvent(selector, "pointerdown");
    for (const selector of ["#version-before", "html"]) await press(selector);
    await show(newer);
    await page.locator(".stale").waitFor();
    await press("#open-payload");
    await show(ready(fullSkill));
    assert.equal(await page.locator(".stale").count(), 1);
    await page.hover("h1");
    await page.locator(".stale").waitFor({ state: "detached" });
  });

  it("of a tab or a disclosure is a click despite a response before it ends", async () => {
    const { page, show } = await open();
    await show(ready(fullSkill));
    const stale = page.locator(".stale");
    await page.hover("#input-tab");
    await page.mouse.down();
    await show(newer);
    assert.equal(await stale.count(), 0);
    await page.mouse.up();
    await stale.waitFor();
    await page.getByText("Input schema", { exact: true }).click();
    const part = page.locator("#input-view .outline details").first();
    assert.equal(await part.getAttribute("open"), "");
    await part.locator("summary").first().hover();
    await page.mouse.down();
    await show(ready(fullSkill));
    assert.equal(await stale.count(), 1);
    await page.mouse.up();
    await stale.waitFor({ state: "detached" });
    assert.equal(await part.getAttribute("open"), null);
  });

  it("delays nothing after it became a scroll, or the window lost the focus", async () => {
    const { page, show } = await open();
    await show(newer);
    for (const end of ["pointercancel", "blur"]) {
      await page.dispatchEvent("#open-payload", "pointerdown");
      await show({ ...newer, stale: end });
      const shown = page.getByText(end, { exact: true });
      assert.equal(await shown.count(), 0);
      await page.evaluate((type) => window.dispatchEvent(new Event(type)), end);
      await shown.waitFor();
    }
  });

  it("delays nothing if a click does nothing, or for another button", async () => {
    const { page, show } = await open();
    await show(ready(fullSkill));
    const press = (selector: string, init = {}) =>
      page.dispatchEvent(selector, "pointerdown", init);
    const stale = page.locator(".stale");
    await page.hover("h1");
    await page.focus("#open-payload");
    await page.keyboard.down("Space");
    await show(newer);
    assert.equal(await stale.count(), 0);
    await page.mouse.down();
    await stale.waitFor();
    // Two fingers.
    await press("#open-payload");
    await show(ready(fullSkill));
    assert.equal(await stale.count(), 1);
    await press("h1", { isPrimary: false });
    await stale.waitFor({ state: "detached" });
    await press("#open-payload", { button: 2 });
    await show(newer);
    assert.equal(await stale.count(), 1);
  });

  it("is a click on a chart despite changes of the record; only the last one is drawn afterwards", async () => {
    const { page, showUsage, sent } = await open({ isUsage: true });
    const now = Date.parse("2026-11-20T12:00:00Z");
    const head = { today: localDay(now), dailyLimitCents: 0 };
    // If drawings take no time, the page does not pause between them.
    await page.evaluate(() => {
      performance.now = () => 0;
    });
    await showUsage(usageRecords(60, now), head);
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("button", { name: "Copy Table: Outcomes by day" }).hover();
    await page.mouse.down();
    const drawings = await countDrawings(page, "#page > .usage > .usage");
    const changes: Promise<unknown>[] = [];
    for (const count of [61, 62, 63]) {
      changes.push(showUsage(usageRecords(count, now), head));
      await page.waitForFunction(() => (window as unknown as { hasSentAll: boolean }).hasSentAll);
    }
    await page.mouse.up();
    await page.getByText("of 63 invocations").waitFor();
    await Promise.all(changes);
    const [copied, ...others] = (await sent()) as { type: string }[];
    assert.deepEqual([copied?.type, others.length], ["copyTable", 0]);
    assert.equal(await drawings(), 1);
  });
});
