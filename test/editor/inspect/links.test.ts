import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { plainManifest, startManifestRegistry } from "../../fixtures/registries/manifestRegistry";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";

const address = "https://good.example/path?a=b#c";

const run = (command: string, ...options: unknown[]) =>
  vscode.commands.executeCommand(`skillRegistry.${command}`, ...options);

describe("Addresses in a skill", () => {
  const window = useWindow();
  let registry: TestRegistry;
  let elsewhere: TestRegistry;
  before(async () => {
    elsewhere = await startTestRegistry({ "**": { body: {} } });
    window.atEnd(() => elsewhere.close());
    registry = await startManifestRegistry({
      ordinary: plainManifest("ordinary", { author: { name: "Somebody", url: address } }),
      lure: plainManifest("lure", {
        examples: [{ name: "Lure", input: { $schema: `${elsewhere.baseUrl}/s.json`, a: 1 } }],
      }),
    });
    await window.connectTo(registry);
  });

  const open = async (slug: string) => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await run("openSkill", slug);
    await window.webview.getByRole("heading", { name: slug, level: 1, exact: true }).waitFor();
    await window.webview.locator("vscode-panels:defined").waitFor();
  };

  it("are opened after a yes", async () => {
    await open("ordinary");
    await window.webview.getByRole("button", { name: /website \(opens/ }).click();
    await window.pressInDialog("Open this address in the browser?", "Open");
    // The editor itself asks again for an address that its user does not trust yet.
    await window.pressInDialog("good.example", "Cancel");
  });

  it("are not fetched if an example names one as its schema", async () => {
    await open("lure");
    await window.webview.getByRole("tab", { name: /^Examples/ }).click();
    await window.webview.getByRole("button", { name: /^Open Payload: / }).click();
    await window.notification(/“\$schema” was left out.*s\.json/).waitFor();
    const document = await eventually("the input", () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.fileName.includes("lure") && shown;
    });
    assert.deepEqual(JSON.parse(document.getText()), { a: 1 });
    await window.statusBarItem(/lure@1\.0\.0: valid/).waitFor();
    await window.replaceText("{}\n");
    const filled = run("fillPayload");
    await window.choose("Example 1: Lure");
    await filled;
    assert.deepEqual(JSON.parse(document.getText()), { a: 1 });
    // Once the editor's JSON support responds, it has read the text.
    await vscode.commands.executeCommand("vscode.executeHoverProvider", document.uri, {
      line: 1,
      character: 4,
    });
    assert.deepEqual(elsewhere.requests, []);
  });
});
