import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";

describe("a command about this skill", () => {
  const window = useWindow();
  before(async () => {
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Text statistics/).waitFor();
  });

  const copySlug = async () => {
    await vscode.env.clipboard.writeText("");
    await window.runCommand("Skill Registry: Copy Slug");
  };
  const copied = (slug: string) =>
    eventually(slug, async () => (await vscode.env.clipboard.readText()) === slug);

  it("means that of the page, else of the payload on the screen, and does not ask", async () => {
    await vscode.commands.executeCommand("skillRegistry.newPayload", "text-stats");
    await eventually("the payload", () =>
      vscode.window.activeTextEditor?.document.fileName.endsWith("text-stats.skill-input.json"),
    );
    await copySlug();
    await copied("text-stats");
    await vscode.commands.executeCommand("skillRegistry.openSkill", "csv-profile");
    await window.webview.getByRole("heading", { name: "CSV profile", level: 1 }).waitFor();
    await copySlug();
    await copied("csv-profile");
    assert.equal(await window.quickInput.isVisible(), false);
  });
});
