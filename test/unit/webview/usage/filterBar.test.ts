import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "mocha";
import {
  firstUsageFilter,
  type UsageFilter,
  usageRanges,
} from "../../../../src/core/invocation/usage/usageFilter";
import { dayMs, localDay } from "../../../../src/core/text/dates";
import { usageProject } from "../../../fixtures/usageProject";
import { usageRecords } from "../../../fixtures/usageRecords";
import { openPages } from "../../../webview/openPages";

/** Noon, wherever the test runs. */
const now = Date.parse("2026-11-20T12:00:00");
const head = { today: localDay(now), dailyLimitCents: 200 };

describe("the range of days on the Usage page", () => {
  const open = openPages();

  it("accepts a range of days, entered by keyboard", async () => {
    const { page, showUsage, kept } = await open({ isUsage: true });
    // Few invocations, since slow drawing makes a date field read digits as a new number after a second.
    await showUsage(usageRecords(60, now), head);
    const range = page.locator("#filter-range");
    await range.focus();
    await page.keyboard.press("End");
    assert.equal(await page.locator("#filter-from").inputValue(), "2026-10-21");
    assert.equal(await page.locator("#filter-to").inputValue(), "2026-11-20");
    await page.keyboard.press("Tab");
    await page.keyboard.type("11072026");
    // A half-entered date is drawn at once, and takes away neither the focus nor the other digits.
    for (const _stop of ["calendar", "next day"]) await page.keyboard.press("Tab");
    await page.keyboard.type("11092026");
    const { usage } = (await kept()) as { usage: UsageFilter };
    assert.deepEqual([usage.days, usage.from, usage.to], ["own", "2026-11-07", "2026-11-09"]);
    await page.locator("#table-outcomes summary").click();
    await page.locator("#table-outcomes td").first().waitFor();
    const days = await page.locator("#table-outcomes td:first-child").allInnerTexts();
    assert.deepEqual(days, ["Nov 9", "Nov 8", "Nov 7"]);
    await page.locator("#filter-to").fill("2026-11-01");
    assert.equal(await page.getByRole("status").innerText(), "The last day is before the first.");
    await page.locator("#filter-to").fill("");
    assert.equal(await page.getByRole("status").innerText(), "Choose a first and a last day.");
    assert.equal(await page.locator("section").count(), 0);
  });

  it("ignores a day while its year is being typed, and uses it afterwards", async () => {
    const { page, showUsage, kept } = await open({ isUsage: true });
    await showUsage(usageRecords(60, now), head);
    await page.locator("#filter-range").selectOption("own");
    const from = page.locator("#filter-from");
    const chosen = async () => ((await kept()) as { usage: UsageFilter }).usage.from;
    assert.equal(await chosen(), "2026-10-21");
    await from.focus();
    for (const _part of ["month", "day"]) await page.keyboard.press("Tab");
    await page.keyboard.press("2");
    assert.equal(await from.inputValue(), "0002-10-21");
    await showUsage(usageRecords(59, now), head);
    assert.deepEqual([await from.inputValue(), await chosen()], ["0002-10-21", "2026-10-21"]);
    await page.locator("#filter-skill").focus();
    assert.equal(await chosen(), "0002-10-21");
    assert.match(await page.getByRole("status").innerText(), /at most/);
  });

  it("asks for missing days, and shows the ones it has until they arrive", async () => {
    const kept = { usage: { ...firstUsageFilter, days: 30 } } as const;
    const { page, showUsage, askedDays } = await open({ isUsage: true, kept });
    const records = usageRecords(60, now);
    const month = ["2026-10-22", "2026-11-20"] as const;
    await showUsage(records, head, month);
    assert.deepEqual(await askedDays(), [month.join(" ")]);
    await page.locator("#filter-range").selectOption("7");
    await page.getByText(/^1\d of 60 invocations/).waitFor();
    await page.locator("#filter-range").selectOption("90");
    assert.deepEqual(await askedDays(), [month.join(" "), "2026-08-23 2026-11-20"]);
    await page.getByText(/^1\d of 60 invocations/).waitFor();
    await showUsage(records, head, ["2026-08-23", "2026-11-20"]);
    await page.getByText(/^60 of 60 invocations/).waitFor();
    await page.locator("#filter-range").selectOption("7");
    assert.equal((await askedDays()).length, 2);
  });

  it("asks for a year, and shows the whole record within it, at least a week", async () => {
    const { page, showUsage, askedDays } = await open({ isUsage: true });
    const [first] = usageRecords(1, now);
    assert.ok(first);
    const shown = async (age: number) => {
      await showUsage([first, { ...first, startedAt: now - age * dayMs, id: "1" }], head);
      await page.locator("#filter-range").selectOption("own");
      const from = await page.locator("#filter-from").inputValue();
      await page.locator("#filter-range").selectOption("record");
      return from;
    };
    assert.equal(await shown(0), "2026-11-14");
    assert.equal(await shown(100), "2026-08-12");
    assert.equal(await shown(400), "2025-11-20");
    assert.deepEqual(await askedDays(), ["2025-11-20 2026-11-20"]);
  });

  it("shows each offered range when it is chosen", async () => {
    const { page, showUsage, kept } = await open({ isUsage: true });
    await showUsage(usageRecords(60, now), head);
    for (const days of usageRanges) {
      await page.locator("#filter-range").selectOption(`${days}`);
      assert.deepEqual(await kept(), { usage: { ...firstUsageFilter, days } });
    }
  });
});

describe("the filters of the Usage page", () => {
  const open = openPages();

  it("share one row of 900 px in German too", async () => {
    const words = JSON.parse(await readFile("l10n/bundle.l10n.de.json", "utf8"));
    const { page, showUsage } = await open({ isUsage: true, lang: "de", words, width: 900 });
    await showUsage(usageRecords(300, now), { ...head, project: usageProject(now) });
    const boxes = await page
      .locator(".filters label:visible")
      .evaluateAll((labels) =>
        labels.map((label) => Math.round(label.getBoundingClientRect().top)),
      );
    assert.ok(boxes.length >= 6, `${boxes.length} filters`);
    assert.equal(new Set(boxes).size, 1, boxes.join());
  });
});
