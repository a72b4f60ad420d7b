import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { itInWholeSuite } from "../../fixtures/wholeSuite";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";
import { focusedName, namesInOrder, runByKeys, tabTo } from "./openPage";

const tabs = ["Overview", "Input", "Output", "Examples", "Versions", "Manifest"];

describe("A skill is chosen by keyboard alone", () => {
  const window = useWindow({ steps: true });

  const press = (key: string) => window.page.keyboard.press(key);
  const type = (text: string) => window.page.keyboard.type(text);
  const heading = (name: string | RegExp) =>
    window.webview.getByRole("heading", { name, level: 1 }).waitFor();
  /** Returns the focus to the page after an editor that covered it has closed. */
  const backToPage = async () => {
    await vscode.commands.executeCommand("skillRegistry.openSkill", "csv-profile");
    await heading("CSV profile");
    await window.webview.locator("vscode-panels:defined").waitFor();
  };
  /** Waits until the quick input takes key presses: the focus may still be in a page. */
  const box = (title: string) =>
    window.quickInput
      .filter({ has: window.page.locator(".quick-input-title", { hasText: title }) })
      .locator("input:focus");
  const toTab = async (name: string) => {
    const isTab = new RegExp(`^(${tabs.join("|")})( \\(\\d+\\))?$`);
    if (!isTab.test(await focusedName(window))) await tabTo(window, isTab, "Shift+Tab");
    await eventually(`the tab ${name}`, async () => {
      if ((await focusedName(window)).startsWith(name)) return true;
      await press("ArrowRight");
      return false;
    });
  };

  it("opens its page from the palette, with the focus in it", async () => {
    await runByKeys(window, "Skill Registry: Open Skill", box("Open Skill"));
    await type("csv-profile");
    await window.quickPickRow("CSV profile").and(window.page.locator(".focused")).waitFor();
    await window.quickPickRow("Text statistics").waitFor({ state: "detached" });
    await press("Enter");
    await heading("CSV profile");
    await window.webview.locator("vscode-panels:defined").waitFor();
    assert.deepEqual((await tabTo(window, "Overview")).slice(-4, -1), [
      "Open Payload",
      "Copy As…",
      "Compare with…",
    ]);
  });

  // Unit tests go through the page by itself.
  itInWholeSuite("reaches everything in every tab, in the order it is read", async () => {
    for (const name of tabs) {
      const start = await eventually(`the focus on ${name}`, async () => {
        const focused = await focusedName(window);
        return focused.startsWith(name) && focused;
      });
      await window.webview.getByRole("tab", { name: start, exact: true, selected: true }).waitFor();
      await window.webview.locator(`#${name.toLowerCase()}-view`).waitFor();
      if (name === "Input" || name === "Output") {
        await window.webview.locator(`#${name.toLowerCase()}-view .outline`).waitFor();
      }
      if (name === "Versions") await window.webview.locator(".change").first().waitFor();
      const all = await namesInOrder(window);
      const inTab = all.slice(all.indexOf(start) + 1);
      const reached: string[] = [];
      for (const _ of inTab) {
        await press("Tab");
        reached.push(await focusedName(window));
      }
      assert.deepEqual(reached, inTab, name);
      for (const _ of inTab) await press("Shift+Tab");
      assert.equal(await focusedName(window), start);
      if (name !== tabs.at(-1)) await press("ArrowRight");
    }
  });

  it("opens and closes the outline of a schema", async () => {
    await toTab("Input");
    await tabTo(window, "Input schema");
    await press("Enter");
    await window.webview.locator("#input-view .outline").waitFor();
    const closed = () => window.webview.locator("#input-view details:not([open])").count();
    await tabTo(window, "Collapse all");
    await press("Enter");
    await eventually("closed parts", async () => (await closed()) > 0);
    await tabTo(window, /^Inside/);
    const before = await closed();
    await press("Enter");
    await eventually("one part open", async () => (await closed()) === before - 1);
    await tabTo(window, "Expand all", "Shift+Tab");
    await press("Space");
    await eventually("all parts open", async () => (await closed()) === 0);
  });

  it("copies the manifest, searches in it, and opens it in an editor, where search works too", async () => {
    await toTab("Manifest");
    await tabTo(window, "Copy: Manifest");
    await press("Enter");
    const copied = await eventually("the manifest in the clipboard", async () => {
      const text = await vscode.env.clipboard.readText();
      return text.includes('"inputSchema"') && text;
    });
    assert.equal(JSON.parse(copied).name, "csv-profile");
    await tabTo(window, "Find in this page");
    await press("Enter");
    const find = window.page.locator(".simple-find-part.visible input").first();
    await find.and(window.page.locator(":focus")).waitFor();
    await type("entrypoint");
    await eventually("the text to find", async () => (await find.inputValue()) === "entrypoint");
    await press("Escape");
    await find.waitFor({ state: "hidden" });
    await tabTo(window, "Open in editor: Manifest");
    await press("Enter");
    const document = await eventually("the manifest in an editor", () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.uri.scheme === "skill-manifest" && shown;
    });
    assert.deepEqual(JSON.parse(document.getText()), JSON.parse(copied));
    await window.editor.and(window.page.locator(".focused")).locator(".view-lines").waitFor();
    await press("ControlOrMeta+f");
    await window.page.locator(".find-widget.visible .find-part :focus").waitFor();
    await type("entrypoint");
    await window.page.locator(".find-widget .matchesCount", { hasText: "of 1" }).waitFor();
    await press("Escape");
  });

  it("compares two other versions, and shows an older one", async () => {
    await backToPage();
    await toTab("Versions");
    const before = window.webview.locator("#version-before");
    const after = window.webview.locator("#version-after");
    await eventually("the newest two", async () => {
      const pair = [await before.inputValue(), await after.inputValue()];
      return pair.join() === "1.1.0,2.0.0";
    });
    await tabTo(window, /^From/);
    await press("ArrowDown");
    await eventually("the older version", async () => (await before.inputValue()) === "1.0.0");
    await window.webview.locator(".change").first().waitFor();
    await tabTo(window, /^To/);
    await press("ArrowDown");
    await eventually("the other version", async () => (await after.inputValue()) === "1.1.0");
    await window.webview.locator(".change").first().waitFor();
    await tabTo(window, "Show version 1.1.0");
    await press("Enter");
    await window.webview.getByText("csv-profile@1.1.0", { exact: true }).waitFor();
  });

  it("compares it with another skill", async () => {
    await toTab("Overview");
    await tabTo(window, "Compare with…", "Shift+Tab");
    await press("Enter");
    await window.quickInput.getByText("csv-profile").first().waitFor();
    await box("Compare csv-profile with…").waitFor();
    // Typed at once, since each letter would produce a list of its own.
    await window.page.keyboard.insertText("json-diff");
    await window.quickPickRow("JSON diff").waitFor();
    await window.quickPickRow("Text statistics").waitFor({ state: "detached" });
    await press("Enter");
    await heading("Compare 2 skills");
    const all = ["Add a skill…", "Differences only", "CSV profile", "JSON diff"];
    await eventually("all that takes the focus", async () => {
      assert.deepEqual(await namesInOrder(window), all);
      return true;
    });
    const [first = "", ...others] = all;
    if ((await focusedName(window)) !== first) await tabTo(window, first);
    const reached = await tabTo(window, "JSON diff");
    assert.deepEqual(reached.slice(-others.length), others);
    await tabTo(window, "Differences only", "Shift+Tab");
    await press("Space");
    const same = window.webview.locator(".row.same:visible");
    await eventually("only what differs", async () => (await same.count()) === 0);
    await tabTo(window, "CSV profile");
    await press("Enter");
    await heading("CSV profile");
  });

  it("starts a payload", async () => {
    await tabTo(window, "Open Payload");
    await press("Enter");
    const document = await eventually("the new input", () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.fileName.includes("csv-profile") && shown.languageId === "json" && shown;
    });
    // The page shows 1.1.0, in which the table has this name.
    assert.ok("text" in JSON.parse(document.getText()));
  });
});
