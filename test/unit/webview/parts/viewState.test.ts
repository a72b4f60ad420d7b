import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readPageState } from "../../../../src/protocol/pageMessages";
import { fullSkill } from "../../../fixtures/skillDetail";
import { openPages } from "../../../webview/openPages";
import { ready } from "../../../webview/samplePages";

type HoldingPage = typeof globalThis & { held: (() => void)[] };

/** Runs in the page: stops idle time, in which the page fills its hidden tabs. */
function holdIdleWork(): void {
  const held: (() => void)[] = [];
  Object.assign(globalThis, {
    held,
    requestIdleCallback: (work: () => void) => held.push(work),
  });
}

/** Runs in the page: gives it idle time. */
function doIdleWork(): void {
  for (const work of (globalThis as HoldingPage).held.splice(0)) work();
}

describe("opened and closed parts of a skill page", () => {
  const open = openPages();
  const kept = { slug: "csv-profile", version: "", tab: "input", scrollTop: 0 } as const;

  it("stay so while the page fills its other tabs after a response", async () => {
    const { page, show } = await open({ kept });
    await show(ready(fullSkill));
    await page.evaluate(holdIdleWork);
    await show({ ...ready(fullSkill), stale: "Old." });
    await page.getByText("Input schema", { exact: true }).click();
    const first = page.locator("#input-view .outline details").first();
    assert.equal(await first.getAttribute("open"), "");
    await first.locator("summary").first().click();
    await page.evaluate(doIdleWork);
    assert.equal(await first.getAttribute("open"), null);
  });

  it("stay so over two responses, the second before their tab is filled", async () => {
    const { page, show } = await open({ kept });
    await show(ready(fullSkill));
    await page.getByText("Input schema", { exact: true }).click();
    const first = page.locator("#input-view .outline details").first();
    await first.locator("summary").first().click();
    await page.click("#overview-tab");
    await page.evaluate(holdIdleWork);
    for (const stale of ["Old.", "Older."]) await show({ ...ready(fullSkill), stale });
    await page.click("#input-tab");
    assert.equal(await first.getAttribute("open"), null);
  });
});

describe("the state of a skill page", () => {
  const open = openPages();

  it("names the document that its form edits, until it edits none", async () => {
    const { page, show, showForm, kept } = await open({});
    const document = "file:///work/a.skill-input.json";
    const form = { form: undefined, problems: undefined, notes: [], starts: [], payload: "" };
    await show(ready(fullSkill));
    await showForm({ ...form, revision: 0, document });
    assert.equal(readPageState(await kept())?.document, document);
    await page.click("#input-tab");
    assert.equal(readPageState(await kept())?.document, document);
    await showForm({ ...form, revision: 0 });
    const state = readPageState(await kept());
    assert.deepEqual([state?.tab, state?.document], ["input", undefined]);
  });
});
