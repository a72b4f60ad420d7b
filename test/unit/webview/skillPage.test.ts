import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { runningTrial } from "../../../src/core/invocation/output/exampleTrial";
import type { JsonValue } from "../../../src/core/json/jsonValue";
import type { SkillDetail } from "../../../src/core/skill/skill";
import { english } from "../../../src/core/text/language";
import { revealHidden } from "../../../src/core/text/plainText";
import { type PageTab, pageTabs, type SkillPage } from "../../../src/protocol/pageMessages";
import { readPageMessage } from "../../../src/protocol/readPageMessage";
import { someOf } from "../../editor/someOf";
import { bareSkill, fullSkill, powerfulSkill } from "../../fixtures/skillDetail";
import { axeRules, axeViolations } from "../../webview/axeViolations";
import { hostileTexts } from "../../webview/hostileTexts";
import { openPages } from "../../webview/openPages";
import { SampleForm } from "../../webview/sampleForms";
import {
  allowedForAgents,
  compared,
  comparison,
  driftedReview,
  ready,
} from "../../webview/samplePages";
import type { ThemeName } from "../../webview/themes";
import { withEveryText } from "../../webview/withEveryText";
import { failed, triedExample } from "./skillPages";

const gone: SkillPage = { kind: "gone", slug: "csv-profile", registryName: "registry.example" };

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

  it("offers to invoke a manifest of the workspace only if its code is on this machine", async () => {
    const { page, show, showForm, sent } = await open();
    const form = new SampleForm(fullSkill.inputSchema as JsonValue, {});
    const invokes = async (skill: SkillDetail) => {
      await show(ready(skill));
      const found: string[] = [];
      for (const tab of pageTabs) {
        await page.click(`#${tab}-tab`);
        if (tab === "input") await showForm(form.part());
        const names = await page
          .getByRole("button", { name: /Invoke|Copy As|Compare with…/ })
          .allInnerTexts();
        const questions = await page
          .getByText("Can I invoke it?")
          .filter({ visible: true })
          .count();
        found.push(...names, ...Array.from({ length: questions }, () => "question"));
      }
      return found;
    };
    assert.ok((await invokes(fullSkill)).length > 5);
    const runtime = { type: "http", entry: "http://127.0.0.1:3000/" };
    const own = await invokes({ ...fullSkill, isLocal: true, runtime });
    assert.equal(own.length, 1 + fullSkill.examples.length);
    assert.equal(own.includes("question"), false);
    assert.equal(
      await page
        .locator(".chips")
        .getByText(/^Invoke:/)
        .count(),
      0,
    );
    assert.deepEqual(await invokes({ ...fullSkill, isLocal: true }), []);
    await page.click("#input-tab");
    await page.locator("#try-it").getByRole("textbox").first().press("Control+Enter");
    const messages = (await sent()) as { type: string }[];
    assert.equal(
      messages.some(({ type }) => type === "invokeForm"),
      false,
    );
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
    assert.deepEqual(await texts("#publisher dd"), ["Tabular Tools", "established"]);
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

  it("uses the reader's language", async () => {
    const words = { Overview: "Überblick", "by {name}": "von {name}" };
    const { page, show } = await open({ words });
    await show(ready(fullSkill));
    assert.equal(await page.locator("#overview-tab").textContent(), "Überblick");
    assert.match((await page.locator(".by").textContent()) ?? "", /^von Tabular Tools/);
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
