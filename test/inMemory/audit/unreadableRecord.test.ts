import { strict as assert } from "node:assert";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "mocha";
import { localDay } from "../../../src/core/text/dates";
import { applicationId, migrations } from "../../../src/engine/store/migrations";
import { storeName } from "../../../src/engine/store/operations";
import type { HostMessage } from "../../../src/protocol/pageMessages";
import { useEditor } from "../useEditor";
import { Machine } from "../vscode/machine";

/** Returns a machine whose record is of a later version of the extension, which this one does not touch. */
function machineOfLaterVersion(): Machine {
  const machine = new Machine();
  mkdirSync(machine.storage, { recursive: true });
  const database = new DatabaseSync(join(machine.storage, storeName));
  database.exec(
    `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length + 1}`,
  );
  database.close();
  return machine;
}

describe("A record that cannot be read", () => {
  const editor = useEditor(() => ({ machine: machineOfLaterVersion() }));
  const unreadable = /^A newer version of Skill Registry wrote the record of invocations/;

  it("It is never shown as an empty one: the view has a row that opens the log", async () => {
    await editor.pressRow("invocations", "The record cannot be read");
    assert.match(editor.log, /The record could not be read: .*newer version/);
  });

  for (const [command, given] of [
    ["exportInvocations", []],
    ["deleteInvocation", []],
    ["filterInvocations", []],
    ["openInvocation", [{ id: "00000000-unknown" }]],
    ["copyInvocationId", []],
    ["showAgents", []],
  ] as const) {
    it(`The command ${command} says that it cannot be read`, async () => {
      await editor.run(command, ...given);
      const notice = await editor.notification(unreadable);
      assert.deepEqual(notice.buttons, ["Show Log"]);
      notice.close();
    });
  }

  it("The Usage page says so, and not that nothing was invoked", async () => {
    await editor.run("showUsage");
    const page = await editor.page("Usage");
    page.send({ type: "ready" });
    const now = editor.clock.now();
    page.send({ type: "readUsage", from: localDay(now), to: localDay(now) });
    const parts = () =>
      (page.panel.messages as HostMessage[]).filter((part) => part.type === "usage");
    await editor.until("the part", () => parts().length === 1);
    assert.match(parts()[0]?.problem ?? "", unreadable);
  });

  it("The support report says so, and is copied", async () => {
    await editor.run("copyReport");
    const report = editor.parts.machine.clipboard;
    assert.match(report, /^## Last invocations\n- The record cannot be read\.$/m);
  });

  it("The document of an invocation says so, and the editor offers to try again", async () => {
    const path = "/00000000-unknown/text-stats success.json";
    const uri = editor.vscode.Uri.from({ scheme: "skill-invocation", path });
    await assert.rejects(
      Promise.resolve(editor.vscode.workspace.openTextDocument(uri)),
      (error: Error & { readonly code?: string }) =>
        error.code === "Unavailable" && unreadable.test(error.message),
    );
  });

  it("The readiness of a skill says so, and not that there is no invocation", async () => {
    await editor.run("checkReadiness", "text-stats");
    assert.match(editor.document.getText(), /^ {2}not known +The record cannot be read\.$/m);
  });
});
