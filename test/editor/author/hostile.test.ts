import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import type { Locator } from "playwright-core";
import * as vscode from "vscode";
import { hostileTexts } from "../../fixtures/registries/hostileRows";
import { startTestRegistry } from "../../fixtures/registries/testRegistry";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";

const dollar = "$";
const link = hostileTexts["link"] ?? "";
const icons = hostileTexts["icons"] ?? "";
const slug = "mean-schema";

const manifest = {
  schemaVersion: "0.1",
  name: slug,
  displayName: "Mean",
  version: "1.0.0",
  description: "Means harm.",
  tags: [],
  runtime: { type: "http", entrypoint: "https://example.com" },
  permissions: { network: false, browser: false, filesystem: "none", secrets: [] },
  outputSchema: {},
  inputSchema: {
    required: ["plain"],
    properties: {
      plain: {
        description: `${link} ${hostileTexts["file"]} ${icons}`,
        markdownDescription: link,
        defaultSnippets: [{ label: "evil", body: `^${dollar}CLIPBOARD` }],
        enum: [`${dollar}{CLIPBOARD}`, "b"],
      },
      [icons]: { description: hostileTexts["huge"] },
    },
  },
};

describe("A hostile schema in completion and hover", () => {
  const window = useWindow({ steps: true });
  before(async () => {
    const server = await startTestRegistry({ [`/v1/skills/${slug}`]: { body: manifest } });
    await window.connectTo(server);
  });

  const text = () => vscode.window.activeTextEditor?.document.getText() ?? "";

  /** Opens suggestions until they contain the row. */
  const suggest = (row: Locator) =>
    eventually("the suggestion", async () => {
      await window.page.keyboard.press("Control+Space");
      return eventually("the suggestion", () => row.isVisible(), 10);
    });

  it("inserts a value literally", async () => {
    await vscode.env.clipboard.writeText("private");
    await vscode.commands.executeCommand("skillRegistry.newPayload", slug);
    await window.statusBarItem(/mean-schema@1\.0\.0: 1 problem/).waitFor();
    await window.replaceText('{ "plain": }');
    for (let step = 0; step < 2; step += 1) await window.page.keyboard.press("ArrowLeft");
    await window.page.keyboard.press("ArrowRight");
    const rows = window.page.locator(".suggest-widget.visible .monaco-list-row");
    await suggest(rows.filter({ hasText: "CLIPBOARD" }).first());
    assert.equal(await rows.filter({ hasText: "evil" }).count(), 0);
    await window.page.keyboard.press("Tab");
    await eventually("the value", () => text().includes(`"${dollar}{CLIPBOARD}"`));
    assert.doesNotMatch(text(), /private/);
  });

  it("shows names without icons", async () => {
    await window.replaceText('{ "plain": "b", "" }');
    for (let step = 0; step < 3; step += 1) await window.page.keyboard.press("ArrowLeft");
    const row = window.page
      .locator(".suggest-widget.visible .monaco-list-row", { hasText: "flame" })
      .first();
    await suggest(row);
    assert.equal(await row.locator(".codicon-flame").count(), 0);
    await window.page.keyboard.press("Escape");
  });

  it("explains in plain text: no link, no image, no icon", async () => {
    await window.replaceText('{ "plain": "b" }');
    await window.statusBarItem(/mean-schema@1\.0\.0: valid/).waitFor();
    for (let step = 0; step < 10; step += 1) await window.page.keyboard.press("ArrowLeft");
    const hover = window.page.locator(".monaco-hover:visible", { hasText: "press me" });
    await eventually("the hover", async () => {
      await vscode.commands.executeCommand("editor.action.showHover");
      return eventually("the hover", () => hover.isVisible(), 10);
    });
    assert.match(await hover.innerText(), /\[press me\]\(command:workbench/);
    assert.equal(await hover.locator("a[data-href], img, .codicon-flame").count(), 0);
  });
});
