import { strict as assert } from "node:assert";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, before, describe, it } from "mocha";
import * as vscode from "vscode";
import {
  type InvocationRecord,
  newRecordId,
} from "../../../src/core/invocation/record/invocationRecord";
import { jsonStart } from "../../../src/core/invocation/record/outputDocument";
import type { JsonValue } from "../../../src/core/json/jsonValue";
import { InvocationStore } from "../../../src/engine/invocationStore";
import {
  type ForeignAnswer,
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { eventually } from "../eventually";
import { openPayload, problemsOfActiveEditor, writeValidInput } from "../payloads";
import { answerFileDialog } from "../window/answerFileDialog";
import { needsDialogs } from "../window/needsDialogs";
import { outputText } from "../window/outputText";
import { useWindow } from "../window/useWindow";
import { storageFolder } from "./storageFolder";

describe("The record of past invocations", () => {
  const window = useWindow();
  before(async () => {
    const start = Date.now();
    for (const [slug, input] of [
      ["text-stats", '{ "text": "One." }'],
      ["text-stats", '{ "text": "One two." }'],
      ["json-diff", '{ "before": { "a": 1 }, "after": { "a": 2 } }'],
    ] as const) {
      await openPayload(window, slug);
      await writeValidInput(window, input);
      await vscode.commands.executeCommand("skillRegistry.invoke");
    }
    // What tests before these recorded would be counted with it.
    const store = new InvocationStore(join(storageFolder(), "invocations"));
    for (const { id, startedAt } of (await store.list(1000)).records) {
      if (startedAt < start) await store.remove(id);
    }
    await window.tidy();
    await window.openContainer("Skill Registry");
  });
  afterEach(() => vscode.commands.executeCommand("skillRegistry.clearInvocationFilter"));

  const rows = (name: RegExp) => window.view("Invocations").getByRole("treeitem", { name });
  const choose = async (name: RegExp, command: string) => {
    await window.chooseFromMenu(rows(name).first(), command);
  };
  const count = (name: RegExp, expected: number) =>
    eventually(`${expected} rows`, async () => (await rows(name).count()) === expected);

  it("stands by day, newest first", async () => {
    await rows(/^Today, \d+ invocations/).waitFor();
    await count(/^json-diff@.*success/, 1);
    await count(/^text-stats@.*success/, 2);
  });

  it("is filtered by skill, status and text, and shown whole again", async () => {
    await vscode.commands.executeCommand("skillRegistry.filterInvocations", { skill: "json-diff" });
    await count(/^text-stats@/, 0);
    await rows(/^json-diff@/).waitFor();
    await vscode.commands.executeCommand("skillRegistry.filterInvocations", { text: "no such" });
    await window.view("Invocations").getByText("No invocations match the filter").waitFor();
    const clear = window
      .view("Invocations")
      .getByRole("button", { name: "Clear Invocation Filter" });
    await window.pressUntil(clear.first(), rows(/^text-stats@/).first());
    await count(/^text-stats@/, 2);
  });

  it("is filtered from a list of what there is", async () => {
    await window.runCommand("Skill Registry: Filter Invocations…");
    await window.typeIntoQuickInput("json-d");
    await window.choose("json-diff");
    await window.page.keyboard.press("Enter");
    await count(/^text-stats@/, 0);
    await vscode.commands.executeCommand("skillRegistry.clearInvocationFilter");
    await count(/^text-stats@/, 2);
  });

  it("is filtered by a text that no row of that list has", async () => {
    await window.runCommand("Skill Registry: Filter Invocations…");
    await window.typeIntoQuickInput("stats@1");
    await window.quickInput.getByText(/^Press Enter to search for “stats@1”/).waitFor();
    await window.page.keyboard.press("Enter");
    await count(/^json-diff@/, 0);
    await count(/^text-stats@/, 2);
    await vscode.commands.executeCommand("skillRegistry.clearInvocationFilter");
    await rows(/^json-diff@/).waitFor();
  });

  it("names a damaged file and sets it aside, and shows the others", async () => {
    const folder = join(storageFolder(), "invocations");
    const name = `${newRecordId(Date.now(), "dead-beef")}.jsonl`;
    await writeFile(join(folder, name), "{ broken");
    const notice = window.notification(`The record ${name} was damaged and set aside`);
    await notice.getByRole("button", { name: "Show Log" }).waitFor();
    await count(/^text-stats@.*success/, 2);
    await rm(join(folder, `${name}.damaged`), { force: true });
  });

  it("reads a running invocation anew when it must have ended, though nothing tells of it", async () => {
    const store = new InvocationStore(join(storageFolder(), "invocations"));
    const startedAt = Date.now();
    const record: InvocationRecord = {
      schema: 1,
      id: newRecordId(startedAt, "left-behind"),
      startedAt,
      endsBefore: startedAt + 3000,
      registry: "built-in",
      skillSlug: "left-behind",
      version: "1.0.0",
      status: "running",
      durationMs: 0,
      pid: process.pid,
    };
    await store.write(record, {});
    await rows(/^left-behind@/).waitFor();
    await rows(/^left-behind@.*outcome unknown/).waitFor();
    await store.remove(record.id);
    await count(/^left-behind@/, 0);
  });

  it("compares an invocation with the one before", async () => {
    await choose(/^text-stats@/, "Compare with Previous Invocation");
    const tab = await eventually("the comparison", () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff && input;
    });
    const [before, now] = await Promise.all(
      [tab.original, tab.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    assert.match(before?.getText() ?? "", /"words": 1/);
    assert.match(now?.getText() ?? "", /"words": 2/);
  });

  it("pins an invocation above all days, and lets it go", async () => {
    await choose(/^json-diff@/, "Pin Invocation");
    await rows(/^Pinned, 1 invocation/).waitFor();
    await choose(/^json-diff@/, "Unpin Invocation");
    await rows(/^Pinned/).waitFor({ state: "detached" });
  });

  it("means the row a menu was opened on, also when another window invokes meanwhile", async () => {
    const store = new InvocationStore(join(storageFolder(), "invocations"));
    const ofAnother = recordOfAnotherWindow();
    await eventually("the menu to take its choice", async () => {
      await store.remove(ofAnother.id);
      await count(/^from-elsewhere@/, 0);
      // A row that is drawn anew under the press opens no menu.
      await window.page.keyboard.press("Escape");
      await window.pointAt(rows(/^json-diff@.*success/).first());
      await rows(/^json-diff@.*success/)
        .first()
        .click({ button: "right", timeout: 15_000 });
      const entry = window.page.getByRole("menuitem", { name: "Open Output", exact: true });
      await entry.waitFor({ timeout: 15_000 });
      await store.write(ofAnother, { inputText: "{}" });
      await rows(/^from-elsewhere@.*success/).waitFor();
      return window.chooseInMenu("Open Output");
    });
    await eventually("the output", () => {
      const active = vscode.window.activeTextEditor?.document;
      return active?.uri.scheme === "skill-output" && active.uri.path.includes("json-diff");
    });
    await store.remove(ofAnother.id);
    await count(/^from-elsewhere@/, 0);
  });

  it("exports what the filter shows, or all", async function () {
    needsDialogs(this);
    const folder = await mkdtemp(join(tmpdir(), "export-"));
    await vscode.commands.executeCommand("skillRegistry.filterInvocations", { skill: "json-diff" });
    await count(/^text-stats@/, 0);
    const lines: Record<string, number> = {};
    for (const scope of ["Shown by the filter", "All"]) {
      const exported = vscode.commands.executeCommand("skillRegistry.exportInvocations");
      await window.choose(scope);
      await answerFileDialog(window, join(folder, `${scope}.jsonl`));
      await window.notification(/exported/).waitFor();
      await window.tidy();
      await exported;
      const text = await readFile(join(folder, `${scope}.jsonl`), "utf8");
      lines[scope] = text.trimEnd().split("\n").length;
    }
    await vscode.commands.executeCommand("skillRegistry.clearInvocationFilter");
    await rm(folder, { recursive: true });
    assert.equal(lines["Shown by the filter"], 1);
    assert.ok((lines["All"] ?? 0) >= 3);
  });

  it("lists only what can be pinned, unpinned or deleted", async () => {
    await vscode.commands.executeCommand("skillRegistry.unpinInvocation");
    await window.notification("No invocation is pinned.").waitFor();
    const store = new InvocationStore(join(storageFolder(), "invocations"));
    const running: InvocationRecord = {
      ...recordOfAnotherWindow(),
      status: "running",
      endsBefore: Date.now() + 600_000,
      pid: process.pid,
    };
    await store.write(running, {});
    await vscode.commands.executeCommand("skillRegistry.deleteInvocation", { id: running.id });
    await window.notification("This invocation is still running.").waitFor();
    await store.remove(running.id);
    await count(/^from-elsewhere@/, 0);
  });

  it("says so where the invocation that is meant is gone", async () => {
    const { id } = recordOfAnotherWindow();
    await vscode.commands.executeCommand("skillRegistry.openOutput", { id });
    await window.notification("This invocation is no longer in the record.").waitFor();
  });

  it("deletes an invocation only after asking", async function () {
    needsDialogs(this);
    for (const button of ["Cancel", "Delete"]) {
      await choose(/^json-diff@/, "Delete Invocation");
      await window.pressInDialog("Delete the invocation of json-diff", button);
      await count(/^json-diff@/, button === "Delete" ? 0 : 1);
    }
  });

  it("shows an output read-only, as it was received", async () => {
    await choose(/^text-stats@/, "Open Output");
    const document = await eventually("the output", () => {
      const active = vscode.window.activeTextEditor?.document;
      return active?.uri.scheme === "skill-output" && active;
    });
    assert.equal(document.languageId, "jsonc");
    assert.match(document.lineAt(0).text, /^\/\/ [\d.]+ m?s · free · .* · [0-9a-f-]{36}$/);
    const shown = document.getText();
    assert.equal(JSON.parse(shown.slice(jsonStart(shown))).words, 2);
    assert.deepEqual(problemsOfActiveEditor(), []);
  });
});

describe("The record of invocations to a registry elsewhere", () => {
  const window = useWindow({ steps: true, showsOutput: true });
  let registry: ForeignRegistry;
  let output: JsonValue = "a text";
  let refusal: ForeignAnswer | undefined;
  before(async function () {
    needsDialogs(this);
    registry = await startForeignRegistry({
      dialect: "camel",
      invoke: (): ForeignAnswer =>
        refusal ?? {
          status: 200,
          body: { invocationId: "inv-1", status: "success", version: "2.1.0", output },
        },
    });
    await window.connectTo(registry);
  });

  it("keeps inputs and outputs when the user says so, asked once", async () => {
    await openPayload(window, "word-tally");
    await writeValidInput(window, '{ "text": "one" }');
    await window.runCommand("Skill Registry: Invoke Skill");
    await window.pressInDialog("Invoke word-tally@2.1.0?", "Invoke");
    await window.answer(registry.projectKey);
    const question = `Keep the payloads and outputs of invocations at ${registry.baseUrl}`;
    await window.pressInNotification(question, "Keep");
    await eventually("the first call", () => /inv-1/.test(outputText()));
    await writeValidInput(window, '{ "text": "two" }');
    await vscode.commands.executeCommand("skillRegistry.invoke");
    await eventually("the second call", () => outputText().match(/inv-1/g)?.length === 2);
    assert.equal(await window.notification("Keep the payloads and outputs").count(), 0);
  });

  it("is opened from the output channel, each invocation from its own header", async () => {
    const channel = vscode.workspace.textDocuments.find(
      (document) => document.uri.scheme === "output" && document.getText().includes("word-tally@"),
    );
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      "vscode.executeLinkProvider",
      channel?.uri,
    );
    const targets = links.flatMap(({ target }) =>
      target?.path === "skillRegistry.openInvocation" ? [target.query] : [],
    );
    assert.ok(targets.length >= 2, targets.join("\n"));
    assert.equal(new Set(targets).size, targets.length);
  });

  it("marks where an output is not as its schema says", async () => {
    await window.runCommand("Skill Registry: Open Output");
    await window.takeRow(window.quickPickRow("word-tally@2.1.0").first());
    await eventually("the problem", () => problemsOfActiveEditor()[0] === 'type "a text"');
    const uri = vscode.window.activeTextEditor?.document.uri;
    assert.ok(uri !== undefined);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await eventually(
      "none without its tab",
      () => vscode.languages.getDiagnostics(uri).length === 0,
    );
  });

  it("shows a long text of an output unescaped, in its language", async () => {
    output = { words: 2, csv: "a,b\n1,2\n" };
    await openPayload(window, "word-tally");
    await writeValidInput(window, '{ "text": "as text" }');
    await vscode.commands.executeCommand("skillRegistry.invoke");
    const result = window.page.locator('.monaco-editor[data-uri^="skill-output"]');
    const text = () => {
      const active = vscode.window.activeTextEditor?.document;
      return active?.uri.path.endsWith("/word-tally csv.csv") && active;
    };
    const shown = await eventually("the text", async () => {
      const lens = result.locator(".codelens-decoration a", { hasText: "Show as Text" });
      await lens.click({ timeout: 15_000 });
      return eventually("the text", text, 15);
    });
    assert.equal(shown.getText(), "a,b\n1,2\n");
    const labels = vscode.window.tabGroups.activeTabGroup.tabs.map(({ label }) => label);
    assert.ok(labels.includes("word-tally output.jsonc"), labels.join());
  });

  it("has a failure in the place of an earlier result, which is not shown as its own", async () => {
    await openPayload(window, "word-tally");
    await writeValidInput(window, '{ "text": "before" }');
    const results = () =>
      vscode.window.visibleTextEditors
        .map(({ document }) => document)
        .filter(({ uri }) => uri.scheme === "skill-output" && uri.query === "");
    await vscode.commands.executeCommand("skillRegistry.invoke");
    await eventually("a result", () => results().some((one) => one.getText().includes("words")));
    refusal = { status: 403, body: { error: "Not today.", code: "no_such_code" } };
    await writeValidInput(window, '{ "text": "after" }');
    await vscode.commands.executeCommand("skillRegistry.invoke");
    const [failure] = await eventually("the failure alone", () => {
      const texts = results().map((one) => one.getText());
      return texts.length === 1 && /Not today/.test(texts[0] ?? "") && texts;
    });
    assert.doesNotMatch(failure ?? "", /words/);
    assert.match(failure ?? "", /^\/\/ (?:blocked|refused) · /);
    refusal = undefined;
  });

  it("has all of a long text, of which the channel shows the beginning", async () => {
    output = "long text ".repeat(500_000);
    await openPayload(window, "word-tally");
    await writeValidInput(window, '{ "text": "three" }');
    await vscode.commands.executeCommand("skillRegistry.invoke");
    await eventually("the cut", () =>
      outputText().includes(
        "long text\n… cut here, after 100000 characters. “Skill Registry: Open Output”",
      ),
    );
    const store = new InvocationStore(join(storageFolder(), "invocations"));
    await eventually("the whole of it", async () => {
      const [latest] = (await store.list(1)).records;
      const texts = await store.texts(latest?.id ?? "");
      return texts?.outputText === JSON.stringify(output);
    });
  });
});

function recordOfAnotherWindow(): InvocationRecord {
  const startedAt = Date.now();
  return {
    schema: 1,
    id: newRecordId(startedAt, "0a1b2c3d-4e5f"),
    startedAt,
    endsBefore: startedAt + 1000,
    registry: "built-in",
    skillSlug: "from-elsewhere",
    version: "1.0.0",
    status: "success",
    durationMs: 5,
  };
}
