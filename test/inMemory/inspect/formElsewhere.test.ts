import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import type { FormPart } from "../../../src/protocol/pageMessages";
import { skillPath } from "../../fixtures/registries/manifestRegistry";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";

describe("The form of a page that changes before the form is made", () => {
  const editor = useEditor();
  let registry: LocalRegistry;
  let shown: TestRegistry;

  before(async () => {
    registry = await startLocalRegistry();
    shown = await startTestRegistry({}, { behind: registry });
    await editor.connectTo(shown);
  });
  after(() => Promise.all([shown.close(), registry.close()]));

  /** Shows a skill by its row, in place of the one that the page shows. */
  async function showRow(title: string) {
    await editor.pressRow("skills", title);
    const page = await editor.page(title);
    await editor.until("the skill", () => page.shown?.kind === "ready");
    const form = (revision: number) =>
      editor.until("the form", () => {
        const parts = page.panel.messages as FormPart[];
        const part = parts.findLast(({ type }) => type === "form");
        return part?.revision === revision && part;
      });
    return { page, form };
  }

  it("It keeps a change that is applied while the skill is read again", async () => {
    const { page, form } = await showRow("Text statistics");
    page.send({ type: "readForm" });
    await form(0);
    const answer = editor.delayAnswer("form");
    const edit = { what: "write", pointer: "/text", text: "One." } as const;
    page.send({ type: "editForm", edit, revision: 1 });
    shown.answer(skillPath("text-stats"), async ({ passOn }) => {
      const { body } = await passOn();
      return { body: { ...JSON.parse(body), description: "Counts everything." } };
    });
    page.send({ type: "retry" });
    await page.shows("Counts everything.");
    answer();
    assert.match(JSON.stringify((await form(1)).form), /One\./);
  });

  it("It starts with no payload of the skill that the page showed before", async () => {
    const { page } = await showRow("Text statistics");
    const answer = editor.delayAnswer("sample");
    page.send({ type: "startForm", from: "full" });
    // A second click on a row soon after the first would keep the page.
    await editor.clock.advance(5_000);
    const next = await showRow("Format SQL");
    assert.equal(editor.parts.tabs.panels.length, 1);
    answer();
    next.page.send({ type: "readForm" });
    await next.form(0);
    next.page.send({ type: "openForm" });
    const text = await editor.until("the payload", () => {
      const document = editor.parts.tabs.activeEditor?.document;
      return document?.uri.scheme === "untitled" && document.getText();
    });
    assert.deepEqual(
      Object.keys(JSON.parse(text)).filter((name) => name === "text"),
      [],
    );
  });
});
