import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Page } from "playwright-core";
import { readSchema } from "../../../src/core/schema/read/readSchema";
import { schemaOutline } from "../../../src/core/schema/schemaOutline";
import {
  type ExampleTrial,
  runningTrial,
  trialWithNotice,
} from "../../../src/core/skill/description/exampleTrial";
import { english } from "../../../src/core/text/language";
import { revealHidden } from "../../../src/core/text/plainText";
import {
  type PageState,
  type PageTab,
  pageTabs,
  readPageState,
  type SkillPage,
} from "../../../src/protocol/pageMessages";
import { readPageMessage } from "../../../src/protocol/readPageMessage";
import { someOf } from "../../editor/someOf";
import { bareSkill, fullSkill, powerfulSkill } from "../../fixtures/skillDetail";
import { axeRules, axeViolations } from "../../webview/axeViolations";
import { focusable, nameOfFocused, namesInPage } from "../../webview/focusOrder";
import { hostileTexts } from "../../webview/hostileTexts";
import { openPages } from "../../webview/openPages";
import type { OpenPage } from "../../webview/pageBrowser";
import {
  allowedForAgents,
  compared,
  comparison,
  driftedReview,
  ready,
} from "../../webview/samplePages";
import type { ThemeName } from "../../webview/themes";
import { withEveryText } from "../../webview/withEveryText";

const gone: SkillPage = { kind: "gone", slug: "csv-profile", registryName: "registry.example" };
const failed = {
  kind: "failed",
  slug: "csv-profile",
  message: "The registry did not answer.",
  actions: [{ action: "connect", title: "Connect to Registry…" }],
} as const satisfies SkillPage;

const triedExample: ExampleTrial = {
  ...runningTrial(true, english),
  kind: "ended",
  tone: "good",
  word: "Success",
  facts: ["12 ms", "free", "63615c78"],
  output: { text: '{\n  "rows": 2\n}', whole: true },
};

/**
 * Runs in the page: scrolls. The browser reports that at once, and again before the next frame, which is after the page
 * counts as at rest.
 */
function scrollAndDrawLate(): void {
  const tell = () => window.dispatchEvent(new Event("scroll"));
  window.requestAnimationFrame = (draw) => {
    queueMicrotask(tell);
    return window.setTimeout(draw, 300);
  };
  window.scrollTo(0, 70);
  tell();
}

/**
 * Clicks with the mouse at the center of each visible control of a tab, so that a covered one sends nothing. Returns
 * their names and the messages sent for each. A locator's click would wait for two frames each time.
 */
async function pressEach(
  { page, sent }: OpenPage,
  tab: PageTab,
): Promise<(readonly [name: string, messages: unknown[]])[]> {
  const pressed: [string, unknown[]][] = [];
  const view = page.locator(`#${tab}-view`);
  const controls = view.locator("vscode-button, button.link, button.tag").filter({ visible: true });
  for (const control of await controls.all()) {
    const before = (await sent()).length;
    const { name, x, y } = await control.evaluate((seen) => {
      seen.scrollIntoView({ block: "center" });
      const { left, right, top, bottom } = seen.getBoundingClientRect();
      const name = seen.ariaLabel ?? seen.textContent ?? "";
      return { name, x: (left + right) / 2, y: (top + bottom) / 2 };
    });
    await page.mouse.click(x, y);
    pressed.push([name, (await sent()).slice(before)]);
  }
  return pressed;
}

describe("the skill page", () => {
  const open = openPages();

  it("has one first-level heading, and skips no level", async () => {
    const { page, show } = await open();
    for (const shown of [ready(fullSkill), ready(bareSkill), gone, failed]) {
      await show(shown);
      for (const tab of shown.kind === "ready" ? pageTabs : []) {
        await page.click(`#${tab}-tab`);
        const levels = await page
          .locator("h1:visible, h2:visible, h3:visible")
          .evaluateAll((all) => all.map((heading) => Number(heading.tagName.slice(1))));
        assert.equal(levels.filter((level) => level === 1).length, 1);
        for (const [i, level] of levels.entries()) {
          assert.ok(level <= (levels[i - 1] ?? 0) + 1, `${levels}`);
        }
      }
    }
  });

  it("mentions every missing part", async () => {
    const { page, show } = await open();
    await show(ready(bareSkill));
    assert.match(
      await page.locator(".trust").innerText(),
      /Price: Not provided by this registry\./,
    );
    for (const id of ["numbers", "facts", "publisher", "feedback"]) {
      assert.equal(
        await page.locator(`#${id} .quiet`).textContent(),
        "Not provided by this registry.",
      );
    }
    for (const tab of pageTabs) {
      await page.click(`#${tab}-tab`);
      assert.match((await page.locator(`#${tab}-view`).textContent()) ?? "", /\S/);
    }
  });

  it("shows all texts of users and publisher, each with its author", async () => {
    const { page, show } = await open();
    await show(ready(fullSkill));
    const texts = async (selector: string) => await page.locator(selector).allInnerTexts();
    assert.deepEqual(await texts(".entry-title"), ["Saved the import"]);
    assert.deepEqual(await texts(".use"), ["Used for: Checking suppliers' price lists"]);
    assert.deepEqual(await texts(".reply"), [
      "Publisher: Thank you. Dates with month names are next.",
    ]);
    assert.equal((await texts("#publisher dd"))[2], "active");
    assert.match(
      (await texts("#author"))[0] ?? "",
      /^Author: Ida Tabell\s+Stated by the publisher/,
    );
  });

  it("warns if an invocation contradicts the status, and if the skill is not executed", async () => {
    const { page, show } = await open();
    const shown = ready(fullSkill);
    const warnings = () => page.locator(".axis .warning").allInnerTexts();
    await show(shown);
    assert.deepEqual(await warnings(), []);
    await show({
      ...shown,
      run: { ...shown.run, statusConflict: "Rejected.", warning: "Billed." },
    });
    assert.deepEqual(await warnings(), ["Rejected.", "Billed."]);
    assert.match(
      (await page.locator(".axis").first().innerText()) ?? "",
      /^Verification\b.*Rejected\./is,
    );
  });

  it("shows a part as loading until it arrives", async () => {
    const { page, show } = await open();
    const late = { ...bareSkill, unanswered: ["feedback"], loading: ["feedback"] } as const;
    await show(ready(late));
    assert.equal(await page.locator("#feedback .quiet").textContent(), "Loading…");
    await show(ready({ ...bareSkill, feedback: { entries: [], publishedCount: 0 } }));
    assert.match(
      (await page.locator("#feedback").textContent()) ?? "",
      /^FeedbackNo feedback yet\.$/,
    );
  });

  it("counts all versions and examples, and those that are hidden", async () => {
    const { page, show } = await open();
    const versions = Array.from({ length: 210 }, (_, at) => ({ version: `1.0.${at}` }));
    await show(ready({ ...fullSkill, versions }));
    await page.getByRole("tab", { name: "Versions (210)" }).click();
    await page.getByText("10 older versions are not shown.").waitFor();
  });

  it("names an older version and opens the newest", async () => {
    const { page, show, sent } = await open();
    await show(ready({ ...fullSkill, latestVersion: "2.2.0" }));
    await page.getByText("Version 2.1.0 is not the newest.").waitFor();
    await page.getByRole("button", { name: "Open 2.2.0" }).click();
    assert.deepEqual(await sent(), [{ type: "selectVersion", version: "2.2.0" }]);
  });

  it("shows a missing and a failed skill, and reads it again on request", async () => {
    const { page, show, sent } = await open();
    await show(gone);
    await page.click("vscode-button");
    await show(failed);
    assert.match((await page.locator("main").textContent()) ?? "", /The registry did not answer\./);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Connect to Registry…" }).click();
    await show({ ...failed, actions: [] });
    assert.equal(await page.locator("vscode-button").count(), 1);
    const asked = await sent();
    assert.deepEqual(asked, [
      { type: "retry" },
      { type: "retry" },
      { type: "runAction", action: "connect" },
    ]);
    for (const message of asked) assert.deepEqual(readPageMessage(message), message);
  });

  it("shows every text of a hostile registry literally, and runs none of it", async () => {
    const { page, show } = await open();
    page.on("dialog", (dialog) => assert.fail(dialog.message()));
    for (const text of hostileTexts) {
      await show(ready(withEveryText(fullSkill, text)));
      const seen = revealHidden(text);
      assert.equal(await page.locator("h1").textContent(), seen);
      assert.equal(await page.locator(".lead").textContent(), seen);
      assert.equal(await page.locator(".tags li").first().textContent(), seen);
      assert.equal(await page.locator("#publisher dd").first().textContent(), seen);
      assert.equal(await page.locator("blockquote").first().textContent(), seen);
      assert.equal(await page.locator(".entry-title").first().textContent(), seen);
      assert.equal(await page.locator(".use").first().textContent(), `Used for: ${seen}`);
      assert.equal(await page.locator(".reply").first().textContent(), `Publisher: ${seen}`);
      assert.ok(((await page.locator("#author").textContent()) ?? "").includes(seen));
      assert.equal(await page.locator("#example-0 h2").textContent(), seen);
      assert.equal(await page.locator(".versions .words").first().textContent(), seen);
      assert.equal(
        await page.locator("#manifest pre").textContent(),
        revealHidden(JSON.stringify(withEveryText(fullSkill, text).manifest, null, 2)),
      );
      const foreign = "main :is(script, img, iframe, object, embed, style, link, a, form, input)";
      assert.equal(await page.locator(foreign).count(), 0);
      assert.equal(await page.evaluate("window.hacked"), undefined);
    }
  });

  it("accepts messages from the editor only, not from another frame", async () => {
    const { page, show } = await open();
    await show(gone);
    await page.evaluate(
      (snapshot) => {
        const t = (data: unknown, origin: string) =>
          window.dispatchEvent(new MessageEvent("message", { data, origin }));
        for (const origin of ["https://elsewhere.test", "null", ""]) {
          t({ type: "script", text: "window.hacked = 1" }, origin);
          t(snapshot, origin);
        }
      },
      { type: "snapshot", page: failed },
    );
    assert.equal(await page.evaluate("window.hacked"), undefined);
    assert.match((await page.locator("h1").textContent()) ?? "", /is not in this registry/);
  });

  it("sends each button's request in messages that the host reads", async () => {
    const opened = await open();
    const { page, show, sent } = opened;
    await show(ready(fullSkill));
    const asked: Record<string, unknown[]> = {};
    for (const tab of pageTabs) {
      await page.click(`#${tab}-tab`);
      for (const [name, messages] of await pressEach(opened, tab)) {
        asked[`${tab}: ${name}`] = messages;
      }
    }
    const headCommands = ["copyAs", "compareSkills"];
    const buttons = ["by-publisher", "open-payload", ...headCommands];
    for (const name of buttons) await page.click(`#${name}`);
    const all = await sent();
    for (const message of all) assert.deepEqual(readPageMessage(message), message);
    assert.deepEqual(asked, {
      "overview: Check Now": [{ type: "runCommand", command: "checkProjectKey" }],
      "overview: csv": [{ type: "listByTag", tag: 0 }],
      "overview: data quality": [{ type: "listByTag", tag: 1 }],
      "overview: statistics": [{ type: "listByTag", tag: 2 }],
      "overview: Support page (opens https://tabular.example/support in the browser)": [
        { type: "openLink", url: "https://tabular.example/support" },
      ],
      "overview: Website (opens https://tabular.example/ in the browser)": [
        { type: "openLink", url: "https://tabular.example/" },
      ],
      "overview: Author’s website (opens https://ida.example/ in the browser)": [
        { type: "openLink", url: "https://ida.example/" },
      ],
      "overview: json-to-csv": [{ type: "openSkill", slug: "json-to-csv" }],
      "overview: sql-format": [{ type: "openSkill", slug: "sql-format" }],
      "input: Expand all": [],
      "input: Collapse all": [],
      "input: Copy: Input schema": [{ type: "copy", what: "inputSchema" }],
      "input: Open in editor: Input schema": [{ type: "openText", what: "inputSchema" }],
      "input: Find in this page": [{ type: "find" }],
      "input: Copy: Example input": [{ type: "copyExample", example: 0, side: "input" }],
      "output: Expand all": [],
      "output: Collapse all": [],
      "output: Copy: Output schema": [{ type: "copy", what: "outputSchema" }],
      "output: Open in editor: Output schema": [{ type: "openText", what: "outputSchema" }],
      "output: Find in this page": [{ type: "find" }],
      "output: Copy: Example output": [{ type: "copyExample", example: 0, side: "output" }],
      "examples: Invoke with Two columns": [{ type: "invokeExample", example: 0 }],
      "examples: Open as Payload: Two columns": [{ type: "newPayload", example: 0 }],
      "examples: Copy: Input of Two columns": [{ type: "copyExample", example: 0, side: "input" }],
      "examples: Copy: Output of Two columns": [
        { type: "copyExample", example: 0, side: "output" },
      ],
      "examples: Invoke with Semicolons, first 100 rows": [{ type: "invokeExample", example: 1 }],
      "examples: Open as Payload: Semicolons, first 100 rows": [{ type: "newPayload", example: 1 }],
      "examples: Copy: Input of Semicolons, first 100 rows": [
        { type: "copyExample", example: 1, side: "input" },
      ],
      "versions: Compare manifests": [{ type: "diffManifests", before: "2.0.0", after: "2.1.0" }],
      "versions: Show version 2.0.0": [{ type: "selectVersion", version: "2.0.0" }],
      "versions: Show version 1.4.2": [{ type: "selectVersion", version: "1.4.2" }],
      "manifest: Copy: Manifest": [{ type: "copy", what: "manifest" }],
      "manifest: Open in editor: Manifest": [{ type: "openText", what: "manifest" }],
      "manifest: Find in this page": [{ type: "find" }],
    });
    assert.deepEqual(all.slice(-4), [
      { type: "listByPublisher" },
      { type: "openPayload" },
      ...headCommands.map((command) => ({ type: "runCommand", command })),
    ]);
  });

  it("invokes an example by keyboard, shows and announces the result, and keeps the focus", async () => {
    const { page, show, sent } = await open();
    const shown = ready(fullSkill);
    await show(shown);
    await page.click("#examples-tab");
    await page.locator("#invoke-example-0").focus();
    await page.keyboard.press("Enter");
    assert.deepEqual((await sent()).at(-1), { type: "invokeExample", example: 0 });
    await show({ ...shown, trials: { 0: runningTrial(true, english) } });
    const status = page.getByRole("status");
    assert.equal(await status.textContent(), "Two columns: Running…");
    await page.getByRole("button", { name: "Cancel: Two columns" }).click();
    assert.deepEqual((await sent()).at(-1), { type: "cancelTrial", trial: 0 });
    await page.locator("#invoke-example-0").focus();
    await show({ ...shown, trials: { 0: triedExample } });
    assert.equal(await status.textContent(), "Two columns: Success. 12 ms. free. 63615c78");
    const result = page.getByRole("group", { name: "Result of Two columns", exact: true });
    assert.match(await result.innerText(), /Success\s+12 ms\s+free\s+63615c78/);
    assert.equal(await result.locator("pre .json-name").first().textContent(), '"rows"');
    assert.equal(await page.evaluate(() => document.activeElement?.id), "invoke-example-0");
    await result.getByRole("button", { name: "Open Invocation: Two columns" }).click();
    assert.deepEqual((await sent()).at(-1), { type: "openResult", trial: 0, what: "record" });
  });

  it("offers a remedy if an example was not sent", async () => {
    const { page, show, sent } = await open();
    const notice = {
      severity: "error",
      message: "The payload has a problem.",
      actions: [{ action: "showInput", title: "Open as Payload" }],
    } as const;
    await show({ ...ready(fullSkill), trials: { 1: trialWithNotice(undefined, notice, english) } });
    await page.click("#examples-tab");
    const result = page.getByRole("group", { name: /^Result of Semicolons/ });
    assert.match(await result.innerText(), /Not sent\s+The payload has a problem\./);
    await result.getByRole("button", { name: /^Open as Payload/ }).click();
    assert.deepEqual((await sent()).at(-1), { type: "runTrialAction", trial: 1, action: 0 });
  });

  it("shows in one line each whether it can be invoked, its cost and its destination, without codes", async () => {
    const { page, show } = await open();
    const shown = ready(fullSkill);
    const card = page.locator(".axis", { hasText: "Can I invoke it?" });
    const lines = async () => (await card.innerText()).split(/\n+/);
    const facts = [
      "Price: $0.02 per invocation",
      "Goes to: registry.example, which sends it to run.tabular.example",
    ];
    await show(shown);
    const why = "The project's policy decides when the invocation arrives.";
    assert.deepEqual(await lines(), ["Can I invoke it?", "Not known", why, ...facts, "Check Now"]);
    await show({ ...shown, run: { ...shown.run, kind: "yes", word: "Yes", text: "It did." } });
    assert.deepEqual(await lines(), ["Can I invoke it?", "Yes", ...facts]);
    const refused = { kind: "no", word: "No", code: "budget_exceeded", text: "Used up." } as const;
    await show({ ...shown, run: { ...shown.run, ...refused } });
    assert.deepEqual(await lines(), ["Can I invoke it?", "No", "Used up.", ...facts]);
    await page.click("#input-tab");
    assert.match(await page.locator(".chips").innerText(), /Invoke: No\s+\$0\.02 per invocation/);
  });

  it("shows the permissions once without scrolling", async () => {
    const { page, show } = await open();
    await show(ready(fullSkill));
    const text = await page.locator(".overview").innerText();
    assert.equal(text.split("Reads files on the machine it runs on").length, 2);
    assert.equal(text.split("$0.02 per invocation").length, 2);
  });

  it("mentions outdated parts, and reads them again on request", async () => {
    const { page, show, sent } = await open();
    await show({ ...ready(fullSkill), stale: "This is from yesterday." });
    await page.getByRole("status").getByText("This is from yesterday.").waitFor();
    await page.click("#read-again");
    assert.deepEqual((await sent()).at(-1), { type: "retry" });
    await show(ready(fullSkill));
    assert.equal(await page.locator(".stale").count(), 0);
  });

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

  it("can be used by keyboard alone, in reading order", async () => {
    const { page, show, sent } = await open();
    await show(ready(fullSkill));
    const reached: string[] = [];
    for (let i = 0; i < 5; i += 1) reached.push(await tabTo(page));
    const buttons = ["Try It", "Open Payload", "Copy As…", "Compare with…"];
    assert.deepEqual(reached, ["by Tabular Tools", ...buttons]);
    await page.keyboard.press("Enter");
    assert.deepEqual((await sent()).at(-1), { type: "runCommand", command: "compareSkills" });
    assert.equal(await tabTo(page), "Overview");
    await page.keyboard.press("ArrowRight");
    await page.locator("#input-view").waitFor();
    assert.equal(await tabTo(page), "Expand all");
    await page.keyboard.press("Space");
    assert.equal(await page.locator("#input-view details:not([open])").count(), 0);
    assert.equal(await tabTo(page), "Collapse all");
    assert.match(await tabTo(page), /^Inside columns/);
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#input-view details").first().getAttribute("open"), null);
  });

  it("reaches everything in every tab by Tab in reading order, and back", async () => {
    const { page, show } = await open();
    await show({ ...ready(fullSkill), compared });
    for (const tab of pageTabs) {
      await page.click(`#${tab}-tab`);
      await page.locator(`#${tab}-view`).waitFor();
      const start = await page.evaluate(nameOfFocused);
      const all = await page.locator("html").evaluate(namesInPage, focusable);
      const inTab = all.slice(all.indexOf(start) + 1);
      assert.ok(all.includes(start), `${start} is among ${all}`);
      const reached: string[] = [];
      for (const _ of inTab) {
        await page.keyboard.press("Tab");
        reached.push(await page.evaluate(nameOfFocused));
      }
      assert.deepEqual(reached, inTab, tab);
      for (const _ of inTab) await page.keyboard.press("Shift+Tab");
      assert.equal(await page.evaluate(nameOfFocused), start);
    }
  });

  it("opens in its last state, and keeps its position after a new response", async () => {
    const { page, show, kept } = await open({
      kept: { ...keptState, version: "2.0.0", tab: "input", scrollTop: 120 },
      height: 300,
    });
    await show(ready(fullSkill));
    await page.locator("#input-view").waitFor();
    await page.waitForFunction(() => window.scrollY === 120);
    const first = page.locator("#input-view details").first();
    await first.locator("summary").first().click();
    await page.focus("#open-payload");
    const changed = { ...fullSkill, summary: { ...fullSkill.summary, displayName: "Changed" } };
    await show(ready(changed));
    assert.equal(await page.locator("h1").textContent(), "Changed");
    await page.locator("#input-view").waitFor();
    assert.equal(await page.evaluate("document.activeElement.id"), "open-payload");
    assert.equal(await first.getAttribute("open"), null);
    await page.click("#versions-tab");
    await page.getByRole("button", { name: "Show version 1.4.2" }).click();
    await show({ ...ready(changed), chosenVersion: "1.4.2" });
    const state = readPageState(await kept());
    assert.deepEqual(
      [state?.slug, state?.version, state?.tab],
      ["csv-profile", "1.4.2", "versions"],
    );
    await show(ready(powerfulSkill));
    await page.locator("#overview-view").waitFor();
  });

  it("fills its tabs and keeps its position in a browser without idle callbacks and scrollend", async () => {
    const { page, show } = await open({ likeSafari: true, height: 300 });
    await show(ready(fullSkill));
    await page.locator("#manifest-view > *").first().waitFor({ state: "attached" });
    await page.evaluate("window.scrollTo(0, 90)");
    await page.waitForFunction(() => window.scrollY === 90);
    await page.waitForFunction(() => {
      return (window as { readonly keptState?: PageState }).keptState?.scrollTop === 90;
    });
  });

  it("shows another tab from its start, below the visible tabs", async () => {
    const { page, show } = await open({ height: 400 });
    await show(ready(fullSkill));
    await page.click("#input-tab");
    await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
    await page.click("#output-tab");
    const [tab, view] = await Promise.all(
      ["#output-tab", "#output-view"].map((id) => page.locator(id).boundingBox()),
    );
    assert.ok(
      tab && view && view.y >= tab.y + tab.height - 1 && view.y < 400,
      JSON.stringify([tab, view]),
    );
  });

  it("starts another version at its top with a note that it is old, in the same tab, even while scrolling", async () => {
    const { page, show, kept } = await open({
      kept: { ...keptState, tab: "versions", scrollTop: 60 },
      height: 300,
    });
    await show(ready(fullSkill));
    await page.waitForFunction(() => window.scrollY === 60);
    await page.evaluate(scrollAndDrawLate);
    const older = { ...fullSkill, summary: { ...fullSkill.summary, version: "1.4.2" } };
    await show({ ...ready(older), chosenVersion: "1.4.2" });
    await page.waitForFunction(() => window.scrollY === 0);
    assert.equal(readPageState(await kept())?.tab, "versions");
  });

  it("stays where the reader has scrolled when a response arrives", async () => {
    const { page, show } = await open({ height: 300 });
    await show(ready(fullSkill));
    await page.evaluate("window.scrollTo(0, 90)");
    await page.waitForFunction(() => window.scrollY === 90);
    await page.evaluate("window.dispatchEvent(new Event('scroll'))");
    const topOf = (id: string) =>
      page.locator(id).evaluate((part) => part.getBoundingClientRect().top);
    const before = await topOf("#permissions");
    // The text that is being read does not move when a note appears above it.
    await show({ ...ready(fullSkill), stale: "Old." });
    assert.equal(await topOf("#permissions"), before);
  });

  it("scrolls to its position once its content is long enough", async () => {
    const kept = { ...keptState, tab: "manifest", scrollTop: 400 } as const;
    const { page, show } = await open({ kept, height: 300 });
    const withLines = (count: number) => {
      const lines = Array.from({ length: count }, (_, line) => `"${line}"`).join(",\n");
      const shown = ready(fullSkill);
      return { ...shown, skill: { ...shown.skill, manifest: { text: lines, whole: true } } };
    };
    await show(withLines(2));
    const reached = await page.evaluate("window.scrollY");
    assert.ok(Number(reached) > 0 && Number(reached) < 400, String(reached));
    await page.evaluate("window.dispatchEvent(new Event('scroll'))");
    await show(withLines(90));
    assert.equal(await page.evaluate("window.scrollY"), 400);
  });

  it("takes no focus when responses arrive, and has its position when it is used again", async () => {
    const { page, show } = await open();
    const shown = { ...ready(fullSkill), review: driftedReview };
    await show(shown);
    const focused = () => page.evaluate("document.activeElement.id");
    await page.focus("#reviewSkill");
    // As in the editor while a picker is open.
    await page.evaluate("document.hasFocus = () => false");
    for (const line of ["Older.", "Newer."]) {
      await show({ ...shown, review: { ...driftedReview, lines: [line] } });
    }
    assert.equal(await focused(), "");
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    assert.equal(await focused(), "reviewSkill");
  });

  it("returns the focus to its element, or to its tab, after a response", async () => {
    const { page, show } = await open({ kept: { ...keptState, tab: "versions" } });
    await show(ready(fullSkill));
    const focusedLabel = () => page.evaluate("document.activeElement.ariaLabel");
    await page.getByRole("button", { name: "Show version 1.4.2" }).focus();
    await show({ ...ready(fullSkill), stale: "Old." });
    assert.equal(await focusedLabel(), "Show version 1.4.2");
    const versions = fullSkill.versions.slice(0, 2);
    await show(ready({ ...fullSkill, versions }));
    assert.equal(await page.evaluate("document.activeElement.id"), "versions-tab");
    await show({ ...ready(fullSkill), compared });
    assert.equal(await page.evaluate("document.activeElement.id"), "versions-tab");
    await show(failed);
    await show(ready(fullSkill));
    assert.equal(await page.evaluate("document.activeElement === document.body"), true);
  });

  it("uses the reader's language", async () => {
    const words = { Overview: "Überblick", "by {name}": "von {name}" };
    const { page, show } = await open({ words });
    await show(ready(fullSkill));
    assert.equal(await page.locator("#overview-tab").textContent(), "Überblick");
    assert.match((await page.locator(".by").textContent()) ?? "", /^von Tabular Tools/);
  });

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

  // One theme with colored surfaces, and one with borders instead.
  for (const [theme, rules] of someOf(axeRules, ["dark", "highContrast"])) {
    const cases: readonly (readonly [string, (readonly [SkillPage, readonly PageTab[]])[]])[] = [
      ["any tab of a skill", [[ready(fullSkill), pageTabs]]],
      [
        "what has colors of its own",
        [
          [{ ...ready(fullSkill), compared, stale: "Old." }, ["versions"]],
          [
            { ...ready(powerfulSkill), review: driftedReview, agents: allowedForAgents },
            ["overview"],
          ],
          [
            { ...ready(fullSkill), trials: { 0: triedExample, 1: runningTrial(true, english) } },
            ["examples"],
          ],
          [failed, []],
          [comparison, []],
        ],
      ],
      [
        "other pages",
        [
          [{ ...ready(powerfulSkill), review: driftedReview }, ["input"]],
          [ready(bareSkill), ["overview", "versions"]],
          [gone, []],
          [{ kind: "comparison", slugs: ["a", "b"] }, []],
          [{ kind: "loading", slug: "csv-profile" }, []],
        ],
      ],
    ];
    for (const [what, states] of rules === "colors" ? cases.slice(0, 2) : cases) {
      it(`passes axe in ${theme}: ${what}`, async () => {
        const { page, show } = await open({ theme: theme as ThemeName });
        for (const [shown, tabs] of states) {
          await show(shown);
          if (tabs.length === 0) assert.deepEqual(await axeViolations(page, rules), []);
          for (const tab of tabs) {
            await page.click(`#${tab}-tab`);
            assert.deepEqual(await axeViolations(page, rules), [], tab);
          }
        }
      });
    }
  }
});

const keptState: PageState = { slug: "csv-profile", version: "", tab: "overview", scrollTop: 0 };

async function tabTo(page: Page): Promise<string> {
  await page.keyboard.press("Tab");
  return String(await page.evaluate("document.activeElement.innerText"));
}
