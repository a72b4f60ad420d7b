import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { type PageState, readPageState } from "../../../src/protocol/pageMessages";
import { fullSkill, powerfulSkill } from "../../fixtures/skillDetail";
import { openPages } from "../../webview/openPages";
import { driftedReview, ready } from "../../webview/samplePages";
import { keptState } from "./skillPages";

/**
 * Runs in the page: scrolls. The browser reports that at once, and again before the next frame, which is after the page
 * counts as at rest.
 */
function scrollAndDrawLate(): void {
  const tell = () => window.dispatchEvent(new Event("scroll"));
  window.requestAnimationFrame = (draw) => {
    queueMicrotask(tell);
    return window.setTimeout(draw, 300);
  };
  window.scrollTo(0, 70);
  tell();
}

describe("the skill page", () => {
  const open = openPages();

  it("opens in its last state, and keeps its position after a new response", async () => {
    const { page, show, kept } = await open({
      kept: { ...keptState, version: "2.0.0", tab: "output", scrollTop: 120 },
      height: 300,
    });
    await show(ready(fullSkill));
    await page.locator("#output-view").waitFor();
    await page.waitForFunction(() => window.scrollY === 120);
    const first = page.locator("#output-view .outline details").first();
    await first.locator("summary").first().click();
    await page.focus("#output-tab");
    const changed = { ...fullSkill, summary: { ...fullSkill.summary, displayName: "Changed" } };
    await show(ready(changed));
    assert.equal(await page.locator("h1").textContent(), "Changed");
    await page.locator("#output-view").waitFor();
    assert.equal(await page.evaluate("document.activeElement.id"), "output-tab");
    assert.equal(await first.getAttribute("open"), null);
    await page.click("#versions-tab");
    await page.getByRole("button", { name: "Show version 1.4.2" }).click();
    await show({ ...ready(changed), chosenVersion: "1.4.2" });
    const state = readPageState(await kept());
    assert.deepEqual(
      [state?.slug, state?.version, state?.tab],
      ["csv-profile", "1.4.2", "versions"],
    );
    await show(ready(powerfulSkill));
    await page.locator("#overview-view").waitFor();
  });

  it("fills its tabs and keeps its position in a browser without idle callbacks and scrollend", async () => {
    const { page, show } = await open({ likeSafari: true, height: 300 });
    await show(ready(fullSkill));
    await page.locator("#manifest-view > *").first().waitFor({ state: "attached" });
    await page.evaluate("window.scrollTo(0, 90)");
    await page.waitForFunction(() => window.scrollY === 90);
    await page.waitForFunction(() => {
      return (window as { readonly keptState?: PageState }).keptState?.scrollTop === 90;
    });
  });

  it("shows another tab from its start, below the visible tabs", async () => {
    const { page, show } = await open({ height: 400 });
    await show(ready(fullSkill));
    await page.click("#input-tab");
    await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
    await page.click("#output-tab");
    const [tab, view] = await Promise.all(
      ["#output-tab", "#output-view"].map((id) => page.locator(id).boundingBox()),
    );
    assert.ok(
      tab && view && view.y >= tab.y + tab.height - 1 && view.y < 400,
      JSON.stringify([tab, view]),
    );
  });

  it("starts another version at its top with a note that it is old, in the same tab, even while scrolling", async () => {
    const { page, show, kept } = await open({
      kept: { ...keptState, tab: "versions", scrollTop: 60 },
      height: 300,
    });
    await show(ready(fullSkill));
    await page.waitForFunction(() => window.scrollY === 60);
    await page.evaluate(scrollAndDrawLate);
    const older = { ...fullSkill, summary: { ...fullSkill.summary, version: "1.4.2" } };
    await show({ ...ready(older), chosenVersion: "1.4.2" });
    await page.waitForFunction(() => window.scrollY === 0);
    assert.equal(readPageState(await kept())?.tab, "versions");
  });

  it("stays where the reader has scrolled when a response arrives", async () => {
    const { page, show } = await open({ height: 300 });
    await show(ready(fullSkill));
    await page.evaluate("window.scrollTo(0, 90)");
    await page.waitForFunction(() => window.scrollY === 90);
    await page.evaluate("window.dispatchEvent(new Event('scroll'))");
    const topOf = (id: string) =>
      page.locator(id).evaluate((part) => part.getBoundingClientRect().top);
    const before = await topOf("#permissions");
    // The text that is being read does not move when a note appears above it.
    await show({ ...ready(fullSkill), stale: "Old." });
    assert.equal(await topOf("#permissions"), before);
  });

  it("scrolls to its position once its content is long enough", async () => {
    const kept = { ...keptState, tab: "manifest", scrollTop: 400 } as const;
    const { page, show } = await open({ kept, height: 300 });
    const withLines = (count: number) => {
      const lines = Array.from({ length: count }, (_, line) => `"${line}"`).join(",\n");
      const shown = ready(fullSkill);
      return { ...shown, skill: { ...shown.skill, manifest: { text: lines, whole: true } } };
    };
    await show(withLines(2));
    const reached = await page.evaluate("window.scrollY");
    assert.ok(Number(reached) > 0 && Number(reached) < 400, String(reached));
    await page.evaluate("window.dispatchEvent(new Event('scroll'))");
    await show(withLines(90));
    assert.equal(await page.evaluate("window.scrollY"), 400);
  });

  it("takes no focus when responses arrive, and has its position when it is used again", async () => {
    const { page, show } = await open();
    const shown = { ...ready(fullSkill), review: driftedReview };
    await show(shown);
    const focused = () => page.evaluate("document.activeElement.id");
    await page.focus("#reviewSkill");
    // As in the editor while a picker is open.
    await page.evaluate("document.hasFocus = () => false");
    for (const line of ["Older.", "Newer."]) {
      await show({ ...shown, review: { ...driftedReview, lines: [line] } });
    }
    assert.equal(await focused(), "");
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    assert.equal(await focused(), "reviewSkill");
  });
});
