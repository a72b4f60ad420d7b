import { strict as assert } from "node:assert";
import { after, before, beforeEach, describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "./eventually";
import { needsDialogs } from "./needsDialogs";
import { outputText } from "./outputText";
import { openPayload, writeValidInput } from "./payloads";
import { connectWindow, type EditorWindow } from "./window";

describe("What stands between a call and its output", () => {
  let window: EditorWindow;
  before(async () => {
    window = await connectWindow();
    await vscode.commands.executeCommand("skillRegistry.connect", "");
  });
  beforeEach(() => window.tidy());
  after(async () => {
    await window.tidy();
    await window.disconnect();
  });

  const inputs: Readonly<Record<string, object>> = {
    "vault-rotate": { vault: "shop-prod", secrets: ["DB_PASSWORD"], reason: "scheduled" },
    "market-data": { symbols: ["ABC"], from: "2026-11-18", to: "2026-11-19" },
    "draft-writer": { topic: "New opening hours", audience: "customers", words: 150 },
    "flaky-fetch": { url: "https://news.example/today" },
    "slow-report": { title: "Response times", figures: [120, 80], unit: "ms" },
    "text-stats": { text: "One two." },
  };

  async function invoke(slug: string): Promise<void> {
    await openPayload(window, slug);
    await writeValidInput(window, JSON.stringify(inputs[slug]));
    await window.runCommand("Skill Registry: Invoke Skill");
  }

  it("a policy blocks: says which, and opens the skill", async function () {
    needsDialogs(this);
    await invoke("vault-rotate");
    await window.pressInDialog("Call vault-rotate@", "Call Skill");
    await window.notification(/vault-rotate was not run: it asks for more permissions/).waitFor();
    await window.pressInNotification("vault-rotate was not run", "Open Skill");
    await window.webview.getByText("High power").first().waitFor();
    assert.match(outputText(), /vault-rotate@.* {2}blocked {2}/);
    assert.match(outputText(), /^Code: permission_level_exceeded$/m);
    assert.match(outputText(), /^Invocation ID: [0-9a-f-]{36}$/m);
  });

  it("a payment gate: says so, and opens the skill", async function () {
    needsDialogs(this);
    await invoke("market-data");
    await window.pressInDialog("Call market-data@", "Call Skill");
    await window.notification(/market-data was not run: it needs a subscription/).waitFor();
    await window.notification("market-data").getByRole("button", { name: "Open Skill" }).waitFor();
    assert.match(outputText(), /^Code: subscription_required$/m);
  });

  it("a skill that is not verified is not sent", async () => {
    const before = outputText();
    await invoke("draft-writer");
    await window
      .notification(
        /draft-writer was not sent: the registry has not verified it.*skill_not_verified/,
      )
      .waitFor();
    assert.equal(outputText(), before);
  });

  it("a skill that fails has an invocation ID and shows its output", async function () {
    needsDialogs(this);
    await invoke("flaky-fetch");
    await window.pressInDialog("Call flaky-fetch@", "Call Skill");
    await window.notification(/flaky-fetch ran and failed/).waitFor();
    await window.notification("flaky-fetch").getByRole("button", { name: "Show Output" }).waitFor();
    assert.match(outputText(), /flaky-fetch@.* {2}error {2}/);
  });

  it("the rate limit: counts down and sends when it is allowed", async () => {
    await openPayload(window, "burst-limited");
    for (let call = 1; call <= 4; call += 1) {
      await writeValidInput(window, `{ "text": "order ${call}" }`);
      await vscode.commands.executeCommand("skillRegistry.invoke");
    }
    await window.notification(/burst-limited was not run: it was called too often/).waitFor();
    await window.pressInNotification("burst-limited was not run", "Wait and Send");
    await window.notification(/burst-limited is sent when it is allowed: \d+ s/).waitFor();
    await window.pressInNotification("is sent when it is allowed", "Cancel");
  });

  it("the rate limit: holds the next call here, so that it does not count as refused", async () => {
    const before = outputText();
    await openPayload(window, "burst-limited");
    await writeValidInput(window, '{ "text": "order 5" }');
    await vscode.commands.executeCommand("skillRegistry.invoke");
    await window.notification(/burst-limited was not sent yet.*again in \d+ seconds/).waitFor();
    await window.pressInNotification("burst-limited was not sent yet", "Drop");
    assert.equal(outputText(), before);
  });

  it("a call that is cancelled while it runs has an unknown outcome", async function () {
    needsDialogs(this);
    await invoke("slow-report");
    await window.pressInDialog("Call slow-report@", "Call Skill");
    await window.pressInNotification(/Invoking slow-report/, "Cancel");
    await window.notification(/It is not known whether slow-report ran/).waitFor();
    await window
      .notification("slow-report")
      .getByRole("button", { name: "Run Again Anyway" })
      .waitFor();
    assert.match(outputText(), /slow-report@.* {2}outcome unknown {2}/);
  });

  it("a wrong key: says so, asks for another and calls again", async () => {
    await window.runCommand("Skill Registry: Set Project Key…");
    await window.answer(`skh_${"0".repeat(64)}`);
    await invoke("text-stats");
    await window
      .notification(/text-stats was not run: the registry does not know this Project Key/)
      .waitFor();
    await window
      .notification("text-stats")
      .getByRole("button", { name: "Set Project Key…" })
      .waitFor();
    await vscode.commands.executeCommand("skillRegistry.removeProjectKey");
  });

  it("no key: asks for one before anything is sent, and sends nothing without", async () => {
    const before = outputText();
    await invoke("text-stats");
    await window.quickInput.getByText("Project Key for Built-in registry").waitFor();
    await window.page.keyboard.press("Escape");
    await window.quickInput.waitFor({ state: "hidden" });
    assert.equal(outputText(), before);
  });

  it("offers the built-in registry's own key again after it was removed", async () => {
    await window.runCommand("Skill Registry: Set Project Key…");
    await window.quickInput.getByText("The key this registry made for this window").waitFor();
    await window.page.keyboard.press("Enter");
    await window.statusBarItem("Project Key set for Built-in registry").waitFor();
    await invoke("text-stats");
    await eventually("the output", () => /text-stats@.* {2}success {2}/.test(outputText()));
  });

  it("a user token pasted as key is refused at the prompt", async () => {
    await window.runCommand("Skill Registry: Set Project Key…");
    await window.typeIntoQuickInput("shub_user_0123456789abcdef");
    await window.quickInput.getByText(/user token/i).waitFor();
    await window.page.keyboard.press("Escape");
  });

  it("a registry that cannot be reached: says so in the view, and comes back", async () => {
    await vscode.commands.executeCommand("skillRegistry.connect", "http://127.0.0.1:9");
    await window.openContainer("Skill Registry");
    await window.view("Skills").getByText("The registry could not be reached.").waitFor();
    await vscode.commands.executeCommand("skillRegistry.connect", "");
    await window.treeRow(/^Text statistics/).waitFor();
  });

  it("a workspace cannot name the registry", async () => {
    const settings = vscode.workspace.getConfiguration("skillRegistry");
    await assert.rejects(async () => settings.update("baseUrl", "http://127.0.0.1:9", false));
    await eventually("the registry in use", () => settings.get("baseUrl") === "");
  });
});
