import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { runningTrial, trialWithNotice } from "../../../src/core/invocation/output/exampleTrial";
import { english } from "../../../src/core/text/language";
import { type PageTab, pageTabs } from "../../../src/protocol/pageMessages";
import { readPageMessage } from "../../../src/protocol/readPageMessage";
import { fullSkill } from "../../fixtures/skillDetail";
import { openPages } from "../../webview/openPages";
import type { OpenPage } from "../../webview/pageBrowser";
import { ready } from "../../webview/samplePages";
import { triedExample } from "./skillPages";

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

  it("sends each button's request in messages that the host reads", async () => {
    const opened = await open();
    const { page, show, sent } = opened;
    await show(ready(fullSkill));
    const asked: Record<string, unknown[]> = {};
    for (const tab of pageTabs) {
      await page.click(`#${tab}-tab`);
      if (tab === "input") await page.getByText("Input schema", { exact: true }).click();
      for (const [name, messages] of await pressEach(opened, tab)) {
        asked[`${tab}: ${name}`] = messages;
      }
    }
    const headCommands = ["copyAs", "compareSkills"];
    const buttons = ["by-publisher", "open-payload", ...headCommands];
    await page.click("#overview-tab");
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
      "output: Expand all": [],
      "output: Collapse all": [],
      "output: Copy: Output schema": [{ type: "copy", what: "outputSchema" }],
      "output: Open in editor: Output schema": [{ type: "openText", what: "outputSchema" }],
      "output: Find in this page": [{ type: "find" }],
      "output: Copy: Example output": [{ type: "copyExample", example: 0, side: "output" }],
      "examples: Invoke with Two columns": [{ type: "invokeExample", example: 0 }],
      "examples: Open Payload: Two columns": [{ type: "newPayload", example: 0 }],
      "examples: Copy: Input of Two columns": [{ type: "copyExample", example: 0, side: "input" }],
      "examples: Copy: Output of Two columns": [
        { type: "copyExample", example: 0, side: "output" },
      ],
      "examples: Invoke with Semicolons, first 100 rows": [{ type: "invokeExample", example: 1 }],
      "examples: Open Payload: Semicolons, first 100 rows": [{ type: "newPayload", example: 1 }],
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
    await show({ ...shown, trials: { 0: { ...triedExample, isUnrecorded: true } } });
    const record = result.getByRole("button", { name: "Open Invocation: Two columns" });
    assert.equal(await record.count(), 0, "nothing refers to a result without a record");
  });

  it("offers a remedy if an example was not sent", async () => {
    const { page, show, sent } = await open();
    const notice = {
      severity: "error",
      message: "The payload has a problem.",
      actions: [{ action: "showInput", title: "Open Payload" }],
    } as const;
    await show({ ...ready(fullSkill), trials: { 1: trialWithNotice(undefined, notice, english) } });
    await page.click("#examples-tab");
    const result = page.getByRole("group", { name: /^Result of Semicolons/ });
    assert.match(await result.innerText(), /Not sent\s+The payload has a problem\./);
    await result.getByRole("button", { name: /^Open Payload/ }).click();
    assert.deepEqual((await sent()).at(-1), { type: "runTrialAction", trial: 1, action: 0 });
  });

  it("shows in one line each whether it can be invoked, its cost and its destination, without codes", async () => {
    const { page, show, sent } = await open();
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
    const missing = { ...refused, code: "skill_not_installed", text: "Not there." };
    await show({ ...shown, run: { ...shown.run, ...missing } });
    assert.deepEqual(await lines(), ["Can I invoke it?", "No", "Not there.", ...facts, "Install…"]);
    await card.getByRole("button", { name: "Install…" }).click();
    assert.deepEqual((await sent()).at(-1), { type: "runCommand", command: "installSkill" });
    await show({ ...shown, run: { ...shown.run, ...refused } });
    await page.click("#input-tab");
    assert.match(await page.locator(".chips").innerText(), /Invoke: No\s+\$0\.02 per invocation/);
  });
});
