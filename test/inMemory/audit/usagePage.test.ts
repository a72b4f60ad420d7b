import { strict as assert } from "node:assert";
import { existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "mocha";
import { runningFacts } from "../../../src/core/invocation/outcome";
import {
  type InvocationRecord,
  newRecordId,
} from "../../../src/core/invocation/record/invocationRecord";
import type { UsageGroup } from "../../../src/core/invocation/usage/usage";
import { dayMs, localDay } from "../../../src/core/text/dates";
import type { HostMessage } from "../../../src/protocol/pageMessages";
import { holdStore } from "../../fixtures/holdStore";
import { keepRecords } from "../../fixtures/machineStore";
import type { Page } from "../page";
import { askStore, recordsOf } from "../records";
import { useEditor } from "../useEditor";

/** Returns the parts of the record that a page was sent. */
function partsOf({ panel }: Page) {
  return (panel.messages as HostMessage[]).flatMap((part) =>
    part.type === "usage" ? [{ ...part, groups: JSON.parse(part.groups) as UsageGroup[] }] : [],
  );
}

/** Returns the skills of the invocations that a page has received. */
function skillsOf(page: Page): readonly string[] {
  const { groups = [] } = partsOf(page).at(-1) ?? {};
  return groups.flatMap(({ skillSlug, count }) => Array(count).fill(skillSlug)).sort();
}

/** Returns the project that a page shows. */
function projectOf({ shown }: Page) {
  return shown?.kind === "usage" ? shown.project : undefined;
}

describe("The Usage page", () => {
  const editor = useEditor();

  const askForDays = (page: Page) => {
    const now = editor.clock.now();
    page.send({ type: "readUsage", from: localDay(now - 7 * dayMs), to: localDay(now) });
  };
  const openPage = async () => {
    await editor.run("showUsage");
    const page = await editor.page("Usage");
    page.send({ type: "ready" });
    askForDays(page);
    return page;
  };

  it("It shows invocations, opens records and saves charts", async () => {
    await editor.newPayload("text-stats", '{ "text": "One." }');
    await editor.run("invoke");
    const page = await openPage();
    await editor.until("the invocation", () => skillsOf(page).length === 1);
    const [record] = await recordsOf(editor);
    assert.ok(record !== undefined);
    const [part] = partsOf(page);
    assert.deepEqual(
      part?.groups.map(({ ids }) => ids),
      [[record.id]],
    );
    await editor.run("showUsage");
    assert.equal(editor.parts.tabs.panels.filter(({ title }) => title === "Usage").length, 1);

    const file = join(editor.parts.machine.folder, "cost-by-day.png");
    page.send({ type: "saveChart", file: "cost-by-day.png", text: "iVBORw==" });
    await editor.chooseFile(file);
    await editor.until("the file", () => existsSync(file) && statSync(file).size === 4);
    assert.deepEqual([...(await readFile(file))], [0x89, 0x50, 0x4e, 0x47]);

    page.send({ type: "openRecord", id: record.id });
    await editor.until(
      "the record",
      () => editor.parts.tabs.active?.label !== "Usage" && editor.document.uri.scheme,
    );
    assert.equal(editor.document.uri.scheme, "skill-invocation");
  });

  it("It follows the record while it is visible", async () => {
    const page = await openPage();
    await editor.until("the first invocation", () => skillsOf(page).length === 1);
    const [record] = await recordsOf(editor);
    assert.ok(record);
    // Another program of this machine runs an invocation, which then ends and is removed.
    const id = newRecordId(record.startedAt + 1, "0a1b2c3d-4e5f", record.id);
    const other = { ...record, id, skillSlug: "json-diff" };
    const keep = (one: InvocationRecord) => askStore(editor, (store) => keepRecords(store, [one]));
    await keep({ ...other, ...runningFacts, durationMs: 0 });
    await editor.until("its invocation", () => skillsOf(page).join() === "json-diff,text-stats");
    await keep(other);
    const running = () =>
      partsOf(page)
        .at(-1)
        ?.groups.some(({ status }) => status === "running");
    await editor.until("its end", () => running() === false);
    await askStore(editor, (store) => store.remove([id]));
    await editor.until("that it is gone", () => skillsOf(page).join() === "text-stats");
    // Nothing is known of other days.
    page.send({ type: "readUsage", from: "2020-01-01", to: "2020-01-02" });
    await editor.until("other days", () => skillsOf(page).length === 0);
    assert.equal(partsOf(page).at(-1)?.count, 1);
    askForDays(page);
    await editor.until("these days again", () => skillsOf(page).length === 1);
  });

  it("It is restored as one page after a reload, even if the window had two", async () => {
    const { tabs, serializers } = editor.parts;
    const restored = () => tabs.openPanel("skillRegistry.usagePage", "Usage", 1);
    const serializer = serializers.get("skillRegistry.usagePage");
    for (const panel of [restored(), restored()])
      await serializer?.deserializeWebviewPanel(panel.api, { usage: { days: 7 } });
    const page = await editor.page("Usage");
    page.send({ type: "ready" });
    askForDays(page);
    await editor.until("the invocation", () => skillsOf(page).length === 1);
    assert.equal(tabs.panels.filter(({ title }) => title === "Usage").length, 1);
  });

  it("It has the project's record for a signed-in user, and reads it on request", async () => {
    const page = await openPage();
    await editor.until("the invocation", () => skillsOf(page).length > 0);
    assert.equal(projectOf(page), undefined);
    const signedIn = editor.run("signIn");
    await editor.choose("owner@local.example");
    await signedIn;
    await editor.run("showUsage");
    page.send({ type: "readProject" });
    await editor.until("the project", () => projectOf(page)?.kind === "record");
    const project = projectOf(page);
    assert.ok(project?.kind === "record");
    const [own] = await recordsOf(editor);
    assert.equal(project.name, "Local Demo");
    assert.deepEqual(
      project.groups.map(({ ids, skillSlug, caller, amountCents }) => ({
        ...{ ids, skillSlug, caller, amountCents },
      })),
      [{ ids: [own?.id], skillSlug: "text-stats", caller: undefined, amountCents: undefined }],
    );
  });

  it("It shows no record of a project if the user signs out while that record is being read", async () => {
    const page = await openPage();
    await editor.until("the project", () => projectOf(page)?.kind === "record");
    const [own] = await recordsOf(editor);
    // The store answers no questions while it waits to write.
    const releaseStore = await holdStore(editor.parts.machine.storage);
    const pinning = editor.run("pinInvocation", own);
    page.send({ type: "readProject" });
    await editor.run("signOut");
    await editor.until("no project", () => projectOf(page) === undefined);
    releaseStore();
    await pinning;
    await editor.tidy();
    assert.equal(projectOf(page), undefined);
    const again = editor.run("signIn");
    await editor.choose("owner@local.example");
    await again;
  });

  it("It explains that a role may not see the project", async () => {
    const page = await openPage();
    const signedIn = editor.run("signIn");
    await editor.choose("Sign In with Another Account…");
    await editor.choose("finance@local.example");
    await signedIn;
    await editor.run("showUsage");
    page.send({ type: "readProject" });
    await page.shows(/finance@local\.example .*may not see projects/);
  });
});
