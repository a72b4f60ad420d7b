import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { revealHidden } from "../../../src/core/text/plainText";
import type { SkillPage, SkillPageSnapshot } from "../../../src/protocol/pageMessages";
import { bareSkill, fullSkill } from "../../fixtures/skillDetail";
import { hostileTexts } from "../../webview/hostileTexts";
import { openPages } from "../../webview/openPages";
import { ready } from "../../webview/samplePages";
import { withEveryText } from "../../webview/withEveryText";

describe("the embedded content of a page", () => {
  const open = openPages();

  it("is shown before the host sends anything, with working controls, in the reader's language", async () => {
    const words = { "Open Payload": "Payload öffnen" };
    const { page, sent } = await open({ first: snapshot(ready(fullSkill)), words });
    const { displayName } = ready(fullSkill).skill;
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), displayName);
    await page.locator(".trust").waitFor();
    assert.equal(await page.locator("#open-payload").textContent(), "Payload öffnen");
    await page.click("#open-payload");
    assert.deepEqual(await sent(), [{ type: "openPayload" }]);
  });

  it("is shown as text, whatever a hostile registry returns, and runs none of it", async () => {
    const text = hostileTexts.join(" ");
    const skill = withEveryText(fullSkill, text);
    const { page } = await open({ first: snapshot(ready(skill)) });
    // The only part whose texts are never truncated.
    assert.equal(
      await page.locator("#manifest pre").textContent(),
      revealHidden(JSON.stringify(skill.manifest, null, 2)),
    );
    const foreign = "main :is(script, img, iframe, object, embed, style, link, a, form)";
    assert.equal(await page.locator(foreign).count(), 0);
    assert.equal(await page.evaluate("window.hacked"), undefined);
  });

  it("is not shown in a restored page", async () => {
    const kept = { slug: "csv-profile", version: "", tab: "input", scrollTop: 0 } as const;
    const { page } = await open({ first: snapshot(ready(fullSkill)), kept });
    assert.equal(await page.locator("main").textContent(), "");
  });

  it("is replaced by current content", async () => {
    const { page, show } = await open({ first: snapshot(ready(fullSkill)) });
    await show(ready(bareSkill));
    const { displayName } = ready(bareSkill).skill;
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), displayName);
  });
});

function snapshot(page: SkillPage): SkillPageSnapshot {
  return { type: "snapshot", page };
}
