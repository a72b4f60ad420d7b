import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, beforeEach, describe, it } from "mocha";
import {
  type InvocationRecord,
  newRecordId,
} from "../../../src/core/invocation/record/invocationRecord";
import { keepRecords } from "../../fixtures/machineStore";
import { pastInvocation } from "../../fixtures/pastInvocation";
import { askStore, recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { TabInputTextDiff } from "../vscode/values";

describe("The record of past invocations", () => {
  const editor = useEditor({ settings: { "skillRegistry.history.keepTexts": "always" } });
  before(async () => {
    for (const [slug, input] of [
      ["text-stats", '{ "text": "One." }'],
      ["text-stats", '{ "text": "One two." }'],
      ["json-diff", '{ "before": { "a": 1 }, "after": { "a": 2 } }'],
    ] as const) {
      await editor.newPayload(slug, input);
      await editor.run("invoke");
    }
    await editor.tidy();
  });
  beforeEach(() => editor.run("clearInvocationFilter"));

  /** The rows with a label or description, once there are so many. */
  async function rows(fit: RegExp, count: number): Promise<void> {
    const view = await editor.view("invocations");
    await editor.until(`${count} rows ${fit}`, () => {
      const found = view.rows.filter(({ item, label }) => fit.test(`${label} ${item.description}`));
      return found.length === count;
    });
  }

  it("It is grouped by day, newest first", async () => {
    await rows(/^Today 3 invocations$/, 1);
    const { rows: shown } = await editor.view("invocations");
    assert.deepEqual(
      shown.map(({ label }) => label),
      ["Today", "json-diff@2.1.0", "text-stats@1.0.0", "text-stats@1.0.0"],
    );
    await rows(/^text-stats@.*success/, 2);
  });

  it("It is filtered by skill and by text, and a button resets the filter", async () => {
    await editor.run("filterInvocations", { skill: "json-diff" });
    await rows(/^text-stats@/, 0);
    await rows(/^json-diff@/, 1);
    await editor.run("filterInvocations", { text: "no such" });
    await rows(/./, 0);
    const welcome = editor.parts.commands.welcome("skillRegistry.invocations");
    const [, command = ""] =
      /^No invocations match the filter[\s\S]*\(command:(.*)\)/.exec(welcome) ?? [];
    await editor.run(command);
    await rows(/^text-stats@/, 2);
  });

  it("A row shows input and output, and opens the output", async () => {
    const row = await editor.row("invocations", /^text-stats@.*One two\./);
    assert.match(
      String(row.item.description),
      /^success · One two\. → characters 8, words 2.*… · .* ms$/,
    );
    await editor.pressRow("invocations", /^text-stats@.*One two\./);
    assert.equal(editor.document.uri.scheme, "skill-output");
    assert.match(editor.document.getText(), /"words": 2/);
  });

  it("A command that asks for an invocation shows each one's input and output", async () => {
    const opening = editor.run("openInvocation");
    const { items } = await editor.pick("text-stats@");
    const details = items.map(({ detail }) => String(detail));
    assert.match(details[1] ?? "", /^One two\. → characters 8, .* · Invocation ID: \S+$/);
    assert.match(details[2] ?? "", /^One\. → characters 4, /);
    await editor.leave();
    await opening;
  });

  it("Its payloads and outputs can be searched", async () => {
    await editor.run("filterInvocations", { text: "ONE TWO" });
    await rows(/^text-stats@.*One two/, 1);
    await rows(/@/, 1);
    await editor.run("filterInvocations", { text: '"op":"replace"' });
    await rows(/^json-diff@/, 1);
    await rows(/@/, 1);
  });

  it("It is filtered by a skill chosen from a list", async () => {
    const filtering = editor.run("filterInvocations");
    const pick = await editor.pick("json-diff");
    pick.type("json-d");
    pick.choose(/^json-diff/);
    pick.accept();
    await filtering;
    await rows(/^text-stats@/, 0);
    await rows(/^json-diff@/, 1);
  });

  it("It is filtered by typed text that matches no row of that list", async () => {
    const filtering = editor.run("filterInvocations");
    const pick = await editor.pick("json-diff");
    pick.type("stats@1");
    assert.match((await editor.pick("Press Enter to search for “stats@1”")).text, /stats@1/);
    pick.accept();
    await filtering;
    await rows(/^json-diff@/, 0);
    await rows(/^text-stats@/, 2);
  });

  it("It is read again when an invocation must have ended, even without an event", async () => {
    const startedAt = editor.clock.now();
    const record: InvocationRecord = {
      ...recordOfAnotherWindow(startedAt),
      status: "running",
      endsBefore: startedAt + 60_000,
    };
    await askStore(editor, (store) => keepRecords(store, [record]));
    await rows(/^from-elsewhere@.*running/, 1);
    await editor.clock.advance(61_000);
    await rows(/^from-elsewhere@.*outcome unknown/, 1);
    await askStore(editor, (store) => store.remove([record.id]));
    await rows(/^from-elsewhere@/, 0);
  });

  it("It shows the newest invocations, and more on request", async () => {
    const now = editor.clock.now();
    const records = Array.from({ length: 520 }, (_, index) => ({
      ...recordOfAnotherWindow(now - index),
      id: newRecordId(now - index, "dead-beef-0001"),
      ...(index === 519 && { message: "Full Moon" }),
    }));
    await askStore(editor, (store) => keepRecords(store, records));
    await editor.run("filterInvocations", { skill: "from-elsewhere" });
    await rows(/^Today 500 invocations and more$/, 1);
    await rows(/^from-elsewhere@/, 500);
    await editor.pressRow("invocations", /^Show More/);
    await rows(/^Today 520 invocations$/, 1);
    await rows(/^from-elsewhere@/, 520);
    await rows(/^Show More/, 0);
    await editor.run("filterInvocations", { text: "full moon" });
    await rows(/^from-elsewhere@/, 1);
    await askStore(editor, (store) => store.remove(records.map(({ id }) => id)));
    await rows(/^from-elsewhere@/, 0);
    await editor.run("clearInvocationFilter");
  });

  it("An invocation is compared with the one before", async () => {
    await editor.runOnRow("invocations", /^text-stats@/, "Compare with Previous Invocation");
    const input = editor.parts.tabs.active?.input;
    assert.ok(input instanceof TabInputTextDiff);
    const [earlier, now] = await Promise.all(
      [input.original, input.modified].map((uri) => editor.parts.documents.get(uri)),
    );
    assert.match(earlier?.getText() ?? "", /"words": 1/);
    assert.match(now?.getText() ?? "", /"words": 2/);
  });

  it("Several invocations are pinned, unpinned and deleted together, and all that a filter shows at once", async () => {
    const view = await editor.view("invocations");
    const records = [1, 2, 3, 4].map((days) => ({
      ...recordOfAnotherWindow(editor.clock.now() - days * 24 * 60 * 60 * 1000 - 1000),
      id: newRecordId(editor.clock.now() - days * 86_400_000 - 1000, `dead-beef-${days}`),
    }));
    await askStore(editor, (store) => keepRecords(store, records));
    await editor.run("filterInvocations", { skill: "from-elsewhere" });
    const [first, second] = records;
    await editor.run("pinInvocation", first, [first, second]);
    await editor.row("invocations", /^Pinned/);
    await editor.run("unpinInvocation", first, [first, second]);
    await editor.until("no pin", () => view.row(/^Pinned/) === undefined);
    const deleting = editor.run("deleteInvocation", first, [first, second]);
    await editor.press("Delete 2 invocations?", "Delete");
    await deleting;
    const byRange = editor.run("deleteInvocation");
    const pick = await editor.pick("Shown by the filter");
    assert.match(pick.text, /Older than a day[^\n]*2 invocations/);
    pick.choose("Shown by the filter");
    pick.accept();
    const dialog = await editor.dialog("Delete 2 invocations?");
    // Another window pins one while the question is open.
    await askStore(editor, (store) => store.pin([records[2]?.id ?? ""], true));
    dialog.press("Delete");
    await byRange;
    const left = (await recordsOf(editor)).filter(
      ({ skillSlug }) => skillSlug === "from-elsewhere",
    );
    assert.deepEqual(
      left.map(({ id }) => id),
      [records[2]?.id],
    );
    await askStore(editor, (store) => store.remove([left[0]?.id ?? ""]));
    await editor.run("clearInvocationFilter");
    await rows(/^text-stats@/, 2);
  });

  it("Invocations of one payload fold, and are exported, pinned and deleted together", async () => {
    const now = editor.clock.now();
    const records = [1, 2, 3].map((index) => ({
      ...recordOfAnotherWindow(now + index * 1000),
      id: newRecordId(now + index * 1000, `dead-beef-${index}`),
      requestSha256: "aa",
      ...(index === 2 && { status: "error" as const }),
    }));
    await askStore(editor, (store) => keepRecords(store, records));
    await editor.run("filterInvocations", { skill: "from-elsewhere" });
    const row = await editor.row("invocations", /^from-elsewhere@.*2 × success, 1 × error/);
    assert.equal(row.item.contextValue, "invocationRun withOutput testable loose");
    // The other commands of the run's row apply to its newest invocation.
    await editor.runOnRow("invocations", /^from-elsewhere@.*×/, "Open Invocation");
    const [newestId] = [newRecordId(now + 3000, "dead-beef-3")];
    const shownId = new URLSearchParams(editor.document.uri.query).get("id");
    assert.equal(shownId, newestId);
    // The row of the run names the skill.
    const view = await editor.view("invocations");
    await view.fold(row, true);
    const below = view.rows.filter(({ depth }) => depth === row.depth + 1);
    assert.deepEqual(
      below.map(({ item }) => String(item.description)),
      ["success", "error", "success"].map((status) => `${status} · 5 ms · Test Editor`),
    );
    for (const { label } of below) assert.match(label, /^\d+:\d\d:\d\d/);
    await view.fold(row, false);

    const file = join(editor.parts.machine.folder, "run.jsonl");
    await editor.run("clearInvocationFilter");
    const exported = editor.runOnRow("invocations", /^from-elsewhere@.*×/, "Export Invocations…");
    await editor.choose("Selected");
    await editor.chooseFile(file);
    (await editor.notification("3 invocations exported")).close();
    await exported;
    assert.equal((await readFile(file, "utf8")).trimEnd().split("\n").length, 3);

    await editor.runOnRow("invocations", /^from-elsewhere@.*×/, "Pin Invocation");
    await rows(/^Pinned 3 invocations$/, 1);
    await editor.runOnRow("invocations", /^from-elsewhere@.*×/, "Unpin Invocation");
    await rows(/^Pinned/, 0);
    const deleting = editor.runOnRow("invocations", /^from-elsewhere@.*×/, "Delete from Record…");
    await editor.press("Delete 3 invocations?", "Delete");
    await deleting;
    await rows(/^from-elsewhere@/, 0);
  });

  it("An invocation is pinned above all days, and unpinned", async () => {
    await editor.runOnRow("invocations", /^json-diff@/, "Pin Invocation");
    await rows(/^Pinned 1 invocation$/, 1);
    await editor.runOnRow("invocations", /^json-diff@/, "Unpin Invocation");
    await rows(/^Pinned/, 0);
  });

  it("A menu applies to its own row, even if another window invokes meanwhile", async () => {
    const ofAnother = recordOfAnotherWindow(editor.clock.now());
    const { element } = await editor.row("invocations", /^json-diff@/);
    await askStore(editor, (store) => keepRecords(store, [ofAnother], { inputText: "{}" }));
    await rows(/^from-elsewhere@.*success/, 1);
    await editor.run("openOutput", element);
    assert.match(editor.document.uri.path, /json-diff/);
    // The palette gives no argument, so its commands for an output apply to the one on the screen.
    editor.parts.commands.keys.set("resourceScheme", editor.document.uri.scheme);
    await editor.runFromPalette("Skill Registry: Pin Invocation");
    await rows(/^Pinned 1 invocation$/, 1);
    await editor.runFromPalette("Skill Registry: Unpin Invocation");
    await rows(/^Pinned/, 0);
    await editor.runFromPalette("Skill Registry: Copy Output");
    const { clipboard } = editor.parts.machine;
    assert.deepEqual(JSON.parse(clipboard), JSON.parse(editor.document.getText()));
    await askStore(editor, (store) => store.remove([ofAnother.id]));
    await rows(/^from-elsewhere@/, 0);
  });

  it("The filtered or all invocations are exported", async () => {
    await editor.run("filterInvocations", { skill: "json-diff" });
    for (const [scope, count] of [
      ["Shown by the filter", 1],
      ["All", 3],
    ] as const) {
      const file = join(editor.parts.machine.folder, `${scope}.jsonl`);
      const exported = editor.run("exportInvocations");
      await editor.choose(scope);
      await editor.chooseFile(file);
      (await editor.notification(/exported/)).close();
      await exported;
      assert.equal((await readFile(file, "utf8")).trimEnd().split("\n").length, count);
    }
  });

  it("The lists for pinning, unpinning and deleting contain only suitable ones", async () => {
    await editor.run("unpinInvocation");
    await editor.notification("No invocation is pinned.");
    const startedAt = editor.clock.now();
    const running: InvocationRecord = {
      ...recordOfAnotherWindow(startedAt),
      status: "running",
      endsBefore: startedAt + 600_000,
    };
    await askStore(editor, (store) => keepRecords(store, [running]));
    await editor.run("deleteInvocation", { id: running.id });
    await editor.notification("This invocation is still running.");
    await askStore(editor, (store) => store.remove([running.id]));
    await rows(/^from-elsewhere@/, 0);
  });

  it("A deleted invocation is reported as deleted", async () => {
    await editor.run("openOutput", { id: recordOfAnotherWindow(editor.clock.now()).id });
    (await editor.notification("This invocation is no longer in the record.")).close();
    await editor.run("deleteInvocation", { id: recordOfAnotherWindow(editor.clock.now()).id });
    await editor.notification("This invocation is no longer in the record.");
  });

  it("An invocation is deleted only after a question", async () => {
    for (const button of ["Cancel", "Delete"]) {
      const deleted = editor.runOnRow("invocations", /^json-diff@/, "Delete from Record…");
      await editor.press("Delete the invocation of json-diff", button);
      await deleted;
      await rows(/^json-diff@/, button === "Delete" ? 0 : 1);
    }
  });

  it("The question before deleting warns if agents could repeat an invocation", async () => {
    const now = editor.clock.now();
    for (const [kind, isSaid] of [
      ["mcp", true],
      ["person", false],
    ] as const) {
      const unknown = { ...recordOfAnotherWindow(now), status: "outcome unknown" } as const;
      await askStore(editor, (store) => keepRecords(store, [{ ...unknown, caller: { kind } }]));
      await rows(/^from-elsewhere@/, 1);
      const deleted = editor.run("deleteInvocation", { id: unknown.id });
      const dialog = await editor.dialog("Delete the invocation of from-elsewhere");
      assert.equal(/Agents may then make the same invocation again/.test(dialog.detail), isSaid);
      dialog.press("Delete");
      await deleted;
      await rows(/^from-elsewhere@/, 0);
    }
  });

  it("An output is shown read-only, as it was received", async () => {
    await editor.runOnRow("invocations", /^text-stats@/, "Open Output");
    const { document } = editor;
    assert.equal(document.uri.scheme, "skill-output");
    assert.equal(document.languageId, "json");
    assert.equal(JSON.parse(document.getText()).words, 2);
    assert.match(document.uri.path, /^\/\d{4}-\d\d-\d\d \d\d:\d\d\/text-stats output\.json$/);
    await editor.pressLens(/^[\d.]+ m?s · free · [0-9a-f]{8}…$/);
    assert.match(editor.document.uri.path, /\/text-stats success\.json$/);
    assert.deepEqual(editor.problems, []);
  });

  it("The report contains the newest twenty invocations", async () => {
    const records = Array.from({ length: 25 }, (_, index) =>
      recordOfAnotherWindow(editor.clock.now() - (index + 1) * 2000),
    );
    await askStore(editor, (store) => keepRecords(store, records));
    await editor.run("copyReport");
    const listed = editor.parts.machine.clipboard.match(/^- \d{4}-.*$/gm) ?? [];
    assert.equal(listed.length, 20);
    const newest = (await recordsOf(editor)).slice(0, 20);
    assert.deepEqual(
      listed.map((line) => line.includes("from-elsewhere")),
      newest.map(({ skillSlug }) => skillSlug === "from-elsewhere"),
    );
  });
});

function recordOfAnotherWindow(startedAt: number): InvocationRecord {
  return pastInvocation(startedAt, {
    id: newRecordId(startedAt, "0a1b2c3d-4e5f"),
    endsBefore: startedAt + 1000,
    registry: "built-in",
    skillSlug: "from-elsewhere",
    version: "1.0.0",
    status: "success",
    durationMs: 5,
  });
}
