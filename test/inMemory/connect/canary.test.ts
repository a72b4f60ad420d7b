import { strict as assert } from "node:assert";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "mocha";
import { newRecordId } from "../../../src/core/invocation/record/invocationRecord";
import { longestResult } from "../../../src/core/invocation/record/outputDocument";
import { keyNeedles } from "../../fixtures/keyForms";
import { keepRecords } from "../../fixtures/machineStore";
import {
  type EchoingRegistry,
  startEchoingRegistry,
} from "../../fixtures/registries/echoingRegistry";
import { askStore, recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { Uri } from "../vscode/values";

/** Checks each step of a session; an editor test checks what a window itself stores. */
describe("A Project Key that a registry returns", () => {
  const editor = useEditor({ settings: { "skillRegistry.history.keepTexts": "always" } });
  let registry: EchoingRegistry;
  let endEcho: () => void = () => undefined;
  const seen: string[] = [];

  before(async () => {
    registry = await startEchoingRegistry();
    await editor.connectTo(registry);
    const set = editor.run("setProjectKey");
    await editor.answer(registry.projectKey);
    await set;
  });
  after(async () => {
    endEcho();
    await registry.close();
  });
  afterEach(() => {
    seen.length = 0;
  });

  /** Collects everything on the screen, in open documents, in messages to pages, and in the clipboard. */
  function look(): void {
    const { documents, machine, tabs } = editor.parts;
    seen.push(editor.screen, machine.clipboard);
    for (const document of documents.open) seen.push(document.getText());
    for (const { html, messages, title } of tabs.panels)
      seen.push(title, html, JSON.stringify(messages));
  }

  /** Fails if the collected texts contain the key, or contain no redacted key. */
  function assertHidden(): void {
    const texts = seen.join("\n");
    assert.ok(texts.includes("[Project Key]"), texts);
    for (const needle of keyNeedles(registry.projectKey)) {
      const at = texts.indexOf(needle);
      assert.equal(at, -1, texts.slice(Math.max(0, at - 200), at + needle.length + 50));
    }
  }

  it("Responses to invocations show it nowhere, nor do their copies", async () => {
    for (const [index, answer] of registry.answers.entries()) {
      registry.answer("/v1/runtime/invoke", answer);
      await editor.newPayload("word-tally", JSON.stringify({ text: `echo ${index}` }));
      const invoked = editor.run("invoke");
      if (index === 0) await editor.press("Invoke word-tally@2.1.0?", "Invoke");
      await invoked;
      look();
    }
    for (const format of ["cURL", "cURL (PowerShell)", "cURL (cmd)", "fetch", "Python"]) {
      const copied = editor.run("copyAs");
      await editor.choose(format);
      await copied;
      assert.match(editor.parts.machine.clipboard, /SKILL_REGISTRY_PROJECT_KEY/);
      look();
    }
    await editor.run("copyReport");
    look();
    assertHidden();
  });

  it("The record shows it nowhere: invocations, outputs, comparisons and exports", async () => {
    const ours = (await recordsOf(editor)).filter(({ skillSlug }) => skillSlug === "word-tally");
    assert.equal(ours.length, registry.answers.length);
    for (const { id, status } of ours) {
      if (status === "success" || status === "error") await editor.run("openOutput", { id });
      look();
      await editor.run("openInvocation", { id });
      look();
      await editor.run("compareInvocation", { id });
      look();
    }
    for (const name of ["all.csv", "all.jsonl"]) {
      const file = join(editor.parts.machine.folder, name);
      const exported = editor.run("exportInvocations");
      await editor.chooseFile(file);
      (await editor.notification(/exported/)).close();
      await exported;
      seen.push(await readFile(file, "utf8"));
    }
    assertHidden();
  });

  it("It appears in no row, page or comparison of the skill, nor in the check of the key", async () => {
    endEcho = registry.echoInSkill();
    await editor.run("refresh");
    await editor.row("skills", /^Word Tally \[Project Key\]/);
    look();
    await editor.run("openSkill", "word-tally");
    await (await editor.page(/Word Tally/)).shows("[Project Key]");
    look();
    await editor.run("compareSkills", ["word-tally", "ledger-close"]);
    await (await editor.page(/Compare/)).shows("[Project Key]");
    look();
    const checked = editor.run("checkProjectKey");
    await editor.notification(/worked when it was last used/);
    look();
    await checked;
    assertHidden();
  });

  it("The files of the machine contain it nowhere", async () => {
    const { folder } = editor.parts.machine;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile()))
      seen.push(await readFile(join(entry.parentPath, entry.name), "utf8"));
    assertHidden();
  });

  it("It was sent on the runtime route and in the check of the key, only as their credential", () => {
    const needles = keyNeedles(registry.projectKey);
    const carriers = registry.requests.filter((request) => {
      const text = JSON.stringify(request);
      return needles.some((needle) => text.includes(needle));
    });
    const routes = new Set(carriers.map(({ method, path }) => `${method} ${path}`));
    assert.deepEqual([...routes].sort(), ["POST /mcp", "POST /v1/runtime/invoke"]);
    for (const { path, headers, body } of carriers) {
      const { authorization, ...others } = headers;
      assert.equal(authorization, `Bearer ${registry.projectKey}`);
      const rest = JSON.stringify([path, others, body]);
      for (const needle of needles) assert.ok(!rest.includes(needle), rest);
    }
  });

  it("A stored output that is truncated inside the key shows no part of it", async () => {
    const [sent] = await recordsOf(editor);
    assert.ok(sent);
    const record = { ...sent, id: newRecordId(sent.startedAt + 1, "0a1b2c3d-4e5f") };
    const { projectKey } = registry;
    const half = projectKey.slice(0, projectKey.length / 2);
    const outputText = `"${"x".repeat(longestResult - 1 - half.length)}${projectKey}${"y".repeat(100)}"`;
    await askStore(editor, (store) => keepRecords(store, [record], { outputText }));
    const uri = Uri.from({
      scheme: "skill-output",
      path: `/${record.id}/long output (beginning).txt`,
    });
    const text = (await editor.parts.documents.get(uri)).getText();
    // A message with a megabyte of text would hide the failure.
    assert.ok(!text.includes(`xxx${half}`), "shows a part of it");
    assert.match(text.slice(-100), /\nTruncated\./);
  });
});
