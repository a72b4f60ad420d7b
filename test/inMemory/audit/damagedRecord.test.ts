import { strict as assert } from "node:assert";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "mocha";
import { storeName } from "../../../src/engine/store/operations";
import { useEditor } from "../useEditor";

describe("A record that is damaged while a window has it open", () => {
  const editor = useEditor({ settings: { "skillRegistry.cost.dailyCeilingCents": 100 } });

  it("It is renamed, and every cost is asked about, since the spending is unknown", async () => {
    await editor.newPayload("text-stats", JSON.stringify({ text: "one" }));
    await editor.run("invoke");
    const folder = editor.parts.machine.storage;
    for (const part of ["-wal", "-shm"])
      await rm(join(folder, `${storeName}${part}`), { force: true });
    await rm(join(folder, storeName));
    await writeFile(join(folder, storeName), "no database");
    const view = await editor.view("invocations");
    await editor.run("refresh");
    const notice = await editor.notification(/was damaged and set aside as store\.db\.damaged-\d+/);
    assert.ok(notice.buttons.includes("Show Log"));
    await editor.until("no row", () => view.rows.length === 0);
    assert.ok((await readdir(folder)).some((name) => name.startsWith(`${storeName}.damaged-`)));
    await editor.newPayload("redact-pii", JSON.stringify({ text: "Mail ada@example.com" }));
    const invoking = editor.run("invoke");
    await editor.press("Invoke redact-pii", "Invoke");
    const question = await editor.dialog("Invoke without counting it?");
    question.close();
    await invoking;
    assert.doesNotMatch(editor.output, /redact-pii@/);
  });
});
