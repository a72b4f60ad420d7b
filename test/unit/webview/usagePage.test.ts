import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "mocha";
import { localDay } from "../../../src/core/text/dates";
import { readPageMessage } from "../../../src/protocol/readPageMessage";
import { usageRecords } from "../../fixtures/usageRecords";
import { hostileTexts } from "../../webview/hostileTexts";
import { openPages } from "../../webview/openPages";
import { type ThemeName, themes } from "../../webview/themes";

const now = Date.parse("2026-11-20T12:00:00Z");
const head = { today: localDay(now), dailyLimitCents: 200 };

describe("the Usage page", () => {
  const open = openPages();

  it("filters, copies, exports and opens records, in messages the host reads", async () => {
    const { page, showUsage, sent, kept } = await open({ isUsage: true });
    await showUsage(usageRecords(300, now), head);
    await page.locator("#filter-skill").selectOption("text-stats");
    assert.deepEqual(await kept(), {
      usage: { days: 30, registry: "", skill: "text-stats", caller: "" },
    });
    const durations = page.locator("section").filter({ hasText: "Duration by skill" });
    for (const name of ["Copy Table", "CSV", "SVG", "PNG"])
      await durations.getByText(name, { exact: true }).click();
    await durations.locator("summary").click();
    await durations.locator("td .link").click();
    await durations.locator(".dot").first().dispatchEvent("click");
    await page.waitForFunction("window.sent.length === 6");
    const asked = (await sent()) as { type: string; file?: string; text: string }[];
    assert.deepEqual(
      asked.map(({ type, file }) => [type, file]).sort(),
      [
        ["copyTable", undefined],
        ["openRecord", undefined],
        ["openRecord", undefined],
        ["saveChart", "duration-by-skill.csv"],
        ["saveChart", "duration-by-skill.png"],
        ["saveChart", "duration-by-skill.svg"],
      ].sort(),
    );
    for (const message of asked) assert.deepEqual(readPageMessage(message), message);
    const textOf = (end: string) => asked.find(({ file }) => file?.endsWith(end))?.text ?? "";
    assert.match(textOf("csv"), /^\uFEFFSkill,Ran,Median,95th percentile,Slowest\r\ntext-stats,/);
    assert.match(textOf("svg"), /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.doesNotMatch(textOf("svg"), /var\(|class=/);
    assert.match(textOf("png"), /^iVBORw0KGgo/);
  });

  it("sorts a table by the head that is pressed", async () => {
    const { page, showUsage } = await open({ isUsage: true });
    await showUsage(usageRecords(300, now), head);
    await page.locator("#table-durations summary").click();
    const ran = () => page.locator("#table-durations td:nth-child(2)").allInnerTexts();
    await page.getByRole("button", { name: "Ran", exact: true }).click();
    const counts = (await ran()).map(Number);
    assert.deepEqual(
      counts,
      counts.toSorted((left, right) => left - right),
    );
    await page.getByRole("button", { name: "Ran", exact: true }).click();
    assert.deepEqual((await ran()).map(Number), counts.toReversed());
  });

  it("says what to do where nothing was invoked", async () => {
    const { page, showUsage, sent } = await open({ isUsage: true });
    await showUsage([], head);
    await page.getByRole("button", { name: "Open Payload" }).click();
    assert.deepEqual(await sent(), [{ type: "openPayload" }]);
  });

  it("draws 50,000 invocations with few dots, and not wider than the page", async () => {
    const { page, showUsage } = await open({ isUsage: true, width: 320 });
    await showUsage(usageRecords(50_000, now), head);
    assert.ok((await page.locator(".dot").count()) < 8 * 160 * 2 + 8);
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.ok(beyond <= 0, `${beyond} pixels too wide`);
  });

  it("shows hostile texts as they are", async () => {
    const { page, showUsage } = await open({ isUsage: true });
    const [record] = usageRecords(1, now);
    assert.ok(record);
    const hostile = Object.values(hostileTexts).map(String);
    await showUsage(
      hostile.map((skillSlug, index) => ({
        ...record,
        id: `${index}`,
        skillSlug,
        registry: skillSlug,
      })),
      head,
    );
    assert.equal(await page.locator("main :is(script, img, iframe, a)").count(), 0);
  });

  for (const theme of Object.keys(themes)) {
    it(`has nothing for axe to find in ${theme}`, async () => {
      const { page, showUsage } = await open({ theme: theme as ThemeName, isUsage: true });
      await page.evaluate(await readFile("node_modules/axe-core/axe.min.js", "utf8"));
      await showUsage(usageRecords(60, now), head);
      for (const table of await page.locator("summary").all()) await table.click();
      const found = await page.evaluate(
        `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
          violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
      );
      assert.deepEqual(found, []);
    });
  }
});
