import { afterEach, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";
import { selectRows } from "./selectRows";

const run = (command: string, argument?: unknown) =>
  vscode.commands.executeCommand(`skillRegistry.${command}`, argument);

describe("Several rows of the Skills view", () => {
  const window = useWindow();
  before(async () => {
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Text statistics/).waitFor();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("skillRegistry.skills.focus");
    await vscode.commands.executeCommand("list.clear");
    await run("groupSkills", "none");
    const groups = window.treeRow(/, \d+ skills?$/);
    await eventually("no groups", async () => (await groups.count()) === 0);
  });

  const compared = (title: string) =>
    window.webview.getByRole("heading", { name: title, level: 1 }).waitFor();
  const title = () => window.quickInput.locator(".quick-input-title");
  const selected = () => window.view("Skills").locator(".monaco-list-row.selected");

  it("are compared from the context menu", async () => {
    await selectRows(window, [/^CSV profile/, /^JSON diff/, /^Market data/]);
    await window.chooseFromMenu(window.treeRow(/^JSON diff/), "Compare Skills…");
    await compared("Compare 3 skills");
  });

  it("are compared with the groups between them left out, from a group's row too", async () => {
    await run("groupSkills", "publisher");
    const groups = /^Tidy Tables, 2 skills/;
    await window.treeRow(groups).waitFor();
    await selectRows(window, [/^Format SQL/, groups, /^Text statistics/]);
    await window.chooseFromMenu(window.treeRow(/^Text statistics/), "Compare Skills…");
    await compared("Compare 2 skills");
    await window.tidy();
    await selectRows(window, [/^CSV profile/, groups, /^Format SQL/, /^Text statistics/]);
    await window.chooseFromMenu(window.treeRow(groups), "Compare Skills…");
    await compared("Compare 3 skills");
  });

  it("are compared by keyboard alone, with the command from the palette", async () => {
    // Rows that are still being listed anew take a selection away.
    await eventually("two selected rows", async () => {
      await vscode.commands.executeCommand("skillRegistry.skills.focus");
      await vscode.commands.executeCommand("list.clear");
      for (const key of ["Home", "Control+Shift+Enter", "Shift+ArrowDown"]) {
        await window.page.keyboard.press(key);
      }
      return (await selected().count()) === 2;
    });
    await window.runCommand("Skill Registry: Compare Skills…");
    await compared("Compare 2 skills");
  });

  it("are too few where one is chosen: it is checked, and more are asked for", async () => {
    await selectRows(window, [/^CSV profile/]);
    await window.chooseFromMenu(window.treeRow(/^CSV profile/), "Compare Skills…");
    await title().getByText("1 selected, select at least one more").waitFor();
    const row = window.quickPickRow("CSV profile");
    await row.locator("[role=checkbox][aria-checked=true]").waitFor();
    await window.page.keyboard.press("Enter");
    await window.choose("JSON diff");
    await title().getByText("Compare Skills", { exact: true }).waitFor();
    await window.page.keyboard.press("Enter");
    await compared("Compare 2 skills");
  });

  it("leave a row beside them all its commands, which are then for that one", async () => {
    await selectRows(window, [/^CSV profile/, /^JSON diff/]);
    await window.chooseFromMenu(window.treeRow(/^Market data/), "Open Skill");
    await window.webview.getByRole("heading", { name: "Market data", level: 1 }).waitFor();
    await window.chooseFromMenu(window.treeRow(/^Market data/), "New Payload for Skill");
    await eventually("an input for market-data", () =>
      vscode.window.activeTextEditor?.document.fileName.endsWith("market-data.skill-input.json"),
    );
    await window.chooseFromMenu(window.treeRow(/^Short codes/), "Copy", "Copy Slug");
    const isCopied = async () => (await vscode.env.clipboard.readText()) === "burst-limited";
    await eventually("the slug of the one", isCopied);
    await eventually("two selected rows", async () => (await selected().count()) === 2);
  });
});
