import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";

/** Tests what VS Code does with pages; tests in memory cover their content. */
describe("The page of a skill", () => {
  const window = useWindow();

  const open = (slug: string) => vscode.commands.executeCommand("skillRegistry.openSkill", slug);
  const heading = (name: string | RegExp) =>
    window.webview.getByRole("heading", { name, level: 1 }).waitFor();

  it("keeps its tab and the compared versions while it is hidden", async () => {
    await open("csv-profile");
    await heading("CSV profile");
    await window.webview.locator("vscode-panels:defined").waitFor();
    await window.webview.getByRole("tab", { name: /^Versions/ }).click();
    await window.webview.locator(".change").first().waitFor();
    const before = window.webview.locator("#version-before");
    await before.selectOption("1.0.0");
    await window.webview.locator(".change").first().waitFor();
    await window.webview.getByRole("button", { name: "Compare manifests" }).click();
    await window.editor.locator(".view-lines").first().waitFor();
    await open("csv-profile");
    await window.webview.getByRole("tab", { name: /^Versions/, selected: true }).waitFor();
    await window.webview.locator(".change").first().waitFor();
    assert.equal(await before.inputValue(), "1.0.0");
  });

  it("opens from a link, which can do nothing else", async () => {
    await window.runCommand("Developer: Open URL");
    await window.answer("vscode://skill-registry.skill-registry/skill/json-diff");
    await window.pressInDialog("to open this URI", "Open");
    await heading("JSON diff");
    await window.runCommand("Developer: Open URL");
    await window.answer("vscode://skill-registry.skill-registry/skill/..%2F..%2Fv1");
    await window.pressInDialog("to open this URI", "Open");
    await window.notification("Invalid skill link.").waitFor();
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
  });

  it("has read-only manifests", async () => {
    await open("csv-profile");
    await heading("CSV profile");
    await window.webview.locator("vscode-panels:defined").waitFor();
    await window.webview.getByRole("tab", { name: /^Manifest/ }).click();
    await window.webview.getByRole("button", { name: "Open in editor: Manifest" }).click();
    await window.editor.locator(".view-lines").first().waitFor();
    // The extension host learns of the editor after it is drawn.
    const document = await eventually(
      "the manifest",
      () => vscode.window.activeTextEditor?.document,
    );
    const text = document.getText();
    await vscode.commands.executeCommand("type", { text: "x" });
    assert.deepEqual([document.uri.scheme, document.getText()], ["skill-manifest", text]);
  });
});
