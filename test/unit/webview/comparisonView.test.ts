import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { revealHidden } from "../../../src/core/text/plainText";
import type { SkillPage } from "../../../src/protocol/pageMessages";
import { readPageMessage } from "../../../src/protocol/readPageMessage";
import { openPages } from "../../webview/openPages";
import { comparison, pair } from "../../webview/samplePages";

describe("the comparison page", () => {
  const open = openPages();

  it("shows which rows differ, and can hide the others", async () => {
    const { page, show, kept } = await open({ width: 1000 });
    await show(pair);
    const rowOf = (name: string) =>
      page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
    assert.match(await rowOf("Permission level").innerText(), /differs/);
    const same = page.locator(".row.same");
    assert.ok((await same.count()) > 0);
    await page.getByLabel("Differences only").check();
    await same.first().waitFor({ state: "hidden" });
    await rowOf("Permission level").waitFor();
    assert.deepEqual(await kept(), {
      slugs: pair.slugs,
      onlyDifferences: true,
      scrollTop: 0,
    });
  });

  it("opens in its last state", async () => {
    const { page, show } = await open({
      height: 300,
      kept: { slugs: comparison.slugs, onlyDifferences: true, scrollTop: 80 },
    });
    await show({ kind: "comparison", slugs: comparison.slugs });
    await show(comparison);
    assert.equal(await page.getByLabel("Differences only").isChecked(), true);
    await page.waitForFunction(() => window.scrollY === 80);
  });

  it("opens, adds and removes skills with messages that the host reads", async () => {
    const { page, show, sent } = await open();
    await show(withSkills(comparison, 3));
    await page.getByRole("button", { name: "CSV Profile", exact: true }).click();
    await page.getByRole("button", { name: "Add a skill…" }).click();
    await page.getByRole("button", { name: "Remove CSV Profile", exact: true }).click();
    const asked = await sent();
    assert.deepEqual(asked, [
      { type: "openSkill", slug: "csv-profile" },
      { type: "compareWith" },
      { type: "removeSkill", slug: "csv-profile" },
    ]);
    for (const message of asked) assert.deepEqual(readPageMessage(message), message);
  });

  it("offers to read a failed skill again", async () => {
    const { page, show, sent } = await open();
    await show(comparison);
    await page.getByRole("button", { name: "Try again" }).click();
    assert.deepEqual((await sent()).at(-1), { type: "retry" });
    await show(pair);
    assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0);
  });

  it("shows permission levels as bars, and no sign of refusal beside granted ones", async () => {
    const { page, show } = await open();
    await show(pair);
    const files = page.getByRole("row").filter({
      has: page.getByRole("rowheader", { name: /^Files/ }),
    });
    assert.match(await files.innerText(), /Writes files/);
    assert.equal(await files.locator(".icon-bad").count(), 0);
    assert.equal(await files.locator(".cell-words > svg").count(), 2);
  });

  it("offers to add skills up to four, and to remove them down to two", async () => {
    const { page, show } = await open();
    await show(comparison);
    assert.equal(await page.getByRole("button", { name: "Add a skill…" }).count(), 0);
    await show(withSkills(comparison, 2));
    assert.equal(await page.getByRole("button", { name: /^Remove/ }).count(), 0);
  });

  it("names the skill in each cell of a narrow layout, without sideways scrolling", async () => {
    // A column of 450 pixels has room for 225 at double zoom.
    for (const width of [300, 225]) {
      const { page, show } = await open({ width });
      await show(withText(comparison, "x".repeat(400)));
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.ok(beyond <= 0, `${beyond} pixels too wide at ${width}`);
      await page.locator(".cell-skill").first().waitFor();
    }
  });

  it("shows hostile texts literally", async () => {
    const { page, show } = await open();
    const text = '<script>window.hacked=1</script>"><img src=x onerror=window.hacked=1>';
    await show(withText(comparison, text));
    assert.equal(await page.locator(".head-row .link").first().textContent(), revealHidden(text));
    assert.equal(await page.locator("main :is(script, img, iframe, a)").count(), 0);
    assert.equal(await page.evaluate("window.hacked"), undefined);
  });
});

type Comparison = Extract<SkillPage, { kind: "comparison" }>;

function withSkills({ slugs, comparison: shown }: Comparison, count: number): Comparison {
  if (shown === undefined) throw new Error("Nothing is compared.");
  const groups = shown.groups.map(({ title, rows }) => ({
    title,
    rows: rows.map((row) => ({ ...row, cells: row.cells.slice(0, count) })),
  }));
  const skills = shown.skills.slice(0, count);
  return { kind: "comparison", slugs: slugs.slice(0, count), comparison: { skills, groups } };
}

function withText(page: Comparison, text: string): Comparison {
  const replace = (part: unknown, name = ""): unknown => {
    if (typeof part === "string") return ["kind", "tone"].includes(name) ? part : text;
    if (Array.isArray(part)) return part.map((item) => replace(item));
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [key, replace(value, key)]),
    );
  };
  return replace(page) as Comparison;
}
