import { strict as assert } from "node:assert";
import { afterEach, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";
import type { EditorWindow } from "../window/window";

const run = (command: string, argument?: unknown) =>
  vscode.commands.executeCommand(`skillRegistry.${command}`, argument);

describe("Discover, with the built-in registry", () => {
  const window = useWindow();
  before(async () => {
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Text statistics/).waitFor();
    // A view that takes the focus as it opens would close a search.
    await vscode.commands.executeCommand("skillRegistry.skills.focus");
  });
  afterEach(async () => {
    await run("clearFilters");
    await run("sortSkills", "recommended");
    await run("groupSkills", "none");
  });

  const labels = () => labelsOf(window);
  const message = (words: string) => window.view("Skills").getByText(`Showing: ${words}`);

  it("searches as you type, and opens what is found, by keyboard alone", async () => {
    await window.runCommand("Skill Registry: Search Skills…");
    await window.quickPickRow("Text statistics").waitFor();
    await window.page.keyboard.type("csv");
    // It stands there with the answer to the whole text; an answer to its beginning may come before.
    await window.quickPickRow("List “csv” in the Skills view").waitFor();
    await window.quickPickRow("Text statistics").waitFor({ state: "detached" });
    const row = window.quickPickRow("CSV profile");
    await row.filter({ hasText: "verified · low permissions · data · free" }).waitFor();
    await window.page.keyboard.press("Enter");
    await window.webview.getByRole("heading", { name: "CSV profile", level: 1 }).waitFor();
  });

  it("starts a payload from a row of the search, by keyboard alone", async () => {
    await window.runCommand("Skill Registry: Search Skills…");
    await window.typeIntoQuickInput("csv prof");
    await window.quickPickRow("List “csv prof” in the Skills view").waitFor();
    await window.quickPickRow("CSV profile").waitFor();
    await focusRowButton(window, "New Payload", 1);
    await window.page.keyboard.press("Enter");
    await eventually("an input for csv-profile", () =>
      vscode.window.activeTextEditor?.document.fileName.endsWith("csv-profile.skill-input.json"),
    );
  });

  it("compares what is found in the search with another skill, by keyboard alone", async () => {
    await window.runCommand("Skill Registry: Search Skills…");
    await window.typeIntoQuickInput("csv prof");
    await window.quickPickRow("List “csv prof” in the Skills view").waitFor();
    await window.quickPickRow("CSV profile").waitFor();
    await focusRowButton(window, "Compare with…", 2);
    await window.page.keyboard.press("Enter");
    const title = window.quickInput.locator(".quick-input-title");
    await title.getByText("1 selected, select at least one more").waitFor();
    await window.quickPickRow("Text statistics").waitFor();
    await window.typeIntoQuickInput("json diff");
    // A row that is checked in the moment in which an answer arrives is unchecked again with it.
    await window.quickPickRow("Text statistics").waitFor({ state: "detached" });
    await window.choose("JSON diff");
    await title.getByText("Compare Skills", { exact: true }).waitFor();
    await window.page.keyboard.press("Enter");
    await window.webview.getByRole("heading", { name: "Compare 2 skills", level: 1 }).waitFor();
  });

  it("sorts and groups as chosen", async () => {
    await window.runCommand("Skill Registry: Sort Skills By…");
    await window.choose("Name");
    await eventually("names in order", async () => {
      const names = await labels();
      return names.length === 12 && names.join() === [...names].sort().join();
    });
    await message("by name").waitFor();
    await run("sortSkills", "low_risk");
    await eventually("power last", async () => (await labels()).at(-1) !== "Text statistics");
    await window.runCommand("Skill Registry: Group Skills By…");
    await window.choose("Publisher");
    await window.treeRow(/^Tidy Tables, 2 skills/).waitFor();
    await message("by low risk · grouped by publisher").waitFor();
    await run("groupSkills", "none");
    await message("by low risk.").waitFor();
    await window.pressInView("Skills", "More Actions");
    await window.chooseInMenu("Sort Skills By…");
    await window.choose("Recommended");
    await message("by low risk").waitFor({ state: "detached" });
  });

  it("shows one skill after another in one page, and keeps it after a double click", async () => {
    const heading = (name: string) =>
      window.webview.getByRole("heading", { name, level: 1, exact: true }).waitFor();
    // On the screen, since the API tells of tabs later.
    const pages = () => window.page.locator(".tabs-container .tab").count();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await window.pressRow(window.treeRow(/^JSON diff/));
    await heading("JSON diff");
    await window.pressRow(window.treeRow(/^CSV profile/));
    await heading("CSV profile");
    assert.equal(await pages(), 1);
    await eventually("two pages", async () => {
      await window.pointAt(window.treeRow(/^CSV profile/));
      await window.treeRow(/^CSV profile/).dblclick({ timeout: 15_000 });
      await heading("CSV profile");
      await window.pressRow(window.treeRow(/^JSON diff/));
      await heading("JSON diff");
      return (await pages()) === 2;
    });
    await window.pressRow(window.treeRow(/^CSV profile/));
    await heading("CSV profile");
    const tag = window.webview.getByRole("button", { name: "profiling" });
    await window.pressUntil(tag, message("#profiling"));
    await eventually(
      "the skills with the tag",
      async () => (await labels()).join() === "CSV profile",
    );
  });
});

/** The labels of the Skills view's rows in sight, from the top. */
async function labelsOf(window: EditorWindow): Promise<string[]> {
  return window.view("Skills").locator(".monaco-list-row .label-name").allInnerTexts();
}

/**
 * Focuses a button of the row that is highlighted in the search: the first is behind Tab,
 * which is pressed twice at most, and the others `arrows` further to the right.
 */
async function focusRowButton(window: EditorWindow, name: string, arrows: number): Promise<void> {
  const box = window.quickInput.locator("input:not([type=checkbox])").first();
  const focused = window.page.locator(":focus");
  const button = (label: string) => window.quickInput.getByRole("button", { name: label });
  const isOn = async (label: string) => (await button(label).and(focused).count()) > 0;
  // An answer that comes meanwhile draws the rows anew, and the focus is back where it was.
  await eventually(`the focus on ${name}`, async () => {
    await box.focus();
    for (let presses = 0; presses < 2 && !(await isOn("Open Page")); presses += 1) {
      await window.page.keyboard.press("Tab");
    }
    for (let presses = 0; presses < arrows; presses += 1) {
      await window.page.keyboard.press("ArrowRight");
    }
    return isOn(name);
  });
}
