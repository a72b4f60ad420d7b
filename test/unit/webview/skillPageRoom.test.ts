import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Page } from "playwright-core";
import type { JsonValue } from "../../../src/core/json/jsonValue";
import { pageTabs } from "../../../src/protocol/pageMessages";
import { fullSkill, powerfulSkill } from "../../fixtures/skillDetail";
import { openPages } from "../../webview/openPages";
import { ready } from "../../webview/samplePages";
import { withEveryText } from "../../webview/withEveryText";

describe("the layout of a skill page", () => {
  const open = openPages();

  it("needs no sideways scrolling in a column of 300 pixels, nor at double size", async () => {
    for (const width of [300, 450]) {
      const { page, show } = await open({ width });
      if (width === 450) await page.evaluate(() => document.body.style.setProperty("zoom", "2"));
      for (const skill of [fullSkill, powerfulSkill, withEveryText(fullSkill, "x".repeat(3000))]) {
        await show(ready(skill));
        for (const tab of pageTabs) {
          await page.evaluate((id) => document.getElementById(id)?.click(), `${tab}-tab`);
          assert.deepEqual(await beyondSides(page), [], `${tab} at ${width}`);
        }
      }
    }
  });

  it("leaves all but 120 pixels to the content of every tab but the overview, and keeps the price", async () => {
    for (const width of [1280, 900, 780]) {
      const { page, show } = await open({ width });
      await show(ready(fullSkill));
      for (const tab of pageTabs.filter((name) => name !== "overview")) {
        await page.locator(`#${tab}-tab`).click();
        const row = await page.locator(`#${tab}-tab`).boundingBox();
        const end = row === null ? Number.NaN : row.y + row.height;
        assert.ok(end <= 120, `${tab} at ${width}: ${end}`);
        const price = page.getByText("$0.02 per invocation").filter({ visible: true });
        assert.equal(await price.count(), 1, `${tab} at ${width}`);
      }
    }
  });

  it("shows the description once, whole", async () => {
    const { page, show } = await open({ width: 900 });
    const description = "The sentence. ".repeat(16).trim();
    await show(ready({ ...fullSkill, summary: { ...fullSkill.summary, description } }));
    assert.equal(await page.getByText(description).count(), 1);
  });

  it("stays in its column however deep a schema is", async () => {
    let inputSchema: JsonValue = { type: "string" };
    for (let depth = 0; depth < 200; depth += 1) {
      inputSchema = { type: "object", properties: { [`level${depth}`]: inputSchema } };
    }
    const kept = { slug: "csv-profile", version: "", tab: "input", scrollTop: 0 } as const;
    const { page, show } = await open({ width: 300, kept });
    await show(ready({ ...fullSkill, inputSchema }));
    await page.getByText("Input schema", { exact: true }).click();
    await page.getByRole("button", { name: "Expand all" }).click();
    assert.ok((await page.locator("#input-view details[open]").count()) > 20);
    assert.deepEqual(await beyondSides(page), []);
  });

  for (const [width, height, what] of [
    [300, 600, "a column of 300 pixels"],
    [640, 400, "a window at twice the size"],
  ] as const) {
    it(`keeps its tabs visible in ${what}, at any scroll position`, async () => {
      const { page, show } = await open({ width, height });
      const said = { description: "It reads many kinds of tables. ".repeat(100) };
      const summary = { ...fullSkill.summary, ...said, displayName: "A long name ".repeat(10) };
      await show(ready({ ...fullSkill, summary, latestVersion: "2.2.0" }));
      const tab = page.locator("#manifest-tab");
      const inSight = async () => {
        const box = await tab.boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= height;
      };
      assert.ok(await inSight(), JSON.stringify(await tab.boundingBox()));
      for (const id of ["overview", "input", "manifest"]) {
        await page.click(`#${id}-tab`);
        await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
        assert.ok(await inSight(), `${id}: ${JSON.stringify(await tab.boundingBox())}`);
        const name = await page.locator("h1").boundingBox();
        assert.ok(name !== null && name.y >= 0 && name.height < 44, JSON.stringify(name));
      }
    });
  }

  it("keeps actions and verification visible, however long the texts are", async () => {
    const { page, show } = await open({ width: 900, height: 900 });
    const summary = {
      ...fullSkill.summary,
      displayName: "Long\n".repeat(10_000),
      description: "word\n".repeat(3000),
      tags: Array<string>(500).fill("tag".repeat(100)),
    };
    await show(ready({ ...fullSkill, summary }));
    const trust = await page.locator(".trust").boundingBox();
    assert.ok(trust !== null && trust.y + trust.height < 500, JSON.stringify(trust));
    const rest = page.getByText("The rest of the description");
    await rest.focus();
    await page.keyboard.press("Enter");
    assert.ok(((await page.locator("details .prose").innerText()) ?? "").length > 10_000);
  });
});

async function beyondSides(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { left, right } = document.body.getBoundingClientRect();
    return [...document.querySelectorAll("main *")]
      .filter((each) => {
        const box = each.getBoundingClientRect();
        return box.width > 0 && (box.right > right + 1 || box.left < left - 1);
      })
      .map((each) => each.outerHTML.slice(0, 200));
  });
}
