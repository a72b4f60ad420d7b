import { strict as assert } from "node:assert";
import { existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "mocha";
import { recordsOfSlice } from "../../../src/core/invocation/usage/usageSlices";
import type { HostMessage } from "../../../src/protocol/pageMessages";
import type { Page } from "../page";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";

/** The invocations that a page was sent last. */
function invocationsOf({ panel }: Page) {
  const parts = (panel.messages as HostMessage[]).filter(({ type }) => type === "usage");
  return parts
    .flatMap((part) => (part.type === "usage" ? [part] : []))
    .slice(parts.findLastIndex((part) => part.type === "usage" && part.isFirst))
    .flatMap(({ slice }) => recordsOfSlice(slice));
}

describe("The Usage page", () => {
  const editor = useEditor();

  it("It has what was invoked, follows the record, opens records and saves charts", async () => {
    await editor.newPayload("text-stats", '{ "text": "One." }');
    await editor.run("invoke");
    await editor.run("showUsage");
    const page = await editor.page("Usage");
    page.send({ type: "needScript", script: "page" });
    await editor.until("the first invocation", () => invocationsOf(page).length === 1);
    const [record] = await recordsOf(editor);
    const [sent] = invocationsOf(page);
    assert.ok(record !== undefined && sent !== undefined);
    assert.deepEqual([sent.id, sent.skillSlug], [record.id, "text-stats"]);

    await editor.newPayload("json-diff", '{ "before": 1, "after": 2 }');
    await editor.run("invoke");
    await editor.run("showUsage");
    assert.equal(editor.parts.tabs.panels.filter(({ title }) => title === "Usage").length, 1);
    page.send({ type: "needScript", script: "page" });
    await editor.until("the second invocation", () => invocationsOf(page).length === 2);

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
});
