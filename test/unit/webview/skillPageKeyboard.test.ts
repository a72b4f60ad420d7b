import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { pageTabs } from "../../../src/protocol/pageMessages";
import { fullSkill } from "../../fixtures/skillDetail";
import { focusable, nameOfFocused, namesInPage } from "../../webview/focusOrder";
import { openPages } from "../../webview/openPages";
import { compared, ready } from "../../webview/samplePages";
import { failed, keptState, tabTo } from "./skillPages";

describe("the skill page", () => {
  const open = openPages();

  it("can be used by keyboard alone, in reading order", async () => {
    const { page, show, sent } = await open();
    await show(ready(fullSkill));
    const reached: string[] = [];
    for (let i = 0; i < 5; i += 1) reached.push(await tabTo(page));
    const buttons = ["Try It", "Open Payload", "Copy As…", "Compare with…"];
    assert.deepEqual(reached, ["by Tabular Tools", ...buttons]);
    await page.keyboard.press("Enter");
    assert.deepEqual((await sent()).at(-1), { type: "runCommand", command: "compareSkills" });
    assert.equal(await tabTo(page), "Overview");
    await page.keyboard.press("ArrowRight");
    await page.locator("#input-view").waitFor();
    assert.equal(await tabTo(page), "Input schema");
    await page.keyboard.press("Enter");
    assert.equal(await tabTo(page), "Expand all");
    await page.keyboard.press("Space");
    assert.equal(await page.locator("#input-view details:not([open])").count(), 0);
    assert.equal(await tabTo(page), "Collapse all");
    assert.match(await tabTo(page), /^Inside columns/);
    await page.keyboard.press("Enter");
    assert.equal(
      await page.locator("#input-view .outline details").first().getAttribute("open"),
      null,
    );
  });

  it("reaches everything in every tab by Tab in reading order, and back", async () => {
    const { page, show } = await open();
    await show({ ...ready(fullSkill), compared });
    for (const tab of pageTabs) {
      await page.click(`#${tab}-tab`);
      await page.locator(`#${tab}-view`).waitFor();
      const start = await page.evaluate(nameOfFocused);
      const all = await page.locator("html").evaluate(namesInPage, focusable);
      const inTab = all.slice(all.indexOf(start) + 1);
      assert.ok(all.includes(start), `${start} is among ${all}`);
      const reached: string[] = [];
      for (const _ of inTab) {
        await page.keyboard.press("Tab");
        reached.push(await page.evaluate(nameOfFocused));
      }
      assert.deepEqual(reached, inTab, tab);
      for (const _ of inTab) await page.keyboard.press("Shift+Tab");
      assert.equal(await page.evaluate(nameOfFocused), start);
    }
  });

  it("returns the focus to its element, or to its tab, after a response", async () => {
    const { page, show } = await open({ kept: { ...keptState, tab: "versions" } });
    await show(ready(fullSkill));
    const focusedLabel = () => page.evaluate("document.activeElement.ariaLabel");
    await page.getByRole("button", { name: "Show version 1.4.2" }).focus();
    await show({ ...ready(fullSkill), stale: "Old." });
    assert.equal(await focusedLabel(), "Show version 1.4.2");
    const versions = fullSkill.versions.slice(0, 2);
    await show(ready({ ...fullSkill, versions }));
    assert.equal(await page.evaluate("document.activeElement.id"), "versions-tab");
    await show({ ...ready(fullSkill), compared });
    assert.equal(await page.evaluate("document.activeElement.id"), "versions-tab");
    await show(failed);
    await show(ready(fullSkill));
    assert.equal(await page.evaluate("document.activeElement === document.body"), true);
  });
});
