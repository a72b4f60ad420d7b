import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Page } from "playwright-core";
import { endedTrial, runningTrial } from "../../../../src/core/invocation/output/exampleTrial";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { runSync } from "../../../../src/core/text/chunked";
import { english } from "../../../../src/core/text/language";
import { revealHidden } from "../../../../src/core/text/plainText";
import { catalog } from "../../../../src/localRegistry/catalog/catalog";
import type { SkillPage } from "../../../../src/protocol/pageMessages";
import { readPageMessage } from "../../../../src/protocol/readPageMessage";
import { someOf } from "../../../editor/someOf";
import { pngOf } from "../../../fixtures/images";
import { pastInvocation } from "../../../fixtures/pastInvocation";
import { fullSkill } from "../../../fixtures/skillDetail";
import { axeRules, axeViolations } from "../../../webview/axeViolations";
import { hostileTexts } from "../../../webview/hostileTexts";
import { openPages } from "../../../webview/openPages";
import type { OpenOptions } from "../../../webview/pageBrowser";
import { SampleForm } from "../../../webview/sampleForms";
import { ready } from "../../../webview/samplePages";
import type { ThemeName } from "../../../webview/themes";

describe("the form of a skill's page", () => {
  const open = openPages();

  /** Opens the Input tab of a page with a form, which changes as it does in the editor. */
  async function openForm(schema: JsonValue, value: JsonValue, options?: OpenOptions) {
    const opened = await open(options);
    const { page, show, showForm, sent } = opened;
    const shown = ready({ ...fullSkill, inputSchema: schema });
    await show(shown);
    await page.click("#input-tab");
    const form = new SampleForm(schema, value);
    await showForm(form.part());
    let read = (await sent()).length;
    const answer = async () => {
      await page.waitForFunction(
        (count) => (window as unknown as { sent: unknown[] }).sent.length > count,
        read,
      );
      const messages = (await sent()).slice(read);
      read += messages.length;
      let revision = 0;
      for (const message of messages) {
        assert.deepEqual(readPageMessage(message), message);
        form.take(message);
        revision = (message as { revision?: number }).revision ?? revision;
      }
      await showForm(form.part(revision));
      return messages;
    };
    const payload = () => JSON.parse(form.draft.text) as unknown;
    return { ...opened, shown, form, answer, payload };
  }

  const skill = (slug: string) => {
    const found = catalog.find((one) => one.slug === slug);
    assert.ok(found);
    const [{ manifest, examples }] = found.releases;
    return { schema: manifest.inputSchema, input: examples[0]?.input ?? {} };
  };

  it("is requested once, when its tab is shown", async () => {
    const { page, show, sent } = await open();
    await show(ready(fullSkill));
    assert.deepEqual(await sent(), []);
    await page.click("#input-tab");
    await page.click("#output-tab");
    await page.click("#input-tab");
    const asked = (await sent()) as { type: string }[];
    assert.equal(asked.filter(({ type }) => type === "readForm").length, 1);
  });

  it("sends typed values, shows the problem at the field, and keeps the cursor", async () => {
    const { schema, input } = skill("burst-limited");
    const { page, answer, payload } = await openForm(schema, input);
    const length = page.getByRole("textbox", { name: "Length" });
    await length.fill("99");
    await answer();
    assert.deepEqual(payload(), { ...(input as object), length: 99 });
    assert.equal(await length.getAttribute("aria-invalid"), "true");
    const described = await length.getAttribute("aria-describedby");
    const texts = await page.evaluate(
      (ids) => ids.map((id) => document.getElementById(id)?.textContent ?? ""),
      described?.split(" ") ?? [],
    );
    assert.match(texts.join("\n"), /16 or less/);
    assert.equal(await length.evaluate((field) => field === document.activeElement), true);
    await page.keyboard.type("x");
    await answer();
    assert.equal(await length.inputValue(), "99x");
  });

  it("keeps typed values while the page around it is redrawn", async () => {
    const { schema, input } = skill("text-stats");
    const { page, show, shown, form, showForm } = await openForm(schema, input);
    const text = page.getByRole("textbox", { name: "Text" });
    await text.fill("typed");
    await showForm(form.part(0));
    await show({ ...shown, stale: "Since a minute." } as SkillPage);
    assert.equal(await text.inputValue(), "typed");
    assert.equal(await text.evaluate((field) => field === document.activeElement), true);
  });

  it("adds, chooses and removes, with the focus at the change", async () => {
    const { schema } = skill("vault-rotate");
    const { page, answer, payload } = await openForm(schema, {});
    await page.getByRole("button", { name: "Add Whom to tell" }).click();
    await answer();
    await page.getByLabel("Kind of [0]").selectOption({ label: "In a channel" });
    await answer();
    assert.deepEqual((payload() as { notify: { via: string }[] }).notify[0]?.via, "channel");
    await page.getByRole("button", { name: "Remove [0]" }).click();
    await answer();
    assert.deepEqual(payload(), { notify: [] });
    await page.getByLabel("Reason").selectOption({ label: "leak" });
    await answer();
    assert.equal((payload() as { reason: string }).reason, "leak");
    assert.match((await page.locator("#try-it").innerText()) ?? "", /"ticket" is missing/);
  });

  it("shows costs and permissions once, in the head or beside its Invoke button, and the result below", async () => {
    const { schema, input } = skill("text-stats");
    const { page, show, shown, sent } = await openForm(schema, input);
    const word = page.locator(".chips .chip-word").first();
    // Chips without room for a word are clipped to a dot.
    const isWordShown = async () => ((await word.boundingBox())?.width ?? 0) > 1;
    assert.deepEqual(
      [await page.locator(".stakes").isVisible(), await isWordShown()],
      [false, true],
    );
    await page.setViewportSize({ width: 700, height: 800 });
    assert.deepEqual(
      [await page.locator(".stakes").isVisible(), await isWordShown()],
      [true, false],
    );
    assert.match(await page.locator(".stakes").innerText(), /Price: .*\n.*Permission level: /);
    await page.locator("#invoke-form").click();
    assert.deepEqual((await sent()).at(-1), { type: "invokeForm" });
    const form = { ...runningTrial(true, english), kind: "ended", word: "Success" } as const;
    await show({
      ...(shown as Extract<SkillPage, { kind: "ready" }>),
      trials: { form: { ...form, output: { text: "{}", whole: true } } },
    });
    for (const name of ["Open Invocation", "Save as Test", "Use as Payload", "Copy"]) {
      await page.locator("#try-it").getByRole("button", { name }).first().click();
      assert.equal(((await sent()).at(-1) as { trial: unknown }).trial, "form");
    }
    assert.match((await page.locator(".announced").textContent()) ?? "", /Try It: Success/);
  });

  it("opens with the focus in its first field, even before the skill is loaded", async () => {
    const { schema, input } = skill("text-stats");
    const form = new SampleForm(schema, input);
    const shown = ready({ ...fullSkill, inputSchema: schema });
    const isFocused = (page: Page) =>
      page.getByRole("textbox", { name: "Text" }).evaluate((one) => one === document.activeElement);
    const pressed = await open();
    await pressed.show(shown);
    await pressed.page.locator("#try-form").click();
    await pressed.showForm(form.part());
    assert.equal(await isFocused(pressed.page), true);
    const asked = await open();
    await asked.show({ kind: "loading", slug: shown.skill.slug });
    await asked.tryIt();
    await asked.show(shown);
    await asked.showForm(form.part());
    assert.equal(await isFocused(asked.page), true);
    const position = (id: string) =>
      asked.page.locator(id).evaluate((one) => one.getBoundingClientRect().bottom);
    assert.ok((await position("#invoke-form")) < 800, "▷ is in sight");
    assert.ok((await position("#invoke-form")) < (await position(".field textarea")));
    await asked.page.click("#overview-tab");
    await asked.tryIt();
    assert.equal(await isFocused(asked.page), true);
  });

  it("opens with the focus in the first required field that is empty", async () => {
    const text = { type: "string" };
    const inner = { type: "object", required: ["body"], properties: { body: text } };
    const properties = { note: text, subject: text, prio: { enum: ["low", "high"] }, inner };
    const schema: JsonValue = {
      type: "object",
      required: ["subject", "prio", "inner"],
      properties,
    };
    const cases = [
      [{ subject: "", prio: "low", inner: { body: "" } }, "subject"],
      [{ subject: "a", prio: "", inner: { body: "" } }, "prio"],
      [{ subject: "a", prio: "low", inner: { body: "" } }, "body"],
      [{ subject: "a", prio: "low", inner: { body: "b" } }, "subject"],
    ] as const;
    for (const [value, name] of cases) {
      const { page, tryIt } = await openForm(schema, value as JsonValue);
      await tryIt();
      const field = page.getByLabel(name, { exact: true }).first();
      assert.equal(await field.evaluate((one) => one === document.activeElement), true, name);
    }
  });

  it("names invalid JSON beside its Invoke button, and leads there", async () => {
    const { schema, input } = skill("json-diff");
    const { page, answer, form, showForm } = await openForm(schema, input);
    const before = page.getByRole("textbox", { name: "Before" });
    await before.fill("{ no");
    await answer();
    const problem = page.locator("#form-problem");
    assert.match(await problem.innerText(), /“Before” is not JSON, so nothing can be sent/);
    await page.locator("#open-form").focus();
    await problem.click();
    const isThere = () => before.evaluate((one) => one === document.activeElement);
    assert.equal(await isThere(), true);
    await page.locator("#open-form").focus();
    await showForm({ ...form.part(), focus: "/before" });
    assert.equal(await isThere(), true);
    await before.fill("{}");
    await answer();
    assert.equal(await problem.count(), 0);
  });

  it("invokes by a key from any field, without moving the focus", async () => {
    const { schema, input } = skill("text-stats");
    const { page, show, shown, sent } = await openForm(schema, input);
    const text = page.getByRole("textbox", { name: "Text" });
    await text.press("Control+Enter");
    assert.deepEqual((await sent()).at(-1), { type: "invokeForm" });
    await show({ ...shown, trials: { form: runningTrial(true, english) } });
    await text.press("Control+Enter");
    const invoked = ((await sent()) as { type: string }[]).filter(
      ({ type }) => type === "invokeForm",
    );
    assert.equal(invoked.length, 1);
    assert.equal(await text.evaluate((one) => one === document.activeElement), true);
  });

  it("keeps the focus on its Invoke button during the invocation", async () => {
    const { schema, input } = skill("text-stats");
    const { page, show, shown } = await openForm(schema, input);
    await page.locator("#invoke-form").click();
    await show({ ...shown, trials: { form: runningTrial(true, english) } });
    assert.equal(await page.evaluate(() => document.activeElement?.id), "invoke-form");
  });

  it("marks a result as belonging to an earlier payload", async () => {
    const { schema, input } = skill("text-stats");
    const { page, show, shown, form, answer } = await openForm(schema, input);
    const ended = { ...runningTrial(true, english), kind: "ended", word: "Success" } as const;
    const trial = { ...ended, payload: form.part().payload };
    await show({ ...shown, trials: { form: trial } });
    const text = () => page.locator("#try-it").innerText();
    assert.doesNotMatch(await text(), /earlier payload/);
    await page.getByRole("textbox", { name: "Text" }).fill("other");
    await answer();
    assert.match(await text(), /This is the result of an earlier payload/);
  });

  it("shows images of an output as the page's policy allows, and everything else as text", async () => {
    const { schema, input } = skill("text-stats");
    const { page, show, shown, sent } = await openForm(schema, input);
    const lie = `data:image/png;base64,${Buffer.from(`<svg onload="hacked=1">${" ".repeat(90)}`).toString("base64")}`;
    const output = { chart: `data:image/png;base64,${pngOf(40, 30)}`, lie, hostileTexts };
    const record = pastInvocation(0, { status: "success" });
    const reader = { language: english, now: 0 };
    const form = runSync(endedTrial(record, JSON.stringify(output), reader));
    await show({ ...shown, trials: { form } });
    const image = page.locator("#try-it img");
    assert.equal(await image.count(), 1);
    assert.equal(
      await image.evaluate((one: HTMLImageElement) => one.decode().then(() => one.naturalWidth)),
      40,
    );
    assert.match(
      (await page.locator(".trial-part .text").first().textContent()) ?? "",
      /^data:image/,
    );
    assert.equal(await page.evaluate("window.hacked"), undefined);
    await page.getByRole("button", { name: "Save as File: chart" }).click();
    assert.deepEqual((await sent()).at(-1), { type: "saveTrialPart", trial: "form", part: 0 });
    assert.deepEqual(await axeViolations(page, axeRules.dark), []);
  });

  it("shows a list of fixed values as check boxes, and offers a default until it is used", async () => {
    const words = { enum: ["email", "phone", "name"] };
    const schema: JsonValue = {
      type: "object",
      properties: {
        find: { type: "array", items: words, maxItems: 2, default: ["email", "phone"] },
        limit: { type: "integer", default: 5, examples: [5, 7] },
      },
    };
    const { page, answer, payload } = await openForm(schema, {});
    const boxes = page.getByRole("group", { name: "find" });
    assert.match(await page.locator("#try-it").innerText(), /Default: email, phone/);
    await page.getByRole("button", { name: "Use default: find" }).click();
    await answer();
    assert.deepEqual(payload(), { find: ["email", "phone"] });
    assert.equal(await page.getByRole("button", { name: "Use default: find" }).count(), 0);
    await boxes.getByLabel("email").uncheck();
    await answer();
    await boxes.getByLabel("name").check();
    await answer();
    assert.deepEqual(payload(), { find: ["phone", "name"] });
    assert.equal(
      await boxes.getByLabel("name").evaluate((one) => one === document.activeElement),
      true,
    );
    assert.deepEqual(
      await page.getByRole("list", { name: "Suggestions for limit" }).allInnerTexts(),
      ["7"],
    );
    assert.deepEqual(await axeViolations(page, axeRules.dark), []);
  });

  for (const width of [1000, 540]) {
    it(`keeps its Invoke button in sight beside the last field at a width of ${width}`, async () => {
      const names = Array.from({ length: 40 }, (_, index) => [`field${index}`, { type: "string" }]);
      const schema: JsonValue = { type: "object", properties: Object.fromEntries(names) };
      const { page } = await openForm(schema, {});
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole("textbox", { name: "field39" }).scrollIntoViewIfNeeded();
      const top = (id: string) =>
        page.locator(id).evaluate((one) => one.getBoundingClientRect().top);
      const tabs = await page
        .locator("[part=tablist]")
        .evaluate((one) => one.getBoundingClientRect().bottom);
      assert.ok((await top("#invoke-form")) >= tabs - 1, "below the tabs");
      assert.ok((await top(".form-bar")) <= tabs, "no gap in which a field shows");
      assert.ok((await top("#invoke-form")) < 200, "in sight");
    });
  }

  it("sends typed values before it invokes", async () => {
    const { schema, input } = skill("text-stats");
    const { page, sent } = await openForm(schema, input);
    await page.getByRole("textbox", { name: "Text" }).fill("last");
    await page.locator("#invoke-form").click();
    const [edit, invoke] = ((await sent()) as { type: string }[]).slice(-2);
    assert.deepEqual([edit?.type, invoke?.type], ["editForm", "invokeForm"]);
  });

  it("shows a registry's texts literally, and runs nothing", async () => {
    const names = hostileTexts.map((hostile) => hostile || "x");
    const property = (name: string) => ({ type: "string", title: name, description: name });
    const schema: JsonValue = {
      title: names.join(" "),
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, property(name)])),
    };
    const value = Object.fromEntries(names.map((name) => [name, name]));
    const { page } = await openForm(schema, value);
    await page
      .locator(".field")
      .nth(names.length - 1)
      .waitFor();
    assert.equal(await page.evaluate(() => "hacked" in window), false);
    const labels = await page.locator("#try-it .field .name").allTextContents();
    assert.deepEqual(labels.slice(-names.length), names.map(revealHidden));
  });

  for (const [theme, rules] of someOf(axeRules, ["dark", "light", "highContrast"])) {
    it(`passes axe in ${theme}`, async () => {
      const { schema } = skill("vault-rotate");
      const value = { reason: "leak", notify: [{ via: "email", address: 1 }], more: { a: 1 } };
      const { page } = await openForm(schema, value, { theme: theme as ThemeName });
      assert.deepEqual(await axeViolations(page, rules), []);
    });
  }

  for (const width of [200, 320, 640, 1400]) {
    it(`fits a page of ${width} pixels`, async () => {
      const { schema, input } = skill("redact-pii");
      const { page } = await openForm(schema, input, { width });
      const wide = await page
        .locator("#try-it *")
        .evaluateAll((all) =>
          all
            .filter((one) => one.getBoundingClientRect().right > innerWidth)
            .map((one) => one.outerHTML),
        );
      assert.deepEqual(wide, []);
    });
  }
});
