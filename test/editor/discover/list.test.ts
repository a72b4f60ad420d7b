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
  const description = (words: string) =>
    window.view("Skills").locator(".pane-header .description", { hasText: words });
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

  it("filters by several values at once, counted, and says so in words", async () => {
    await window.runCommand("Skill Registry: Filter Skills…");
    await window.typeIntoQuickInput("submitted");
    await window
      .quickPickRow("submitted")
      .filter({ hasText: /1 skill/ })
      .waitFor();
    await window.choose("submitted");
    await window.typeIntoQuickInput("deprecated");
    await window.choose("deprecated");
    await window.page.keyboard.press("Enter");
    await window.treeRow(/^Draft writer/).waitFor();
    await eventually("two skills", async () => (await labels()).length === 2);
    await message("deprecated or submitted").or(message("submitted or deprecated")).waitFor();
    await description("Built-in registry").waitFor();
  });

  it("says in the search that the view lists what also passes its filters", async () => {
    await run("filter", { verification: "submitted" });
    await eventually("the one", async () => (await labels()).join() === "Draft writer");
    await window.runCommand("Skill Registry: Search Skills…");
    await window.quickPickRow("List all skills that pass the filters in the Skills view").waitFor();
    await window.typeIntoQuickInput("csv");
    await window.quickPickRow("CSV profile").waitFor();
    await window.choose("List “csv” in the Skills view, with its filters");
    await description("“csv” · submitted").waitFor();
    await window.view("Skills").getByText("No skills match your search and filters.").waitFor();
  });

  it("filters by price, publisher and tag, and says what is done here", async () => {
    await run("filter", { billingModel: "subscription" });
    await eventually("the one", async () => (await labels()).join() === "Market data");
    await run("filter", { publisher: "Tidy Tables" });
    await eventually("two", async () => (await labels()).join() === "Format SQL,CSV profile");
    await window.view("Skills").getByText("Filtered by publisher locally").waitFor();
    await run("filter", { tags: ["csv", "profiling"] });
    await eventually("the one", async () => (await labels()).join() === "CSV profile");
    await message("#csv #profiling").waitFor();
  });

  it("takes filters out one by one", async () => {
    await run("search", "csv");
    await run("filter", { verification: ["verified"], billingModel: ["free"] });
    await message("“csv” · verified · free").waitFor();
    await window.runCommand("Skill Registry: Remove a Filter…");
    await window.choose("free");
    await message("“csv” · verified.").waitFor();
    await run("removeFilter", { verification: "verified" });
    await window.runCommand("Skill Registry: Remove a Filter…");
    await window.choose("“csv”");
    await eventually("all skills", async () => (await labels()).length === 12);
  });

  it("keeps filters under a name, to use them again and to delete them", async () => {
    await run("filter", { permissionProfile: "high" });
    await run("groupSkills", "state");
    await window.runCommand("Skill Registry: Save Filters As…");
    await window.answer("Mighty ones");
    await run("clearFilters");
    await run("groupSkills", "none");
    await eventually("all skills", async () => (await labels()).length === 12);
    await window.runCommand("Skill Registry: Use Saved Filters…");
    await window
      .quickPickRow("Mighty ones")
      .filter({ hasText: /high permissions · grouped by/ })
      .waitFor();
    await window.choose("Mighty ones");
    await window.treeRow(/^Verified, 2 skills/).waitFor();
    await window.treeRow(/^Rotate vault secrets/).waitFor();
    await run("deleteFilterSet", "Mighty ones");
    await window.runCommand("Skill Registry: Use Saved Filters…");
    await window.notification("No filters are saved").waitFor();
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
    const chooseInTitleMenu = (submenu: string, entry: string) =>
      eventually(entry, async () => {
        await window.page.keyboard.press("Escape");
        await window.pressInView("Skills", "More Actions");
        await window.openSubmenu(submenu);
        return window.chooseInMenu(entry).catch(() => false);
      });
    await chooseInTitleMenu("Group By", "No Groups");
    await message("by low risk.").waitFor();
    await chooseInTitleMenu("Sort By", "✓ Low Risk");
    await chooseInTitleMenu("Sort By", "Recommended");
    await message("by low risk").waitFor({ state: "detached" });
  });

  it("keeps favorites at the top, and takes hidden skills out of sight", async () => {
    window.atEnd(async () => {
      await run("removeFavorite", "json-diff");
      await run("unhideSkill", "slow-report");
      await run("hideHiddenSkills");
    });
    await window.chooseFromMenu(window.treeRow(/^JSON diff/), "Add to Favorites");
    await eventually("first", async () => (await labels())[0] === "JSON diff");
    await window.treeRow(/^JSON diff, .*, favorite$/).waitFor();
    await window.chooseFromMenu(window.treeRow(/^Slow report/), "Hide Skill");
    await window.treeRow(/^Slow report/).waitFor({ state: "detached" });
    await window.view("Skills").getByText("1 skill is hidden.").waitFor();
    await run("showHiddenSkills");
    const shown = window.treeRow(/^Slow report(?!.*hidden)/);
    await eventually("the skill unhidden", async () => {
      if ((await shown.count()) > 0) return true;
      await window.chooseFromMenu(window.treeRow(/^Slow report, .*, hidden$/), "Unhide Skill");
      // The command of a row that was listed anew since its menu opened asks which skill is meant.
      return shown.waitFor({ timeout: 10_000 }).then(() => true);
    });
    await run("hideHiddenSkills");
    await shown.waitFor();
    await run("removeFavorite", "json-diff");
    await eventually("not first", async () => (await labels())[0] === "Text statistics");
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

  it("copies slug, link and cURL from the context menu", async () => {
    const copies = [
      ["Copy Slug", /^burst-limited$/],
      ["Copy Link to Skill", /^http:\/\/127\.0\.0\.1:\d+\/v1\/skills\/burst-limited$/],
      ["Copy as cURL", /^curl .*\/v1\/runtime\/invoke/],
    ] as const;
    for (const [item, expected] of copies) {
      await vscode.env.clipboard.writeText("");
      const isCopied = async () => expected.test(await vscode.env.clipboard.readText());
      await eventually(item, async () => {
        // A menu whose row is drawn anew meanwhile closes without a word.
        await window.chooseFromMenu(window.treeRow(/^Short codes/), "Copy", item);
        return eventually(item, isCopied, 3).catch(() => false);
      });
    }
  });

  it("says in a tooltip what state a skill is in and what it may do", async () => {
    const tooltip = window.page.locator(".monaco-hover:visible", { hasText: "High permissions" });
    await eventually("the tooltip", async () => {
      // A row that is drawn anew under a mouse at rest shows none, and takes away what it shows.
      await window.pointAt(window.treeRow(/^Rotate vault secrets/));
      const text = await tooltip.innerText({ timeout: 5_000 });
      assert.match(text, /Uses \d secrets? of the project/);
      assert.match(text, /^Verified$/m);
      return true;
    });
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
