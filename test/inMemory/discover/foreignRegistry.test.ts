import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type ForeignRegistry,
  type ForeignRegistryOptions,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { useEditor } from "../useEditor";

/** A payload with numbers, spaces and an order that no JSON library would write again. */
const typed =
  '{ "top" : 10,\n   "text":"to be \\u006fr not 9007199254740993 — ünïcödé \\ud83d\\ude00"}';

const dialects: readonly ForeignRegistryOptions[] = [
  { dialect: "camel", envelope: "skills", detail: "manifest", publishers: true, prices: true },
  { dialect: "snake", envelope: "nested", detail: "nested", ignoresFilters: true, facets: true },
];

for (const options of dialects) {
  describe(`A foreign registry in ${options.dialect} case`, () => {
    const editor = useEditor();
    let registry: ForeignRegistry;

    before(async () => {
      registry = await startForeignRegistry(options);
      await editor.view("skills");
      await editor.run("connect", registry.baseUrl);
    });
    after(() => registry.close());

    it("is listed and filtered", async () => {
      await editor.row("skills", /^Ledger Close/);
      await editor.run("filter", { verification: "verified" });
      await editor.row("skills", /^Word Tally/);
      assert.equal((await editor.view("skills")).row(/^Ledger Close/), undefined);
      await editor.run("clearFilters");
      await editor.row("skills", /^Ledger Close/);
    });

    it("shows a skill's page", async () => {
      await editor.pressRow("skills", /^Word Tally/);
      await (await editor.page("Word Tally")).shows("Word Tally");
    });

    it("gets the payload exactly as typed, and the key on the runtime route only", async () => {
      await editor.newPayload("word-tally", typed);
      const invoked = editor.run("invoke");
      const dialog = await editor.dialog("Invoke word-tally@2.1.0?");
      assert.match(dialog.text, new RegExp(`Sent to: ${registry.baseUrl}`));
      dialog.press("Invoke");
      await editor.answer(registry.projectKey);
      await invoked;
      assert.match(editor.output, /"words": \d+/);
      const sent = registry.requests.filter(({ path }) => path === "/v1/runtime/invoke");
      assert.equal(sent.length, 1);
      assert.ok(sent[0]?.body.endsWith(`"input":${typed}}`), sent[0]?.body);
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

    it("needs neither key nor consent for the next invocation", async () => {
      await editor.newPayload("word-tally", '{"text":"a b"}');
      await editor.run("invoke");
      assert.match(editor.output, /"words": 2/);
    });
  });
}
