import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { runningTrial } from "../../../src/core/invocation/output/exampleTrial";
import { describeCallability } from "../../../src/core/invocation/permission/callability";
import { compareSkills } from "../../../src/core/skill/compare/compareSkills";
import { describeChanges } from "../../../src/core/skill/compare/describeChanges";
import { describeSkill, staleText } from "../../../src/core/skill/description/describeSkill";
import type { SkillDetail } from "../../../src/core/skill/skill";
import { languageOf } from "../../../src/core/text/language";
import { pageTabs, type SkillPage } from "../../../src/protocol/pageMessages";
import { outlinesOf } from "../../fixtures/outlines";
import { bareSkill, fixtureNow, fullSkill, powerfulSkill } from "../../fixtures/skillDetail";
import { openPages } from "../../webview/openPages";
import type { OpenPage } from "../../webview/pageBrowser";
import { usedTexts } from "../l10n/usedTexts";

// A language in which every text is itself in brackets, so that untranslated texts stand out.
const words = Object.fromEntries([...usedTexts().keys()].map((text) => [text, `⟦${text}⟧`]));
const language = languageOf("de", words);

describe("the pages in another language", () => {
  const open = openPages();

  for (const [name, skill] of Object.entries({ fullSkill, powerfulSkill, bareSkill })) {
    it(`contain English only from the registry, for ${name}`, async () => {
      const opened = await open({ words });
      await opened.show(pageOf(skill));
      assert.deepEqual(await englishIn(opened, skill), []);
      for (const tab of pageTabs.slice(1)) {
        await opened.page.click(`#${tab}-tab`);
        assert.deepEqual(await englishIn(opened, skill), [], tab);
      }
    });
  }

  it("contain no English about several skills, or none", async () => {
    const opened = await open({ words });
    const skills = [fullSkill, powerfulSkill, bareSkill].map((detail) => ({
      ok: true as const,
      skill: described(detail),
      outlines: outlinesOf(detail, language),
    }));
    const comparison = compareSkills(skills, language);
    const slugs = ["a", "b", "c"];
    const pages: SkillPage[] = [
      { kind: "comparison", slugs },
      { kind: "comparison", slugs, comparison },
      { kind: "loading", slug: "a" },
      { kind: "gone", slug: "a", registryName: "registry.example" },
      { kind: "failed", slug: "a", message: "⟦x⟧", actions: [] },
    ];
    for (const page of pages) {
      await opened.show(page);
      assert.deepEqual(await englishIn(opened, [fullSkill, powerfulSkill, bareSkill]), []);
    }
  });
});

function described(detail: SkillDetail) {
  const registry = { name: "registry.example", builtIn: false };
  return describeSkill(detail, { registry, now: fixtureNow, language });
}

function pageOf(detail: SkillDetail): SkillPage {
  const difference = describeChanges(
    { ...detail, permissions: undefined, inputSchema: { type: "string" } },
    { ...detail, outputSchema: { type: "object", properties: { a: { enum: [1] } } } },
    language,
  );
  return {
    kind: "ready",
    skill: described(detail),
    stale: staleText({ kind: "timeout", seconds: 5 }, fixtureNow, language),
    run: describeCallability(detail, { hasKey: false, invocations: [], now: fixtureNow }, language),
    review: { name: "unreviewed", word: "⟦x⟧", lines: ["⟦x⟧"] },
    agents: { rows: [["⟦x⟧", "⟦x⟧"]], isInForce: true },
    chosenVersion: "",
    compared: { kind: "ready", before: "1", after: "2", difference },
    schemas: Object.fromEntries(
      Object.entries(outlinesOf(detail, language)).map(([side, outline]) => [
        side,
        { outline, sample: undefined },
      ]),
    ),
    trials: {
      0: { ...runningTrial(false, language), facts: ["⟦x⟧"], message: "⟦x⟧" },
      1: {
        ...runningTrial(true, language),
        kind: "ended",
        actions: [{ action: "showInput", title: "⟦x⟧" }],
        output: { text: "1", whole: false },
      },
    },
  };
}

// Lists every text for a reader that is neither translated nor the registry's own.
async function englishIn(opened: OpenPage, registry: unknown): Promise<string[]> {
  const texts = await opened.page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      const isCode = parent?.closest("pre, code, .type, script, style") !== null;
      if (parent?.checkVisibility() && !isCode) found.push(node.textContent?.trim() ?? "");
    }
    for (const labeled of document.querySelectorAll("[aria-label]:not([aria-hidden])")) {
      found.push(labeled.getAttribute("aria-label") ?? "");
    }
    return found;
  });
  const said = JSON.stringify(registry);
  const ours = texts.filter((text) => /\p{L}{2}/u.test(text) && !text.includes("⟦"));
  const values = /^\d+\.\d+\.\d{4} \((?:vor|gestern|letzt)|^\d+ ms$|^\w+ \(\w+\)/;
  return ours.filter(
    (text) => !said.includes(JSON.stringify(text).slice(1, -1)) && !values.test(text),
  );
}
