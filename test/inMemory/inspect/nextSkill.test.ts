import { strict as assert } from "node:assert";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { foreignSkills } from "../../fixtures/registries/foreignSkills";
import { skillPath } from "../../fixtures/registries/manifestRegistry";
import type { Answer } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";

/** The content of a file, which only the skill's schema distinguishes from a name. */
const file = "A page of the document.";
const outputSchema = {
  type: "object",
  properties: {
    page: { type: "string", contentEncoding: "base64", contentMediaType: "application/pdf" },
  },
};

describe("A page that shows the next skill before an invocation of the last one is over", () => {
  const editor = useEditor({ settings: { "skillRegistry.history.keepTexts": "always" } });
  let registry: ForeignRegistry;
  before(async () => {
    const [tally] = foreignSkills;
    registry = await startForeignRegistry({ dialect: "camel" });
    registry.answer(skillPath("word-tally"), { body: { ...tally?.manifest, outputSchema } });
    await editor.connectTo(registry);
    const setting = editor.run("setProjectKey");
    await editor.answer(registry.projectKey);
    await setting;
  });
  after(() => registry.close());

  const sent = () => registry.requests.filter(({ path }) => path === "/v1/runtime/invoke").length;
  const success = (output: object) => ({
    body: { invocationId: "i-1", status: "success", amountCents: 3, currency: "EUR", output },
  });
  const showRow = async (title: string) => {
    await editor.pressRow("skills", title);
    const page = await editor.page(title);
    await editor.until("the skill", () => page.shown?.kind === "ready");
    const trial = () => (page.shown?.kind === "ready" ? page.shown.trials[0] : undefined);
    return { page, trial };
  };

  it("asks for the first skill's terms again, though the next skill's were agreed to", async () => {
    let answer = (_: Answer) => {};
    const answered = new Promise<Answer>((resolve) => {
      answer = resolve;
    });
    registry.answer("/v1/runtime/invoke", () => answered);
    const first = await showRow("Word Tally");
    first.page.send({ type: "invokeExample", example: 0 });
    await editor.press("Invoke word-tally@2.1.0?", "Invoke");
    await editor.until("that it is sent", () => sent() === 1);

    const next = await showRow("Ledger Close");
    registry.answer("/v1/runtime/invoke", success({ closed: "2026-10" }));
    next.page.send({ type: "invokeExample", example: 0 });
    await editor.press("Invoke ledger-close@2.1.0?", "Invoke");
    await editor.until("its end", () => next.trial()?.kind === "ended");

    answer({ status: 429, headers: { "retry-after": "1" }, body: { error: "Later." } });
    const notice = await editor.notification(/^word-tally was not run/);
    // A person cannot press a button before the editor has drawn it.
    await new Promise((done) => setImmediate(done));
    notice.press("Wait and Send");
    await editor.progress("Waiting for the rate limit");
    await editor.clock.advance(2_000);
    await editor.press("Invoke word-tally@2.1.0?", "Cancel");
    assert.equal(sent(), 2);
  });

  it("saves a file of the first skill's output with the type in that skill's schema", async () => {
    const page = Buffer.from(file).toString("base64");
    registry.answer("/v1/runtime/invoke", success({ page }));
    const first = await showRow("Word Tally");
    first.page.send({ type: "invokeExample", example: 0 });
    await editor.press("Invoke word-tally@2.1.0?", "Invoke");
    await editor.until("its end", () => first.trial()?.kind === "ended");
    // The latest output is cached; an earlier one is read from the store.
    await editor.newPayload("word-tally", '{ "text": "later" }');
    await editor.run("invoke");
    // A second click on its row soon after the first would keep the page.
    await editor.clock.advance(5_000);

    const answer = editor.delayAnswer("texts");
    const { page: shown } = await showRow("Word Tally");
    shown.send({ type: "saveTrialPart", trial: 0, part: 0 });
    await showRow("Ledger Close");
    assert.deepEqual(
      editor.parts.tabs.panels.map(({ title }) => title),
      ["Ledger Close"],
    );
    answer();
    const folder = await mkdtemp(join(tmpdir(), "skill-page-"));
    await editor.chooseFile(join(folder, "page.pdf"));
    await editor.status("Saved as page.pdf");
    assert.equal(await readFile(join(folder, "page.pdf"), "utf8"), file);
    await rm(folder, { recursive: true });
  });
});
