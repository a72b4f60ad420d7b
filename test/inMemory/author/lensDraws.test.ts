import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { useEditor } from "../useEditor";

describe("The lenses of a payload", () => {
  const editor = useEditor();

  it("are drawn again only if a person would see others", async () => {
    await editor.newPayload("text-stats", '{ "text": "One two." }');
    await editor.checked();
    await editor.lenses();
    let draws = 0;
    for (const { provider } of editor.parts.languages.codeLenses) {
      provider.onDidChangeCodeLenses?.(() => {
        draws += 1;
      });
    }
    editor.write('{ "text": "One two three." }');
    await editor.checked();
    await editor.run("validatePayload");
    assert.equal(draws, 0);
    editor.set("skillRegistry.baseUrl", "http://127.0.0.1:9");
    await editor.until("lenses that name the other registry", () => draws > 0);
  });
});
