import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { recordedInvocations } from "../record/storageFolder";
import { needsDialogs } from "../window/needsDialogs";
import { followOutput, lastBlock, outputHas } from "../window/outputText";
import { useWindow } from "../window/useWindow";

describe("What stands between an invocation and its output", () => {
  const window = useWindow({ showsOutput: true });

  let hasOwnKey = true;
  before(() => window.atEnd(() => hasOwnKey || setOwnKey()));

  const inputs: Readonly<Record<string, object>> = {
    "vault-rotate": { vault: "shop-prod", secrets: ["DB_PASSWORD"], reason: "scheduled" },
    "market-data": { symbols: ["ABC"], from: "2026-11-18", to: "2026-11-19" },
    "draft-writer": { topic: "New opening hours", audience: "customers", words: 150 },
    "flaky-fetch": { url: "https://news.example/today" },
    "text-stats": { text: "One two." },
  };

  async function invoke(slug: string): Promise<void> {
    await openPayload(window, slug);
    await writeValidInput(window, JSON.stringify(inputs[slug]));
    void vscode.commands.executeCommand("skillRegistry.invoke");
  }

  async function removeKey(): Promise<void> {
    hasOwnKey = false;
    await window.removeProjectKey();
  }

  async function setOwnKey(): Promise<void> {
    void vscode.commands.executeCommand("skillRegistry.setProjectKey");
    await window.quickInput
      .getByText("The built-in registry has made one for this window")
      .waitFor();
    await window.page.keyboard.press("Enter");
    await window.statusBarItem("Project Key set for Built-in registry").waitFor();
    hasOwnKey = true;
  }

  /**
   * Calls until a notification says `notice`. Resolves to how many calls were recorded before the last one. The
   * registry refuses the fourth in a minute, and the next ones are held here until the minute is over.
   */
  async function callUntil(notice: RegExp): Promise<number> {
    await openPayload(window, "burst-limited");
    const isLimited = async () => (await window.notification(notice).count()) > 0;
    for (let call = 1; ; call += 1) {
      await writeValidInput(window, `{ "text": "order ${call} at ${Date.now()}" }`);
      const recorded = await recordedInvocations();
      const before = lastBlock();
      await vscode.commands.executeCommand("skillRegistry.invoke");
      await eventually("the end of the call", async () => lastBlock() !== before || isLimited());
      if (await isLimited()) return recorded;
    }
  }

  it("a policy blocks: says which, and opens the skill", async function () {
    needsDialogs(this);
    await invoke("vault-rotate");
    await window.pressInDialog("Invoke vault-rotate@", "Invoke");
    await window.notification(/vault-rotate was not run: its permission level is above/).waitFor();
    await window.pressInNotification("vault-rotate was not run", "Open Skill");
    await window.webview.locator(".trust").getByText("High permissions").waitFor();
    await outputHas(/vault-rotate@.* {2}blocked {2}/);
    await outputHas(/^Code: permission_level_exceeded$/m);
    await outputHas(/^Invocation ID: [0-9a-f-]{36}$/m);
  });

  it("a payment gate: says so, and offers to ask the owner", async function () {
    needsDialogs(this);
    await invoke("market-data");
    await window.pressInDialog("Invoke market-data@", "Invoke");
    await window.notification(/market-data was not run: it needs a subscription/).waitFor();
    await window
      .notification("market-data")
      .getByRole("button", { name: "Copy Request to Owner" })
      .waitFor();
    await outputHas(/^Code: subscription_required$/m);
  });

  it("a skill that is not verified is not sent", async () => {
    const before = await recordedInvocations();
    await invoke("draft-writer");
    await window
      .notification(
        /draft-writer was not invoked: the registry has not verified it.*skill_not_verified/,
      )
      .waitFor();
    assert.equal(await recordedInvocations(), before);
  });

  it("a skill that fails has an invocation ID and shows its output", async function () {
    needsDialogs(this);
    await invoke("flaky-fetch");
    await window.pressInDialog("Invoke flaky-fetch@", "Invoke");
    await window.notification(/flaky-fetch ran and failed/).waitFor();
    await window.notification("flaky-fetch").getByRole("button", { name: "Show Output" }).waitFor();
    await outputHas(/flaky-fetch@.* {2}error {2}/);
  });

  it("the rate limit: counts down and sends when it is allowed", async () => {
    await callUntil(/burst-limited was not run: it was invoked too often/);
    await window.pressInNotification("burst-limited was not run", "Wait and Send");
    await window.notification(/Waiting for the rate limit to send burst-limited…: \d+ s/).waitFor();
    await window.pressInNotification("Waiting for the rate limit", "Cancel");
  });

  it("the rate limit: holds the next invocation here, so that it does not count as refused", async () => {
    const before = await callUntil(/burst-limited was not invoked yet.*again in \d+ seconds?/);
    await window.pressInNotification("burst-limited was not invoked yet", "Discard");
    assert.equal(await recordedInvocations(), before);
  });

  it("a wrong key: says so, asks for another and invokes again", async () => {
    hasOwnKey = false;
    void vscode.commands.executeCommand("skillRegistry.setProjectKey");
    await window.answer(`skh_${"0".repeat(64)}`);
    await window.statusBarItem("Project Key set for Built-in registry").waitFor();
    await invoke("text-stats");
    await window
      .notification(/text-stats was not run: the registry does not know this Project Key/)
      .waitFor();
    await window
      .notification("text-stats")
      .getByRole("button", { name: "Set Project Key…" })
      .waitFor();
  });

  it("no key: asks for one before anything is sent, and sends nothing without", async () => {
    await removeKey();
    await window.tidy();
    const before = await recordedInvocations();
    await invoke("text-stats");
    await window.quickInput.getByText("Project Key for Built-in registry").waitFor();
    await window.leaveQuickInput();
    assert.equal(await recordedInvocations(), before);
  });

  it("offers the built-in registry's own key again after it was removed", async () => {
    await removeKey();
    await setOwnKey();
    const output = followOutput();
    await invoke("text-stats");
    await eventually("the success", () => /text-stats@.* {2}success {2}/.test(output()));
  });

  it("a user token pasted as key is refused at the prompt", async () => {
    void vscode.commands.executeCommand("skillRegistry.setProjectKey");
    await window.typeIntoQuickInput("shub_user_0123456789abcdef");
    await window.quickInput.getByText(/user token/i).waitFor();
    await window.leaveQuickInput();
  });

  it("a registry that cannot be reached: says so in the view, and comes back", async () => {
    window.atEnd(() => vscode.commands.executeCommand("skillRegistry.connect", ""));
    await vscode.commands.executeCommand("skillRegistry.connect", "http://127.0.0.1:9");
    await window.openContainer("Skill Registry");
    await window
      .view("Skills")
      .getByText(/ECONNREFUSED/)
      .waitFor();
    const skill = window.treeRow(/^Text statistics/);
    // The rows of the registry before may be drawn a moment longer.
    await skill.waitFor({ state: "hidden" });
    await window.pressUntil(window.treeRow("Use Built-in Registry"), skill);
  });

  it("a workspace cannot name the registry", async () => {
    // What it returns stays as it was then, and the test before may still be undoing its address.
    const settings = () => vscode.workspace.getConfiguration("skillRegistry");
    await assert.rejects(async () => settings().update("baseUrl", "http://127.0.0.1:9", false));
    await eventually("the registry in use", () => settings().get("baseUrl") === "");
  });
});
