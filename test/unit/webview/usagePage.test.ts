import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { groupOf } from "../../../src/core/invocation/usage/usage";
import { firstUsageFilter, type UsageFilter } from "../../../src/core/invocation/usage/usageFilter";
import { localDay } from "../../../src/core/text/dates";
import { readPageMessage } from "../../../src/protocol/readPageMessage";
import { someOf } from "../../editor/someOf";
import { usageProject } from "../../fixtures/usageProject";
import { usageRecords } from "../../fixtures/usageRecords";
import { axeRules, axeViolations } from "../../webview/axeViolations";
import { hostileTexts } from "../../webview/hostileTexts";
import { openPages } from "../../webview/openPages";
import type { ThemeName } from "../../webview/themes";

const now = Date.parse("2026-11-20T12:00:00Z");
const head = { today: localDay(now), dailyLimitCents: 200 };
const project = usageProject(now);

describe("the Usage page", () => {
  const open = openPages();

  it("filters, copies, exports and opens records, in messages that the host reads", async () => {
    const { page, showUsage, sent, kept } = await open({ isUsage: true });
    await showUsage(usageRecords(300, now), head);
    await page.locator("#filter-skill").selectOption("text-stats");
    assert.deepEqual(await kept(), { usage: { ...firstUsageFilter, skill: "text-stats" } });
    const durations = page.locator("section").filter({ hasText: "Duration by skill" });
    for (const name of [
      "Copy Table: Duration by skill",
      "Export CSV: Duration by skill",
      "Export SVG: Duration by skill",
      "Export PNG: Duration by skill",
    ]) {
      // The page has one menu, which closes after a choice.
      assert.equal(await page.locator(".exports").isVisible(), false);
      await page.getByRole("button", { name: "Export", exact: true }).click();
      await page.getByRole("button", { name, exact: true }).click();
    }
    await durations.locator("#summary-durations").click();
    await durations.locator("td .link").click();
    await durations.locator(".dot").first().dispatchEvent("click");
    // Given as text instead of a function, the condition would be evaluated, which the page's policy forbids.
    await page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length === 6);
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

  it("has a chart for each of three currencies, and one for all others", async () => {
    const { page, showUsage } = await open({ isUsage: true });
    const [record] = usageRecords(1, now);
    assert.ok(record);
    const currencies = ["USD", "EUR", "CHF", "JPY", "GBP"];
    const records = currencies.map((currency, place) => ({
      ...record,
      ...{ id: `${record.id}${place}`, registry: "https://registry.example", status: "success" },
      ...{ currency, amountCents: 1000 - place },
    }));
    await showUsage(records as (typeof record)[], head);
    const titles = await page.locator("h2").allInnerTexts();
    assert.deepEqual(titles.slice(0, 4), [
      "Cost by day (USD)",
      "Cost by day (EUR)",
      "Cost by day (CHF)",
      "Cost in further currencies",
    ]);
    const shared = page.locator("section").filter({ hasText: "Cost in further currencies" });
    await shared.locator("#summary-currencies").click();
    assert.match(await shared.locator("table").innerText(), /JPY\s+1[\s\S]*GBP\s+1\s+£9\.96/);
  });

  it("mentions that several profiles share the record, and filters by one of them", async () => {
    const { page, showUsage } = await open({ isUsage: true });
    const records = usageRecords(10, now).map((record, index) => ({
      ...record,
      profile: index < 3 ? "command line" : "Code, profile 1",
    }));
    await showUsage(records, head);
    const shared = page.getByText(/^Made in .*, which share the record of this machine\.$/);
    assert.match(await shared.innerText(), /command line/);
    await page.locator("#filter-profile").selectOption("command line");
    await page.getByText(/^3 of 10 invocations/).waitFor();
    assert.equal(await shared.count(), 0);
  });

  it("sorts a table by a pressed head", async () => {
    const { page, showUsage } = await open({ isUsage: true });
    await showUsage(usageRecords(300, now), head);
    await page.locator("#summary-durations").click();
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

  it("shows a registry's data about a project, and names the missing parts", async () => {
    const { page, showUsage, sent, kept } = await open({ isUsage: true });
    await showUsage(usageRecords(300, now), { ...head, project: { kind: "loading" } });
    assert.deepEqual(await sent(), []);
    await page.locator("#filter-source").selectOption("project");
    assert.equal(await page.getByRole("status").innerText(), "Reading the project…");
    assert.deepEqual(await sent(), [{ type: "readProject" }]);
    await showUsage(usageRecords(300, now), { ...head, project });
    await page.getByText(" of the newest 25 invocations in Shop, by anybody").waitFor();
    await page.getByText("returns neither the cost nor the caller of an invocation").waitFor();
    assert.deepEqual(await page.locator("h2").allInnerTexts(), [
      "Outcomes by day",
      "Duration by skill",
      "Cost by skill since the project began (USD)",
    ]);
    await page.getByText("In all $15.94.").waitFor();
    // One of these is in this machine's record.
    assert.ok((await page.locator(".dot").count()) > 1);
    assert.equal(await page.locator(".dot[data-record]").count(), 1);
    for (const name of ["registry", "project", "caller"])
      assert.ok(await page.locator(`#filter-${name}`).isHidden(), name);
    assert.equal(((await kept()) as { usage: UsageFilter }).usage.source, "project");
    await showUsage(usageRecords(300, now), {
      ...head,
      project: { kind: "none", message: "Ann may not see projects." },
    });
    await page.getByRole("status").getByText("Ann may not see projects.").waitFor();
    // Nobody is signed in any more.
    await showUsage(usageRecords(300, now), head);
    await page.getByText("of 300 invocations on the record of this machine").waitFor();
  });

  it("draws a bar of one invocation short, and no bar over the whole width", async () => {
    const { page, showUsage } = await open({ isUsage: true, width: 1200 });
    const longest = async (count: number) => {
      await showUsage(usageRecords(count, now), head);
      const bars = page.locator("section").filter({ hasText: "Invocations by caller" });
      const widths = await bars
        .locator("rect.bar")
        .evaluateAll((all) => all.map((bar) => Number(bar.getAttribute("width"))));
      return Math.max(...widths);
    };
    assert.equal(await longest(1), 24);
    assert.ok((await longest(300)) <= 640);
  });

  it("is restored with the chosen filters", async () => {
    const usage = { ...firstUsageFilter, days: 7, project: "shop" } as const;
    const { page, showUsage } = await open({ isUsage: true, kept: { usage } });
    await showUsage(usageRecords(300, now), head);
    assert.equal(await page.locator("#filter-range").inputValue(), "7");
    assert.equal(await page.locator("#filter-project").inputValue(), "shop");
    assert.match(await page.getByRole("status").innerText(), /^2\d of 300 invocations/);
  });

  it("gives a skill the same color in every chart, whatever is filtered", async () => {
    const { page, showUsage } = await open({ isUsage: true });
    await showUsage(usageRecords(600, now), head);
    const colors = async () => {
      const legends = await page
        .locator(".legend li")
        .evaluateAll((items) =>
          items.map((item) => [item.textContent, item.firstElementChild?.className] as const),
        );
      return legends.filter(([, name]) => /^swatch (s\d( dotted)?|rest)$/.test(name ?? ""));
    };
    const before = await colors();
    const bySkill = new Map(before);
    assert.ok(before.length > bySkill.size, "no skill is in two charts");
    for (const [skill, color] of before) assert.equal(bySkill.get(skill), color, skill ?? "");
    assert.equal(new Set(bySkill.values()).size, bySkill.size);
    await page.locator("#filter-skill").selectOption("json-diff");
    assert.deepEqual(
      [...new Set(await colors())].map(String),
      [...new Set(before.filter(([skill]) => skill === "json-diff"))].map(String),
    );
    const color = bySkill.get("json-diff")?.replace("swatch ", "").replace(" ", ".") ?? "";
    assert.equal(await page.locator(".dot").count(), await page.locator(`.dot.${color}`).count());
  });

  it("adds new records, and limits how often it redraws", async () => {
    const { page, showUsage } = await open({ isUsage: true });
    const records = usageRecords(300, now);
    await showUsage(records, head);
    await page.locator("#summary-durations").click();
    await page.getByRole("button", { name: "Ran", exact: true }).press("Enter");
    const [first, second] = records;
    assert.ok(first && second);
    const groups = [{ ...first, id: `${first.id}-2` }, ...records.slice(2)].map(groupOf);
    const days = { from: "2025-01-01", to: "2026-12-31" };
    const drawn = await page.evaluate(
      async ([part, count]) => {
        const charts = document.querySelector(".usage .usage") as Element;
        const { performance } = window;
        const [time, draw] = [performance.now, charts.replaceChildren];
        let drawings = 0;
        // Simulates drawings that take this long.
        const drawingMs = 100;
        performance.now = () => time.call(performance) + drawings * drawingMs;
        charts.replaceChildren = (...parts) => {
          drawings += 1;
          draw.apply(charts, parts);
        };
        for (let sent = 0; sent < Number(count); sent += 1) {
          window.postMessage(part);
          await new Promise((heard) => setTimeout(heard));
        }
        return drawings;
      },
      [
        { type: "usage", ...days, groups: JSON.stringify(groups), count: 299, since: now },
        30,
      ] as const,
    );
    assert.ok(drawn < 10, `${drawn} drawings`);
    await page.getByText("of 299 invocations").waitFor();
    // An open table stays open and sorted, and the focus where it was.
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Ran");
    assert.equal(await page.locator("#table-durations th[aria-sort=ascending]").count(), 1);
  });

  it("offers an action if nothing was invoked", async () => {
    const { page, showUsage, sent } = await open({ isUsage: true });
    await showUsage([], head);
    assert.ok(await page.locator("#filter-range").isHidden());
    await page.getByRole("button", { name: "Open Payload" }).click();
    await showUsage([], { ...head, project: { kind: "loading" } });
    await page.getByRole("button", { name: "Open Payload" }).click();
    assert.deepEqual(await sent(), [{ type: "openPayload" }, { type: "openPayload" }]);
    assert.ok(await page.locator("#filter-source").isVisible());
  });

  it("says that the record cannot be read, and not that nothing was invoked", async () => {
    const { page, showUsage } = await open({ isUsage: true });
    await showUsage([], head);
    const days = { from: "0000-01-01", to: "9999-12-31" };
    const part = { type: "usage", ...days, groups: "[]", count: 0, problem: "It cannot be read." };
    await page.evaluate((sent) => window.postMessage(sent), part);
    const status = page.getByRole("status");
    await status.filter({ hasText: /^It cannot be read\.$/ }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Open Payload" }).count(), 0);
  });

  it("draws many invocations with few dots, within the page's width", async () => {
    const { page, showUsage } = await open({ isUsage: true, width: 320 });
    const [few, many] = [300, 1_300];
    const records = usageRecords(many, now).map((record, index) =>
      index < few ? record : { ...record, skillSlug: "text-stats" },
    );
    await showUsage(records, head);
    // A strip has at most two dots in each of its columns.
    assert.ok((await page.locator(".dot").count()) < few + 2 * 160);
    for (const width of [320, 200]) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)));
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.ok(beyond <= 0, `${beyond} pixels too wide at ${width}`);
    }
  });

  it("breaks no word of its head on a narrow page", async () => {
    const { page, showUsage } = await open({ isUsage: true, width: 150 });
    await showUsage(usageRecords(1, now), head);
    const lines = await page.locator(".top h1, .top [popovertarget]").evaluateAll((all) =>
      all.map((part) => {
        const text = document.createRange();
        text.selectNodeContents(part);
        return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size;
      }),
    );
    assert.deepEqual(new Set(lines), new Set([1]));
  });

  it("shows hostile texts literally", async () => {
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

  // The colors of charts are the theme's own.
  for (const [theme, rules] of someOf(axeRules, ["dark", "light", "highContrast"])) {
    it(`passes axe in ${theme}`, async () => {
      const range = { days: "own", from: "2026-10-01", to: "2026-11-20" } as const;
      const kept = { usage: { ...firstUsageFilter, ...range } };
      const { page, showUsage } = await open({ theme: theme as ThemeName, isUsage: true, kept });
      await showUsage(usageRecords(60, now), { ...head, project });
      for (const table of await page.locator("summary").all()) await table.click();
      assert.deepEqual(await axeViolations(page, rules), []);
    });
  }
});
