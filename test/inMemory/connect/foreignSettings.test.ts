import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

const kinds: Readonly<Record<string, boolean>> = { "is trusted": true, "is not trusted": false };

for (const [kind, isTrusted] of Object.entries(kinds)) {
  describe(`A folder with settings of the extension, and ${kind}`, () => {
    const folder = useFolder();
    const editor = useEditor(() => ({
      folders: [folder.path],
      isTrusted,
      settings: { "skillRegistry.history.keepTexts": "always" },
    }));
    let registry: ForeignRegistry;
    before(async () => {
      registry = await startForeignRegistry({ dialect: "camel" });
      await editor.connectTo(registry);
      const { settings } = editor.parts;
      settings.write("skillRegistry.baseUrl", "http://127.0.0.1:9/x", "workspace");
      settings.write("skillRegistry.history.maxEntries", 1, "workspace");
      settings.write("http.proxy", "http://127.0.0.1:9", "workspace");
      settings.write("http.systemCertificates", false, "workspace");
    });
    after(() => registry.close());

    it("Its invocations and their key go to the user's own registry, and all are recorded", async () => {
      for (const [index, text] of ["one", "one two", "one two three"].entries()) {
        await editor.newPayload("word-tally", JSON.stringify({ text }));
        const invoked = editor.run("invoke");
        if (index === 0) {
          await editor.press("Invoke word-tally@2.1.0?", "Invoke");
          await editor.answer(registry.projectKey);
        }
        await invoked;
        assert.ok(editor.output.includes(`"words": ${index + 1}`), editor.output);
        await editor.tidy();
      }
      const posts = registry.requests.filter(({ path }) => path === "/v1/runtime/invoke");
      assert.deepEqual(
        posts.map(({ headers }) => headers.authorization),
        Array(3).fill(`Bearer ${registry.projectKey}`),
      );
      assert.equal((await recordsOf(editor)).length, 3);
      const view = await editor.view("invocations");
      const rows = () => view.rows.filter(({ label }) => label.startsWith("word-tally@2.1.0"));
      await editor.until("three rows", () => rows().length === 3);
    });
  });
}
