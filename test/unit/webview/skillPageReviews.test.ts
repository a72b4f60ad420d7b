import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { fullSkill } from "../../fixtures/skillDetail";
import { openPages } from "../../webview/openPages";
import { allowedForAgents, driftedReview, ready } from "../../webview/samplePages";
import { tabTo } from "./skillPages";

describe("the skill page", () => {
  const open = openPages();

  it("shows the team's reviews of a skill, and offers one after drift", async () => {
    const { page, sent, show } = await open();
    await show(ready(fullSkill));
    assert.equal(await page.getByText("Team review").count(), 0);
    await show({ ...ready(fullSkill), review: driftedReview });
    const card = page.locator(".axis", { hasText: "Team review" });
    assert.deepEqual(await card.locator("p").allTextContents(), [
      driftedReview.word,
      ...driftedReview.lines,
      "Source: the reviews in this workspace",
    ]);
    await page.click("#reviewSkill");
    assert.deepEqual((await sent()).at(-1), { type: "runCommand", command: "reviewSkill" });
    await page.click("#input-tab");
    assert.equal(await page.locator("[title='Team review: Not as reviewed']").count(), 1);
    await show({ ...ready(fullSkill), review: { name: "reviewed", word: "Reviewed", lines: [] } });
    assert.equal(await page.locator("#reviewSkill").count(), 0);
  });

  it("shows and changes the permissions of agents for an allowed skill", async () => {
    const { page, sent, show } = await open();
    await show(ready(fullSkill));
    assert.equal(await page.locator("#agents").count(), 0);
    await show({ ...ready(fullSkill), agents: allowedForAgents });
    const section = page.locator("#agents");
    assert.deepEqual(
      await section.locator("dt, dd").allTextContents(),
      allowedForAgents.rows.flat(),
    );
    await section.getByRole("button", { name: "Change…" }).click();
    assert.deepEqual((await sent()).at(-1), { type: "runCommand", command: "allowAgents" });
    await show({ ...ready(fullSkill), agents: { ...allowedForAgents, isInForce: false } });
    await section.getByRole("button", { name: "Allow Agents to Invoke…" }).waitFor();
  });

  it("lets the review card be used by keyboard, and keeps the focus as it changes", async () => {
    const { page, sent, show } = await open();
    await show({ ...ready(fullSkill), review: driftedReview });
    const reached: string[] = [];
    while (reached.length < 20 && reached.at(-1) !== "Review This Skill…") {
      reached.push(await tabTo(page));
    }
    // It is the only action among the cards, so it follows the tab directly.
    assert.deepEqual(reached.slice(-2), ["Overview", "Review This Skill…"]);
    for (const key of ["Enter", "Space"]) {
      const before = (await sent()).length;
      await page.keyboard.press(key);
      assert.deepEqual(
        (await sent()).slice(before),
        [{ type: "runCommand", command: "reviewSkill" }],
        key,
      );
    }
    const focused = () => page.evaluate("document.activeElement.id");
    assert.equal(await focused(), "reviewSkill");
    const review = { name: "unreviewed", word: "Not reviewed", lines: ["Still."] } as const;
    await show({ ...ready(fullSkill), review });
    assert.equal(await focused(), "reviewSkill");
    await show({ ...ready(fullSkill), review: { name: "reviewed", word: "Reviewed", lines: [] } });
    assert.equal(await focused(), "overview-tab");
  });
});
