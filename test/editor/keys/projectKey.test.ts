import { strict as assert } from "node:assert";
import { after, describe, it } from "mocha";
import * as vscode from "vscode";
import { useWindow } from "../window/useWindow";

describe("The Project Key", () => {
  const window = useWindow();
  after(() => vscode.commands.executeCommand("skillRegistry.connect", ""));

  it("tells pages what the project may run once it was checked, not before", async () => {
    await vscode.commands.executeCommand("skillRegistry.openSkill", "vault-rotate");
    const card = window.webview.getByText("Can I invoke it?").locator("..");
    await card.waitFor();
    assert.doesNotMatch(await card.innerText(), /From the check/);
    await window.runCommand("Skill Registry: Check Project Key");
    await window.notification(/built-in registry accepts it and lists \d+ skills/).waitFor();
    await card.getByText("From the check of the Project Key").waitFor();
    await card.getByText("permission_level_exceeded").waitFor();
    await vscode.commands.executeCommand("skillRegistry.openSkill", "json-diff");
    await window.webview.locator("strong", { hasText: "Installed and approved" }).waitFor();
  });

  it("is set, checked and removed by keyboard, and asked for again", async () => {
    const { keyboard } = window.page;
    const run = async (title: string) => {
      await window.openPalette(title);
      // The list of the commands used last may have it too, and Enter takes the one that is marked.
      await window.quickPickRow(title).and(window.page.locator(".focused")).waitFor();
      await keyboard.press("Enter");
    };
    await vscode.commands.executeCommand("skillRegistry.connect", "http://127.0.0.1:9");
    await run("Skill Registry: Set Project Key…");
    await window.quickInput.getByText("It is stored in secret storage").waitFor();
    await keyboard.type("shub_user_0123");
    await window.quickInput.getByText("This is a user token").waitFor();
    await keyboard.press("ControlOrMeta+a");
    await keyboard.type("skh_typed-by-hand");
    await keyboard.press("Enter");
    await window.statusBarItem("Project Key set for 127.0.0.1:9").waitFor();
    await run("Skill Registry: Check Project Key");
    const kept = window.notification(
      /The Project Key for http:\/\/127.0.0.1:9 could not be checked.*No server is listening/,
    );
    await kept.waitFor();
    assert.doesNotMatch((await kept.textContent()) ?? "", /typed-by-hand/);
    const question = "Remove the Project Key for 127.0.0.1:9?";
    await run("Skill Registry: Remove Project Key");
    await window.pressInDialog(question, "Cancel");
    await run("Skill Registry: Remove Project Key");
    await window.pressInDialog(question, "Remove");
    await window.notification(/was removed/).waitFor();
    await run("Skill Registry: Check Project Key");
    await window.notification(/There is no Project Key for http:\/\/127.0.0.1:9/).waitFor();
  });
});
