import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import {
  type ForeignRegistry,
  type ForeignRegistryOptions,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { needsDialogs } from "../window/needsDialogs";
import { followOutput } from "../window/outputText";
import { useWindow } from "../window/useWindow";

/** Numbers, spaces and an order that no JSON library would write again. */
const typed =
  '{ "top" : 10,\n   "text":"to be \\u006fr not 9007199254740993 — ünïcödé \\ud83d\\ude00"}';

const dialects: readonly ForeignRegistryOptions[] = [
  { dialect: "camel", envelope: "skills", detail: "manifest", publishers: true, prices: true },
  { dialect: "snake", envelope: "nested", detail: "nested", ignoresFilters: true, facets: true },
];

for (const options of dialects) {
  describe(`A foreign registry in ${options.dialect} case`, () => {
    const window = useWindow({ steps: true, showsOutput: true });
    let registry: ForeignRegistry;

    before(async () => {
      registry = await startForeignRegistry(options);
      await window.connectTo(registry);
    });

    it("is listed and filtered", async () => {
      await window.openContainer("Skill Registry");
      await window.treeRow(/^Ledger Close/).waitFor();
      await vscode.commands.executeCommand("skillRegistry.filter", { verification: "verified" });
      await window.treeRow(/^Ledger Close/).waitFor({ state: "detached" });
      await window.treeRow(/^Word Tally/).waitFor();
      await vscode.commands.executeCommand("skillRegistry.clearFilters");
      await window.treeRow(/^Ledger Close/).waitFor();
    });

    it("shows a skill's page", async () => {
      await window.pressRow(window.treeRow(/^Word Tally/));
      await window.webview.getByRole("heading", { name: "Word Tally", level: 1 }).waitFor();
    });

    it("is invoked with the very text that was typed, after asking for the key", async function () {
      needsDialogs(this);
      await openPayload(window, "word-tally");
      await writeValidInput(window, typed);
      const written = followOutput();
      await window.runCommand("Skill Registry: Invoke Skill");
      await window.dialog.getByText(`Sent to: ${registry.baseUrl}`).waitFor();
      await window.pressInDialog("Invoke word-tally@2.1.0?", "Invoke");
      await window.quickInput.getByText("Project Key for").waitFor();
      await window.answer(registry.projectKey);
      await eventually("the block", () => /"words": \d+/.test(written()));
      const sent = registry.requests.filter(({ method }) => method === "POST");
      assert.equal(sent.length, 1);
      assert.ok(sent[0]?.body.endsWith(`"input":${typed}}`), sent[0]?.body);
    });

    it("gets the key on the runtime route and nowhere else", async function () {
      needsDialogs(this);
      const withKey = registry.requests.filter((request) =>
        JSON.stringify(request).includes(registry.projectKey),
      );
      assert.deepEqual(
        withKey.map(({ method, path }) => `${method} ${path}`),
        ["POST /v1/runtime/invoke"],
      );
      assert.equal(withKey[0]?.headers.authorization, `Bearer ${registry.projectKey}`);
      assert.ok(registry.requests.length > 3);
    });

    it("keeps the key and the consent for the next invocation", async function () {
      needsDialogs(this);
      await writeValidInput(window, '{"text":"a b"}');
      const written = followOutput();
      await window.runCommand("Skill Registry: Invoke Skill");
      await eventually("the second call", () => /"words": 2/.test(written()));
    });
  });
}
