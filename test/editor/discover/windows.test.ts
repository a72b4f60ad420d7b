import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import type { Screen } from "../window/screen";
import { openSecondWindow, type SecondWindow } from "../window/secondWindow";
import { useWindow } from "../window/useWindow";

const run = (command: string, argument?: unknown) =>
  vscode.commands.executeCommand(`skillRegistry.${command}`, argument);

describe("The Skills view in two windows", () => {
  const window = useWindow({ steps: true });
  let second: SecondWindow;

  before(async function () {
    // A desktop window cannot be opened from here.
    if (process.env["SKILL_REGISTRY_TEST_EDITOR"] === "desktop") return this.skip();
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Text statistics/).waitFor();
    second = await openSecondWindow(window);
    await second.treeRow(/^Text statistics/).waitFor();
  });
  after(async () => {
    await run("removeFavorite", "json-diff");
    await run("unhideSkill", "slow-report");
    await run("clearFilters");
  });

  const topRow = async (screen: Screen) =>
    (await screen.view("Skills").locator(".monaco-list-row .label-name").allInnerTexts())[0];

  it("shows favorites of the other window when it is looked at again", async () => {
    await second.chooseFromMenu(second.treeRow(/^JSON diff/), "Add to Favorites");
    await eventually("the favorite on top", async () => (await topRow(second)) === "JSON diff");
    await eventually("the favorite on top here", async () => {
      await window.openContainer("Explorer");
      await window.openContainer("Skill Registry");
      return (await topRow(window)) === "JSON diff";
    });
  });

  it("hides what the other window hid when the user comes back to this one", async () => {
    await second.chooseFromMenu(second.treeRow(/^Slow report/), "Hide Skill");
    const note = window.view("Skills").getByText("1 skill is hidden.");
    await eventually("the note here", async () => {
      await leave(window);
      await comeBack(window);
      return (await note.count()) === 1;
    });
    await window.treeRow(/^Slow report/).waitFor({ state: "detached" });
  });

  it("shows what the other window unhides while it stands beside it without the focus", async () => {
    await leave(window);
    try {
      await second.runCommand("Skill Registry: Unhide Skill");
      await second.choose("Slow report");
      await window.treeRow(/^Slow report/).waitFor();
      await second.chooseFromMenu(second.treeRow(/^Slow report/), "Hide Skill");
      await window.treeRow(/^Slow report/).waitFor({ state: "detached" });
    } finally {
      await comeBack(window);
    }
  });

  it("offers the filters that the other window saved", async () => {
    await run("filter", { verification: "verified" });
    await run("saveFilterSet", "Kept ones");
    // What one window stores reaches the other some 100 ms later.
    await eventually("the filters there", async () => {
      await second.runCommand("Skill Registry: Saved Filters…");
      const row = second.quickPickRow("Kept ones");
      return eventually("their row", () => row.isVisible(), 5);
    });
    await second.choose("Kept ones");
    await second.view("Skills").getByText("Showing: verified.").waitFor();
  });
});

/** Makes the window believe that it lost the focus: a headless browser has all pages in focus. */
async function leave({ page }: Screen): Promise<void> {
  await page.evaluate(() => {
    document.hasFocus = () => false;
    window.dispatchEvent(new Event("blur"));
  });
}

/** Makes the window believe that it has the focus again. */
async function comeBack({ page }: Screen): Promise<void> {
  await page.evaluate(() => {
    document.hasFocus = () => true;
    window.dispatchEvent(new Event("focus"));
  });
}
