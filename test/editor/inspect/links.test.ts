import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { type RecordingServer, startRecordingServer } from "../../fixtures/network/recordingServer";
import {
  type ManifestRegistry,
  plainManifest,
  startManifestRegistry,
} from "../../fixtures/registries/manifestRegistry";
import { eventually } from "../eventually";
import { someOf } from "../someOf";
import { useWindow } from "../window/useWindow";
import { tabTo } from "./openPage";

const run = (command: string, ...options: unknown[]) =>
  vscode.commands.executeCommand(`skillRegistry.${command}`, ...options);

/** What must not be opened. */
const refused = {
  script: "javascript:alert(1)",
  command: "command:workbench.action.closeAllEditors",
  file: "file:///etc/passwd",
  data: "data:text/html,<script>alert(1)</script>",
  editor: "vscode://skill-registry.skill-registry/skill/other",
  plain: "http://plain.example/",
  user: "https://good.example@evil.example/",
  password: "https://a:b@evil.example/",
  relative: "//evil.example/",
  spaced: " \tjavascript:alert(1)",
};

/** What may be opened, and how the question names it. */
const asked = {
  ordinary: ["https://good.example/path?a=b#c", "https://good.example/path?a=b#c"],
  lookalike: ["https://\u0430pple.example/", "https://xn--pple-43d.example/"],
  dressed: [
    "https://evil.example/[press](command:workbench.action.quit)\u202Egpj.exe",
    "https://evil.example/[press](command:workbench.action.quit)%E2%80%AEgpj.exe",
  ],
} as const;

const withLinks = (slug: string, url: string) =>
  plainManifest(slug, {
    description: `[press](${url}) <a href="${url}">here</a> ${url}`,
    publisher: { name: "Somebody", url },
    author: { name: "Somebody", url },
    supportUrl: url,
  });

describe("Addresses in a skill", () => {
  const window = useWindow();
  let registry: ManifestRegistry;
  let elsewhere: RecordingServer;
  const opened: string[] = [];
  before(async () => {
    elsewhere = await startRecordingServer((_request, response) => response.end("{}"));
    window.atEnd(() => elsewhere.close());
    registry = await startManifestRegistry({
      ...Object.fromEntries(
        Object.entries(refused).map(([slug, url]) => [slug, withLinks(slug, url)]),
      ),
      ...Object.fromEntries(
        Object.entries(asked).map(([slug, [url]]) => [slug, withLinks(slug, url)]),
      ),
      lure: plainManifest("lure", {
        examples: [{ name: "Lure", input: { $schema: `${elsewhere.baseUrl}/s.json`, a: 1 } }],
      }),
    });
    window.page.context().on("page", (page) => opened.push(page.url()));
    await window.connectTo(registry);
  });

  const open = async (slug: string) => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await run("openSkill", slug);
    await window.webview.getByRole("heading", { name: slug, level: 1, exact: true }).waitFor();
    await window.webview.locator("vscode-panels:defined").waitFor();
  };

  // Unit tests go through them all.
  for (const [slug, url] of someOf(refused, ["script", "command", "relative"])) {
    it(`offer nothing to press: ${url.trim()}`, async () => {
      await open(slug);
      const page = window.webview;
      assert.equal(await page.locator("main :is(a, [href], .link:not(#by-publisher))").count(), 0);
      await page.getByText(url.trim()).first().click();
      assert.equal(await window.dialog.count(), 0);
      assert.deepEqual(opened, []);
    });
  }

  for (const [slug, [, address]] of Object.entries(asked)) {
    it(`are opened after a question that names ${address}, not before`, async () => {
      await open(slug);
      const name = new RegExp(`^Website \\(opens ${literal(address)} in the browser\\)$`);
      await tabTo(window, name);
      await window.page.keyboard.press("Enter");
      const question = window.dialog.filter({ hasText: "Open this address in the browser?" });
      // A dialog's text is escaped like any other that may hold a registry's words.
      await question.getByText(address.replaceAll("](", "]\u200A("), { exact: true }).waitFor();
      await window.pressInDialog("Open this address in the browser?", "Cancel");
      assert.deepEqual(opened, []);
    });
  }

  it("are opened when the question is answered so", async () => {
    await open("ordinary");
    await window.webview.getByRole("button", { name: /^Website/ }).click();
    await window.pressInDialog("Open this address in the browser?", "Open");
    // The editor asks once more by itself, for addresses that its user does not trust yet.
    await window.pressInDialog("good.example", "Cancel");
  });

  it("are not fetched where an example names one as its schema", async () => {
    await open("lure");
    await window.webview.getByRole("tab", { name: /^Examples/ }).click();
    await window.webview.getByRole("button", { name: /^Open as Payload/ }).click();
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
    // The editor's JSON support has read the text once it answers.
    await vscode.commands.executeCommand("vscode.executeHoverProvider", document.uri, {
      line: 1,
      character: 4,
    });
    assert.deepEqual(elsewhere.requests, []);
  });
});

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
