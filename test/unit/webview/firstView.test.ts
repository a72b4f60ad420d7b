import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { revealHidden } from "../../../src/core/text/plainText";
import type { SkillPage, SkillPageSnapshot } from "../../../src/protocol/pageMessages";
import { bareSkill, fullSkill, powerfulSkill } from "../../fixtures/skillDetail";
import { hostileTexts } from "../../webview/hostileTexts";
import { looksOf } from "../../webview/looksOf";
import { openPages } from "../../webview/openPages";
import { driftedReview, ready } from "../../webview/samplePages";
import { withEveryText } from "../../webview/withEveryText";

const english = {};

describe("what a page shows first", () => {
  const open = openPages();

  it("is the name and the trust line of a skill that is known, without any late script", async () => {
    const { page } = await open({ first: snapshot(ready(fullSkill)), scripts: [] });
    const { displayName } = ready(fullSkill).skill;
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), displayName);
    await page.locator(".trust").waitFor();
    await page.locator("#open-payload").waitFor();
  });

  it("stays where it is, as it looks, when the page's scripts have run", async () => {
    const needsKey = { ...ready(fullSkill).run, needsKey: true, code: "invalid_token" };
    const withKeyAsked = { ...ready(fullSkill), run: needsKey };
    const drifted = { ...ready(powerfulSkill), review: driftedReview };
    for (const shown of [withKeyAsked, drifted, ready(bareSkill)]) {
      for (const width of [900, 300]) {
        const before = await open({ first: snapshot(shown), width, scripts: [] });
        const after = await open({ width });
        await after.show(shown);
        const looks = await looksOf(
          before.page,
          "main :is(.name-line, .head, .trust), main :is(.name-line, .head, .trust) *",
        );
        assert.ok(looks.length > 12);
        assert.deepEqual(
          await looksOf(
            after.page,
            "main :is(.name-line, .head, .trust), main :is(.name-line, .head, .trust) *",
          ),
          looks,
        );
      }
    }
  });

  it("speaks the reader's language", async () => {
    const words = { "Open Payload": "Payload öffnen", "by {name}": "von {name}" };
    const { page } = await open({ first: snapshot(ready(fullSkill), words), scripts: [] });
    assert.equal(await page.locator("#open-payload").textContent(), "Payload öffnen");
    assert.match((await page.locator(".by").textContent()) ?? "", /^von /);
  });

  it("shows every text of a hostile registry as it is, and runs none of it", async () => {
    for (const text of hostileTexts) {
      const shown = ready(withEveryText(fullSkill, text));
      const { page } = await open({ first: snapshot(shown), scripts: [] });
      for (const place of ["h1", ".lead"]) {
        assert.equal(await page.locator(place).textContent(), revealHidden(text));
      }
      const foreign = "main :is(script, img, iframe, object, embed, style, link, a, form, input)";
      assert.equal(await page.locator(foreign).count(), 0);
      assert.equal(await page.locator("body > *").count(), 2);
      assert.equal(await page.evaluate("window.hacked"), undefined);
    }
  });

  it("is a word of waiting where nothing is known yet", async () => {
    const { page } = await open({ scripts: [] });
    assert.equal(await page.locator("main").textContent(), "Skill …");
    const failed = { kind: "gone", slug: "csv-profile", registryName: "r" } as const;
    const other = await open({ first: snapshot(failed), scripts: [] });
    assert.equal(await other.page.locator("main").textContent(), "Skill …");
  });

  it("is a word of waiting in a page that comes back, whatever was true when it was made", async () => {
    const kept = { slug: "csv-profile", version: "", tab: "input", scrollTop: 0 } as const;
    const { page } = await open({ first: snapshot(ready(fullSkill)), kept, scripts: [] });
    assert.equal(await page.locator("main").textContent(), "Skill …");
  });

  it("does what was pressed in it as soon as the page can do it", async () => {
    const shown = ready(fullSkill);
    const early = async (id: string) => {
      const opened = await open({ first: snapshot(shown), scripts: [] });
      await opened.page.click(`#${id}`);
      await opened.give("page");
      await opened.show(shown);
      return opened;
    };
    const pressed = await early("open-payload");
    assert.deepEqual(await pressed.sent(), [{ type: "openPayload" }]);
    await pressed.show({ ...shown, stale: "Old." });
    assert.equal((await pressed.sent()).length, 1);
    const { page, give, kept } = await early("input-tab");
    await page.locator("#input-view").getByRole("heading").first().waitFor();
    await page.locator("#overview-view").waitFor({ state: "hidden" });
    assert.deepEqual(await kept(), {
      slug: "csv-profile",
      version: "",
      tab: "input",
      scrollTop: 0,
    });
    // A tab answers before the toolkit is there as well, which then finds it chosen.
    await page.click("#output-tab");
    await page.locator("#output-view").getByRole("heading").first().waitFor();
    await give("toolkit");
    await page.waitForSelector("vscode-panels:defined");
    assert.equal(await page.locator("[aria-selected=true]").getAttribute("id"), "output-tab");
    await page.locator("#output-view").waitFor();
    await page.locator("#input-view").waitFor({ state: "hidden" });
  });

  it("gives way to what holds now", async () => {
    const { page, show, sent } = await open({ first: snapshot(ready(fullSkill)) });
    await show(ready(bareSkill));
    const { displayName } = ready(bareSkill).skill;
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), displayName);
    await page.click("#open-payload");
    assert.deepEqual(await sent(), [{ type: "openPayload" }]);
  });
});

function snapshot(
  page: SkillPage,
  words: Readonly<Record<string, string>> = english,
): SkillPageSnapshot {
  return { type: "snapshot", page, words };
}
