import { strict as assert } from "node:assert";
import { afterEach, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { needsDialogs } from "../window/needsDialogs";
import { useWindow } from "../window/useWindow";
import { selectRows } from "./selectRows";

const run = (command: string, argument?: unknown) =>
  vscode.commands.executeCommand(`skillRegistry.${command}`, argument);

describe("Several rows of the Skills view that are selected", () => {
  const window = useWindow();
  before(async () => {
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Text statistics/).waitFor();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("skillRegistry.skills.focus");
    await vscode.commands.executeCommand("list.clear");
    for (const slug of ["csv-profile", "json-diff"]) await run("unhideSkill", slug);
  });

  const compared = (title: string) =>
    window.webview.getByRole("heading", { name: title, level: 1 }).waitFor();
  const title = () => window.quickInput.locator(".quick-input-title");
  const selected = () => window.view("Skills").locator(".monaco-list-row.selected");
  const openTabs = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);

  it("are too many where five are chosen: which stay is asked", async () => {
    const five = [/^CSV profile/, /^JSON diff/, /^Market data/, /^Format SQL/, /^Slow report/];
    await selectRows(window, five);
    await window.chooseFromMenu(window.treeRow(/^JSON diff/), "Compare Skills…");
    await title().getByText("5 selected, at most 4 fit side by side").waitFor();
    // A row that is unchecked in the moment in which the list arrives is checked again with it.
    await window.quickPickRow("Text statistics").waitFor();
    await window.page.keyboard.press("Enter");
    await title().getByText("5 selected, at most 4 fit side by side").waitFor();
    await window.choose("Slow report");
    await title().getByText("Compare Skills", { exact: true }).waitFor();
    await window.page.keyboard.press("Enter");
    await compared("Compare 4 skills");
  });

  it("are hidden, shown and copied together", async () => {
    await selectRows(window, [/^CSV profile/, /^JSON diff/]);
    await window.chooseFromMenu(window.treeRow(/^CSV profile/), "Copy", "Copy Slug");
    await eventually("both slugs", async () => {
      const slugs = (await vscode.env.clipboard.readText()).split("\n");
      return slugs.sort().join() === "csv-profile,json-diff";
    });
    const copied = async (item: string, part: RegExp) => {
      await window.chooseFromMenu(window.treeRow(/^CSV profile/), "Copy", item);
      await eventually(item, async () => {
        const text = await vscode.env.clipboard.readText();
        return [...text.matchAll(part)].length === 2;
      });
    };
    await copied("Copy Link to Skill", /\/v1\/skills\/(csv-profile|json-diff)$/gm);
    await copied("Copy as cURL", /"skillSlug":\s*"(csv-profile|json-diff)"/g);
    await window.chooseFromMenu(window.treeRow(/^CSV profile/), "Add to Favorites");
    const favorites = window.treeRow(/^(CSV profile|JSON diff).*, favorite/);
    await eventually("two favorites", async () => (await favorites.count()) === 2);
    await selectRows(window, [/^CSV profile/, /^JSON diff/]);
    await window.chooseFromMenu(window.treeRow(/^CSV profile/), "Remove from Favorites");
    await eventually("no favorites", async () => (await favorites.count()) === 0);
    await selectRows(window, [/^CSV profile/, /^JSON diff/]);
    await window.chooseFromMenu(window.treeRow(/^CSV profile/), "Hide Skill");
    await window.view("Skills").getByText("2 skills are hidden.").waitFor();
    const hidden = window.treeRow(/^CSV profile|^JSON diff/);
    await eventually("both out of sight", async () => (await hidden.count()) === 0);
  });

  it("are opened together, and a command for one skill is for the row it was run on", async () => {
    await selectRows(window, [/^CSV profile/, /^JSON diff/]);
    await window.chooseFromMenu(window.treeRow(/^CSV profile/), "Open Skill");
    await eventually("two pages", () => openTabs().length === 2);
    await window.chooseFromMenu(window.treeRow(/^JSON diff/), "New Payload for Skill");
    await eventually("an input for json-diff", () =>
      vscode.window.activeTextEditor?.document.fileName.endsWith("json-diff.skill-input.json"),
    );
    await eventually("three tabs", () => openTabs().length === 3);
  });

  it("are opened only after asking where they are many", async function () {
    needsDialogs(this);
    await eventually("all rows", async () => {
      await vscode.commands.executeCommand("skillRegistry.skills.focus");
      await window.page.keyboard.press("ControlOrMeta+a");
      return (await selected().count()) > 10;
    });
    await window.chooseFromMenu(window.treeRow(/^CSV profile/), "Open Skill");
    await window.pressInDialog("Open the pages of 12 skills?", "Cancel");
    assert.deepEqual(openTabs(), []);
  });
});
