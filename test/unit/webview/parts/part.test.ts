import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Page } from "playwright-core";
import { runningTrial } from "../../../../src/core/invocation/output/exampleTrial";
import { english } from "../../../../src/core/text/language";
import { type PageTab, pageTabs, type ReadyPage } from "../../../../src/protocol/pageMessages";
import { fullSkill } from "../../../fixtures/skillDetail";
import { openPages } from "../../../webview/openPages";
import { allowedForAgents, compared, driftedReview, ready } from "../../../webview/samplePages";

const regions: Readonly<Record<string, string>> = {
  notices: ".notices",
  name: ".name-line",
  head: ".head",
  cards: ".trust",
  overview: ".unboxed",
  ...Object.fromEntries(pageTabs.slice(1).map((tab) => [tab, `#${tab}-view > *`])),
  // Its first part is the form, which requests its content itself.
  input: "#input-schema > :last-child",
};

/** Marks the elements of each region, and returns a function that lists the regions without their mark. */
async function drawnAnew(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate((all) => {
    for (const selector of Object.values(all)) {
      const region = document.querySelector(selector);
      const marked = region?.firstElementChild ?? region?.appendChild(document.createElement("i"));
      marked?.setAttribute("data-mark", "");
    }
  }, regions);
  return () =>
    page.evaluate(
      (all) =>
        Object.entries(all)
          .filter(([, selector]) => document.querySelector(`${selector} > [data-mark]`) === null)
          .map(([name]) => name),
      regions,
    );
}

describe("a change of the skill page", () => {
  const open = openPages();
  const shown = ready(fullSkill);
  const changed = { ...fullSkill, summary: { ...fullSkill.summary, displayName: "Changed" } };
  const cases: readonly (readonly [string, ReadyPage, readonly string[]])[] = [
    ["a note that it may be out of date", { ...shown, stale: "Old." }, ["notices"]],
    [
      "whether it can be invoked",
      { ...shown, run: { ...shown.run, kind: "no" } },
      ["name", "cards"],
    ],
    ["its review", { ...shown, review: driftedReview }, ["name", "cards"]],
    ["what agents may do", { ...shown, agents: allowedForAgents }, ["overview"]],
    ["two versions compared", { ...shown, compared }, []],
    ["a trial of an example", { ...shown, trials: { 0: runningTrial(true, english) } }, []],
    ["an outline of a schema", { ...shown, schemas: {} }, ["input", "output"]],
    ["its name", ready(changed), ["name", "overview"]],
  ];
  for (const [what, after, expected] of cases) {
    it(`redraws only the parts that show it: ${what}`, async () => {
      const { page, show } = await open();
      await show(shown);
      for (const tab of pageTabs satisfies readonly PageTab[]) {
        await page.locator(`#${tab}-view > *`).first().waitFor({ state: "attached" });
      }
      const anew = await drawnAnew(page);
      await show(after);
      assert.deepEqual(await anew(), expected);
    });
  }
});
