import { strict as assert } from "node:assert";
import { after, describe, it } from "mocha";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";

describe("An example on the page of a skill", () => {
  const editor = useEditor();
  let registry: ForeignRegistry | undefined;
  const open = async (slug: string, title: string | RegExp) => {
    await editor.run("openSkill", slug);
    const page = await editor.page(title);
    await editor.until("the skill", () => page.shown?.kind === "ready");
    const trial = () => (page.shown?.kind === "ready" ? page.shown.trials[0] : undefined);
    return {
      page,
      trial,
      ended: () => editor.until("its end", () => trial()?.kind === "ended" && trial()),
    };
  };
  after(() => registry?.close());

  it("is invoked like every invocation, and its result appears in its place", async () => {
    const { page, ended } = await open("text-stats", "Text statistics");
    page.send({ type: "invokeExample", example: 0 });
    const trial = await ended();
    assert.deepEqual([trial.word, trial.tone], ["Success", "good"]);
    assert.match(trial.output?.text ?? "", /"words": \d/);
    await editor.status(/text-stats: success/);
    const [record] = await recordsOf(editor);
    assert.deepEqual([record?.skillSlug, record?.caller?.kind], ["text-stats", "person"]);
    assert.match(editor.output, /text-stats@.* {2}success/);
    const [, id = "none"] = /Invocation ID: (\S+)/.exec(editor.output) ?? [];
    assert.ok(trial.facts.includes(id));
    assert.equal(editor.parts.tabs.all.length, 1);
    page.send({ type: "openResult", trial: 0, what: "record" });
    const shown = await editor.until("the record", () => {
      const document = editor.parts.tabs.activeEditor?.document;
      return document?.uri.scheme === "skill-invocation" && document;
    });
    assert.match(shown.getText(), new RegExp(id));
  });

  it("is one invocation for a double click", async () => {
    const { page, ended } = await open("json-diff", "JSON diff");
    for (let click = 0; click < 2; click += 1) page.send({ type: "invokeExample", example: 0 });
    await ended();
    assert.equal(
      (await recordsOf(editor)).filter(({ skillSlug }) => skillSlug === "json-diff").length,
      1,
    );
  });

  it("is not invoked by a hidden page", async () => {
    const { page, trial } = await open("csv-profile", "CSV profile");
    await editor.newPayload("text-stats", '{ "text": "in front" }');
    assert.equal(page.panel.api.visible, false);
    page.send({ type: "invokeExample", example: 0 });
    page.send({ type: "copyExample", example: 0, side: "input" });
    await editor.status("Copied");
    assert.equal(trial(), undefined);
    assert.ok((await recordsOf(editor)).every(({ skillSlug }) => skillSlug !== "csv-profile"));
  });

  it("is read on the page without a document", async () => {
    const { page } = await open("text-stats", "Text statistics");
    page.send({ type: "copyExample", example: 0, side: "input" });
    page.send({ type: "openExample", example: 0, side: "input" });
    const document = await editor.until("the example", () => {
      const shown = editor.parts.tabs.activeEditor?.document;
      return shown?.uri.scheme === "skill-manifest" && shown;
    });
    assert.equal(typeof JSON.parse(document.getText()).text, "string");
    assert.ok(editor.vscode.workspace.textDocuments.every(({ isUntitled }) => !isUntitled));
  });

  it("asks for the terms on each page, even after an agreement, and a no sends nothing", async () => {
    const foreign = await startForeignRegistry({ dialect: "camel" });
    registry = foreign;
    const sent = () => foreign.requests.filter(({ path }) => path === "/v1/runtime/invoke").length;
    await editor.connectTo(registry);
    const setting = editor.run("setProjectKey");
    await editor.answer(registry.projectKey);
    await setting;
    const question = "Invoke word-tally@2.1.0?";
    await editor.newPayload("word-tally", '{ "text": "agreed" }');
    const invoked = editor.run("invoke");
    await editor.press(question, "Invoke");
    await invoked;
    assert.equal(sent(), 1);

    const { page, trial, ended } = await open("word-tally", "Word Tally");
    page.send({ type: "invokeExample", example: 0 });
    await editor.press(question, "Cancel");
    await editor.until("that nothing is shown", () => trial() === undefined);
    assert.equal(sent(), 1);
    page.send({ type: "invokeExample", example: 0 });
    await editor.press(question, "Invoke");
    assert.deepEqual([(await ended()).word, sent()], ["Success", 2]);
  });

  it("is canceled on the page, also after a double click", async () => {
    await editor.connectTo();
    const { page, trial, ended } = await open("slow-report", /Slow/i);
    for (let click = 0; click < 2; click += 1) page.send({ type: "invokeExample", example: 0 });
    await editor.press("Invoke slow-report@0.4.0?", "Invoke");
    await editor.until("that it runs", () => trial()?.word === "Running…");
    page.send({ type: "cancelTrial", trial: 0 });
    assert.equal((await ended()).word, "Canceled");
  });

  it("shows a remedy on the page if the registry rejects it", async () => {
    const { page, trial } = await open("market-data", /Market/i);
    page.send({ type: "invokeExample", example: 0 });
    await editor.press(/^Invoke market-data@/, "Invoke");
    await editor.until("what helps", () => (trial()?.actions.length ?? 0) > 0);
    assert.match(trial()?.message ?? "", /^market-data was not run:/);
    const notifications = editor.parts.notices.filter(({ kind }) => kind === "notification");
    assert.deepEqual(notifications, []);
  });
});

describe("Each sample above the practice skills", () => {
  const editor = useEditor();

  it("answers the first time, without an account and a key", async () => {
    const rows = (await editor.view("skills")).rows.map(({ label }) => label);
    const first = rows.slice(
      0,
      rows.findIndex((label) => label.startsWith("Practice")),
    );
    assert.equal(first.length, 5, rows.join());
    for (const label of first) {
      await editor.pressRow("skills", label);
      const page = await editor.page(label);
      await editor.until("the skill", () => page.shown?.kind === "ready");
      const trial = () => (page.shown?.kind === "ready" ? page.shown.trials[0] : undefined);
      page.send({ type: "invokeExample", example: 0 });
      const question = () => editor.parts.notices.find(({ text }) => text.startsWith("Invoke "));
      await editor.until("its end, or a question", () => trial()?.kind === "ended" || question());
      if (question() !== undefined) await editor.press(/^Invoke /, "Invoke");
      await editor.until("its end", () => trial()?.kind === "ended");
      assert.equal(trial()?.word, "Success", label);
    }
  });
});
