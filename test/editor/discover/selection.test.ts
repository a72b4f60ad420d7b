import { afterEach, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";
import { selectRows } from "./selectRows";

describe("Several selected rows of the Skills view", () => {
  const window = useWindow();
  before(async () => {
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Text statistics/).waitFor();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("skillRegistry.skills.focus");
    await vscode.commands.executeCommand("list.clear");
  });

  const selected = () => window.view("Skills").locator(".monaco-list-row.selected");

  it("are compared from the context menu", async () => {
    await selectRows(window, [/^CSV profile/, /^JSON diff/, /^Text statistics/]);
    await window.chooseFromMenu(window.treeRow(/^JSON diff/), "Compare Skills…");
    await window.webview.getByRole("heading", { name: "Compare 3 skills", level: 1 }).waitFor();
  });

  it("leave another row all its commands, for that row only", async () => {
    await selectRows(window, [/^CSV profile/, /^JSON diff/]);
    await window.chooseFromMenu(window.treeRow(/^Text statistics/), "Open Skill");
    await window.webview.getByRole("heading", { name: "Text statistics", level: 1 }).waitFor();
    await window.chooseFromMenu(window.treeRow(/^Format SQL/), "Copy As…");
    await window.quickInput.locator(".monaco-list-row", { hasText: "Slug" }).click();
    const isCopied = async () => (await vscode.env.clipboard.readText()) === "sql-format";
    await eventually("the slug of the one", isCopied);
    await eventually("two selected rows", async () => (await selected().count()) === 2);
  });
});
