import { strict as assert } from "node:assert";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { before, beforeEach, describe, it } from "mocha";
import * as vscode from "vscode";
import { InvocationStore } from "../../../src/engine/invocationStore";
import { mountSmallDisk, type SmallDisk } from "../../fixtures/smallDisk";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { lastBlock } from "../window/outputText";
import { useWindow } from "../window/useWindow";
import { storageFolder } from "./storageFolder";

describe("The record on a disk that fails", () => {
  const window = useWindow({ steps: true, showsOutput: true });
  let disk: SmallDisk | undefined;
  let folder: string;
  let words = 0;

  before(async function () {
    await window.openContainer("Skill Registry");
    await invoke();
    folder = storageFolder();
    disk = mountSmallDisk(this, folder);
    window.atEnd(() => disk?.unmount());
    window.atEnd(() => vscode.commands.executeCommand("skillRegistry.clearInvocationFilter"));
    await vscode.commands.executeCommand("skillRegistry.filterInvocations", { text: "text-stats" });
  });
  beforeEach(() => window.tidy());

  const rows = () => window.view("Invocations").getByRole("treeitem", { name: /^text-stats@/ });
  const warning = () => window.notification(/Invocations cannot be recorded/);
  const recorded = async () =>
    (await readdir(join(folder, "invocations"))).filter((name) => name.endsWith(".jsonl")).length;

  /** Makes an invocation and waits for its block, with its ID and its output. */
  async function invoke(): Promise<void> {
    words += 1;
    await openPayload(window, "text-stats");
    await writeValidInput(window, JSON.stringify({ text: "word ".repeat(words) }));
    await vscode.commands.executeCommand("skillRegistry.invoke");
    const block = await eventually("the block", () => {
      const last = lastBlock();
      return last.includes(`"words": ${words},`) && last;
    });
    assert.match(block, /^── .* {2}text-stats@1\.0\.0 {2}success {2}/);
    assert.match(block, /^Invocation ID: [0-9a-f-]{36}$/m);
  }

  it("is told when it is full, once; invocations still work and stay listed", async () => {
    await invoke();
    // As long as it is being written in place of its first state, there is room for another one.
    await eventually("the record of its end", async () => {
      const { records } = await new InvocationStore(join(folder, "invocations")).list(10);
      return records.length === 1 && records[0]?.status === "success";
    });
    await disk?.fill();
    await invoke();
    await warning().waitFor();
    await vscode.commands.executeCommand("notifications.clearAll");
    await invoke();
    await eventually("three rows", async () => (await rows().count()) === 3);
    assert.equal(await warning().count(), 0);
    assert.equal(await recorded(), 1);
    await window.pressRow(rows().first());
    const opened = await eventually("the call that is on no disk", () => {
      const { document } = vscode.window.activeTextEditor ?? {};
      return document?.uri.scheme === "skill-invocation" && JSON.parse(document.getText());
    });
    assert.equal(opened.output.words, words);
  });

  it("is written when there is room again", async () => {
    await disk?.empty();
    await invoke();
    await eventually("four files", async () => (await recorded()) === 4);
  });

  it("is told when it is read-only; invocations still work, and a change is refused in words", async () => {
    disk?.makeReadOnly();
    await invoke();
    await warning().waitFor();
    await eventually("five rows", async () => (await rows().count()) === 5);
    await vscode.commands.executeCommand("notifications.clearAll");
    const [newest] = (await readdir(join(folder, "invocations"))).filter((name) =>
      name.endsWith(".jsonl"),
    );
    const id = newest?.replace(".jsonl", "");
    await vscode.commands.executeCommand("skillRegistry.pinInvocation", { id });
    await window.notification(/Not changed: the editor's storage/).waitFor();
  });

  it("loads as it was when the disk is back", async () => {
    disk?.unmount();
    disk = undefined;
    await invoke();
    await eventually("both records", async () => (await recorded()) >= 2);
    await eventually("the earlier call", async () => (await rows().count()) >= 2);
  });
});
