import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import { plainManifest, startManifestRegistry } from "../../fixtures/registries/manifestRegistry";
import type { TestRegistry } from "../../fixtures/registries/testRegistry";
import type { Page } from "../page";
import { useEditor } from "../useEditor";

/** Addresses that are not opened even if a page requests it; unit tests show that no page offers them. */
const refused = [
  "javascript:alert(1)",
  "command:workbench.action.closeAllEditors",
  "file:///etc/passwd",
  "data:text/html,<script>alert(1)</script>",
  "vscode://skill-registry.skill-registry/skill/other",
  "http://plain.example/",
  "https://good.example@evil.example/",
  "https://a:b@evil.example/",
  "//evil.example/",
  " \tjavascript:alert(1)",
];

/** Addresses that may be opened, and how the question shows each. */
const asked = {
  "https://good.example/path?a=b#c": "https://good.example/path?a=b#c",
  "https://\u0430pple.example/": "https://xn--pple-43d.example/",
  "https://evil.example/[press](command:workbench.action.quit)\u202Egpj.exe":
    "https://evil.example/[press]\u200A(command:workbench.action.quit)%E2%80%AEgpj.exe",
};

describe("An address in a skill", () => {
  const editor = useEditor();
  const question = "Open this address in the browser?";
  let registry: TestRegistry;
  let page: Page;
  before(async () => {
    registry = await startManifestRegistry({ linked: plainManifest("linked", {}) });
    await editor.connectTo(registry);
  });
  after(() => registry.close());

  const open = async () => {
    await editor.run("openSkill", "linked");
    page = await editor.page("linked");
    await editor.until("the skill", () => page.shown?.kind === "ready");
  };

  for (const [url, named] of Object.entries(asked)) {
    it(`It is opened only after a question that names ${named}`, async () => {
      await open();
      page.send({ type: "openLink", url });
      const dialog = await editor.dialog(question);
      assert.ok(dialog.text.split("\n").includes(named), dialog.text);
      dialog.close();
      assert.deepEqual(editor.parts.openedOutside, []);
    });
  }

  it("It is opened after a yes, unless it is no web address", async () => {
    await open();
    for (const url of refused) page.send({ type: "openLink", url });
    page.send({ type: "openLink", url: "https://good.example/" });
    await editor.press(question, "Open");
    await editor.until("the browser", () => editor.parts.openedOutside.length > 0);
    assert.deepEqual(editor.parts.openedOutside, ["https://good.example/"]);
    assert.equal(editor.parts.notices.length, 0);
  });
});
