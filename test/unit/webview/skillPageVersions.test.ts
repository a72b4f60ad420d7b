import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readSchema } from "../../../src/core/schema/read/readSchema";
import { schemaOutline } from "../../../src/core/schema/schemaOutline";
import { english } from "../../../src/core/text/language";
import { fullSkill } from "../../fixtures/skillDetail";
import { openPages } from "../../webview/openPages";
import { compared, ready } from "../../webview/samplePages";
import { keptState } from "./skillPages";

describe("the skill page", () => {
  const open = openPages();

  it("requests the two newest versions when the tab is chosen, and others on request", async () => {
    const { page, show, sent } = await open();
    await show(ready(fullSkill));
    assert.deepEqual(await sent(), []);
    await page.click("#versions-tab");
    const first = { type: "compareVersions", before: "2.0.0", after: "2.1.0" };
    await page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length === 1);
    assert.deepEqual((await sent()).at(-1), first);
    await show({ ...ready(fullSkill), compared });
    await page.selectOption("#version-before", "1.4.2");
    assert.deepEqual((await sent()).slice(1), [{ ...first, before: "1.4.2" }]);
  });

  it("compares the versions chosen in both lists, even before the first response", async () => {
    const { page, show, sent } = await open({ kept: { ...keptState, tab: "versions" } });
    await show({ ...ready(fullSkill), compared });
    await page.selectOption("#version-before", "1.4.2");
    await page.selectOption("#version-after", "2.0.0");
    const both = { before: "1.4.2", after: "2.0.0" };
    assert.deepEqual((await sent()).at(-1), { type: "compareVersions", ...both });
    await page.click("#diff-manifests");
    assert.deepEqual((await sent()).at(-1), { type: "diffManifests", ...both });
  });

  it("requests the outline of a schema once its tab is chosen, and marks generated examples", async () => {
    const { page, show, sent } = await open();
    const shown = { ...ready({ ...fullSkill, examples: [] }), schemas: {} };
    await show(shown);
    assert.deepEqual(await sent(), []);
    await page.click("#output-tab");
    await page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length === 1);
    assert.deepEqual((await sent()).at(-1), { type: "viewSchema", side: "output" });
    const json = { text: '{"rows":0}', whole: true };
    assert.equal(await page.locator("#output-outline [role=status]").innerText(), "Loading…");
    await show({
      ...shown,
      schemas: { output: { outline: undefined, sample: { json, fits: true } } },
    });
    assert.match(await page.locator("#output-outline").innerText(), /could not be outlined/);
    const example = page.locator("#output-example");
    assert.match(await example.innerText(), /Made from the schema\.\s*\{"rows":0\}/);
    const outline = schemaOutline(readSchema({ type: "object" }), english);
    await show({ ...shown, schemas: { output: { outline, sample: { json, fits: false } } } });
    assert.match(await page.locator("#output-outline").innerText(), /object/);
    assert.match(await example.innerText(), /may not fit/);
    assert.equal((await sent()).length, 1);
    await show(ready(fullSkill));
    assert.doesNotMatch(await example.innerText(), /Made/);
    assert.equal((await sent()).length, 1);
  });

  it("describes changes in words, with marks beyond color", async () => {
    const { page, show, sent } = await open({ kept: { ...keptState, tab: "versions" } });
    await show({ ...ready(fullSkill), compared });
    const changes = await page.locator("#changes-inputSchema .change").allInnerTexts();
    assert.deepEqual(
      changes.map((text) => text.replaceAll(/\s+/g, " ").trim()),
      ["breaking limit 1,000 or less (was: 100,000 or less)", "safe sheet new, optional: string"],
    );
    assert.equal(await page.locator("#changes-inputSchema svg.icon-tightened").count(), 1);
    // The texts stay aligned if a language has a longer word for an impact.
    const words = page.locator("#changes-inputSchema .change > :last-child");
    await page
      .locator("#changes-inputSchema .impact")
      .first()
      .evaluate((one) => {
        one.textContent = "in many more words";
      });
    const starts = await words.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().left),
    );
    assert.equal(new Set(starts).size, 1, starts.join());
    await show({
      ...ready(fullSkill),
      compared: { kind: "failed", before: "2.0.0", after: "2.1.0", message: "Not there." },
    });
    await page.getByText("Not there.").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    const again = { type: "compareVersions", before: "2.0.0", after: "2.1.0" };
    assert.deepEqual((await sent()).at(-1), again);
  });
});
