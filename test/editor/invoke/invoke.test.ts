import { strict as assert } from "node:assert";
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { before, beforeEach, describe, it } from "mocha";
import * as vscode from "vscode";
import type { JsonObject } from "../../../src/core/json/jsonValue";
import { startRecordingServer } from "../../fixtures/network/recordingServer";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { foreignSkills } from "../../fixtures/registries/foreignSkills";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { needsDialogs } from "../window/needsDialogs";
import { followOutput } from "../window/outputText";
import { useWindow } from "../window/useWindow";

interface OtherAnswer {
  readonly status: number;
  readonly body: JsonObject;
  /** Done before it is sent. */
  readonly before?: () => void;
}

describe("An invocation to a registry elsewhere", () => {
  const window = useWindow({ steps: true, showsOutput: true });
  let registry: ForeignRegistry;
  /** What the registry answers by now in place of what it answered before, by path. */
  const otherAnswers = new Map<string, OtherAnswer>();
  const held: ServerResponse[] = [];

  before(async function () {
    needsDialogs(this);
    registry = await startForeignRegistry({
      dialect: "camel",
      prices: true,
      intercept: ({ method, path, body }, response) => {
        const isHeld = method === "POST" && body.includes('"one two three"');
        if (isHeld) held.push(response);
        const other = otherAnswers.get(path.split("?")[0] ?? "");
        if (other === undefined) return isHeld;
        other.before?.();
        response.writeHead(other.status).end(JSON.stringify(other.body));
        return true;
      },
    });
    await window.connectTo(registry);
  });
  beforeEach(async () => {
    otherAnswers.clear();
    await vscode.commands.executeCommand("notifications.clearAll");
  });

  /** Writes a payload for the skill that all tests invoke, into the editor that the first one opened. */
  async function writePayload(text: string): Promise<void> {
    const { activeTextEditor } = vscode.window;
    if (!activeTextEditor?.document.fileName.includes("word-tally.skill-input")) {
      await openPayload(window, "word-tally");
    }
    await writeValidInput(window, text);
  }

  const sent = () => registry.requests.filter(({ method }) => method === "POST");
  const manifest = () => foreignSkills[0]?.manifest as JsonObject;

  it("is not made without consent", async () => {
    await writePayload('{ "text": "one" }');
    await window.runCommand("Skill Registry: Invoke Skill");
    for (const line of [
      "Permissions: compute only",
      "Cost: €0.03 per invocation",
      `Sent to: ${registry.baseUrl}`,
    ]) {
      await window.dialog.getByText(line).waitFor();
    }
    await window.pressInDialog("Invoke word-tally@2.1.0?", "Cancel");
    assert.equal(sent().length, 0);
  });

  it("is asked for again at once where consent was refused", async () => {
    await writePayload('{ "text": "uno" }');
    for (const answer of ["Cancel", "Cancel"]) {
      const invoked = vscode.commands.executeCommand("skillRegistry.invoke");
      await window.pressInDialog("Invoke word-tally@2.1.0?", answer);
      await invoked;
    }
    assert.equal(sent().length, 0);
  });

  it("is made with consent, once for a double click", async () => {
    await writePayload('{ "text": "one two" }');
    const written = followOutput();
    const first = vscode.commands.executeCommand("skillRegistry.invoke");
    await window.pressInDialog("Invoke word-tally@2.1.0?", "Invoke");
    await window.answer(registry.projectKey);
    await first;
    await eventually("the first invocation", () => /"words": 2/.test(written()));
    await writeValidInput(window, '{ "text": "one two three" }');
    // At one moment: a second click that comes late cancels what the first one sent. The result that opens beside
    // has the button drawn anew, and one that is gone takes no click.
    await eventually("the button", () =>
      window.editorAction("Invoke Skill").evaluate((button: HTMLElement) => {
        if (!button.isConnected) return false;
        button.click();
        button.click();
        return true;
      }),
    );
    await eventually("the second invocation", () => held.length > 0);
    // There and back again: what the second click started has reached the extension by then.
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
    const cost = { billable: true, amountCents: 3, currency: "EUR" };
    const body = { invocationId: "held-1", status: "success", version: "2.1.0", ...cost };
    held[0]?.end(JSON.stringify({ ...body, output: { words: 3 } }));
    await eventually("its output", () => /"words": 3/.test(written()));
    assert.equal(sent().length, 2);
  });

  it("costs what the registry says, and the status bar adds it up", async () => {
    const item = window.page.getByLabel(
      new RegExp(`${registry.baseUrl}: €0\\.06 for 2 invocations`),
    );
    await item.first().waitFor();
  });

  it("asks again when the skill may do more than was agreed to", async () => {
    const before = manifest()["permissions"] ?? null;
    manifest()["permissions"] = { network: true, browser: false, filesystem: "write", secrets: [] };
    try {
      await openPayload(window, "word-tally");
      await writeValidInput(window, '{ "text": "one two three four" }');
      void vscode.commands.executeCommand("skillRegistry.invoke");
      await window.dialog.getByText("New: writes files").waitFor();
      await window.pressInDialog("has changed since you agreed to it", "Cancel");
      assert.equal(sent().length, 2);
    } finally {
      manifest()["permissions"] = before;
    }
  });

  it("asks again when the price is another one than was agreed to", async () => {
    await writePayload('{ "text": "one two three four" }');
    const dear = { billingModel: "per_call", unitAmountCents: 900, currency: "EUR" };
    otherAnswers.set("/v1/skills/word-tally/prices", { status: 200, body: { prices: [dear] } });
    void vscode.commands.executeCommand("skillRegistry.invoke");
    await window.dialog
      .getByText("New price: €9.00 per invocation. Before: €0.03 per invocation.")
      .waitFor();
    await window.pressInDialog("has changed since you agreed to it", "Cancel");
    assert.equal(sent().length, 2);
  });

  it("says that the price is not known where the registry fails to give it", async () => {
    await writePayload('{ "text": "one two three four" }');
    otherAnswers.set("/v1/skills/word-tally/prices", { status: 500, body: {} });
    void vscode.commands.executeCommand("skillRegistry.invoke");
    await window.dialog.getByText("Cost: unknown").waitFor();
    await window.pressInDialog("Invoke word-tally@2.1.0?", "Cancel");
    assert.equal(sent().length, 2);
  });

  it("is not sent by what was known earlier where the registry does not answer", async () => {
    await writePayload('{ "text": "one two three four" }');
    otherAnswers.set("/v1/skills/word-tally", { status: 503, body: {} });
    void vscode.commands.executeCommand("skillRegistry.invoke");
    await window.notification(/current price and permissions could not be read/).waitFor();
    assert.equal(sent().length, 2);
  });

  it("is not sent where the payload does not match the schema that came back", async () => {
    const inputSchema = manifest()["inputSchema"] ?? null;
    await writePayload('{ "text": "one two three four" }');
    manifest()["inputSchema"] = { type: "object", required: ["text", "language"] };
    try {
      void vscode.commands.executeCommand("skillRegistry.invoke");
      await window.notification(/its input schema has changed/).waitFor();
      await window.statusBarItem(/: 1 problem/).waitFor();
      assert.equal(sent().length, 2);
    } finally {
      manifest()["inputSchema"] = inputSchema;
    }
    // Nor is it held back by a schema that the registry has taken back.
    const written = followOutput();
    void vscode.commands.executeCommand("skillRegistry.invoke");
    await eventually("the third invocation", () => /"words": 4/.test(written()));
    assert.equal(sent().length, 3);
  });

  it("is asked for once more over the daily ceiling", async () => {
    const settings = vscode.workspace.getConfiguration("skillRegistry");
    await settings.update("cost.dailyCeilingCents", 8, true);
    try {
      await openPayload(window, "word-tally");
      await writeValidInput(window, '{ "text": "one two three four five" }');
      void vscode.commands.executeCommand("skillRegistry.invoke");
      await window.dialog.getByText("exceeds your limit of €0.08 a day").waitFor();
      await window.pressInDialog("Exceed your daily spending limit", "Cancel");
      assert.equal(sent().length, 3);
    } finally {
      await settings.update("cost.dailyCeilingCents", undefined, true);
    }
  });

  it("goes on when settings that are none of its business change meanwhile", async () => {
    await writePayload('{ "text": "one two three four five six" }');
    const written = followOutput();
    const invoked = vscode.commands.executeCommand("skillRegistry.invoke");
    await window.set("skillRegistry.history.maxEntries", 999);
    await invoked;
    await eventually("the invocation", () => /"words": 6/.test(written()));
  });

  it("carries the key nowhere else when the address is changed", async () => {
    const other = await startForeignRegistry({ dialect: "camel" });
    try {
      await vscode.commands.executeCommand("skillRegistry.connect", other.baseUrl);
      await openPayload(window, "word-tally");
      await writeValidInput(window, '{ "text": "one" }');
      void vscode.commands.executeCommand("skillRegistry.invoke");
      await window.pressInDialog("Invoke word-tally@2.1.0?", "Invoke");
      await window.quickInput.getByText(`Project Key for ${other.baseUrl}`).waitFor();
      await window.leaveQuickInput();
      void vscode.commands.executeCommand("skillRegistry.checkProjectKey");
      await window
        .notification(
          new RegExp(`no Project Key for ${other.baseUrl}.*stored for ${registry.baseUrl}`),
        )
        .waitFor();
      assert.ok(!JSON.stringify(other.requests).includes(registry.projectKey));
      assert.equal(other.requests.filter(({ method }) => method === "POST").length, 0);
    } finally {
      await vscode.commands.executeCommand("skillRegistry.connect", registry.baseUrl);
      await other.close();
    }
  });

  it("is not sent where another registry is chosen while the user is asked", async () => {
    const other = await startForeignRegistry({ dialect: "camel" });
    try {
      await vscode.commands.executeCommand("skillRegistry.connect", other.baseUrl);
      await openPayload(window, "word-tally");
      await writeValidInput(window, '{ "text": "one or other" }');
      void vscode.commands.executeCommand("skillRegistry.invoke");
      await window.dialog.waitFor();
      await vscode.commands.executeCommand("skillRegistry.connect", registry.baseUrl);
      const before = sent().length;
      await window.pressInDialog("Invoke word-tally@2.1.0?", "Invoke");
      await window.quickInput.getByText(`Project Key for ${other.baseUrl}`).waitFor();
      await window.answer("sk_proj_of_the_other");
      await window.notification(/was not invoked: another registry was chosen/).waitFor();
      assert.equal(sent().length, before);
      assert.equal(other.requests.filter(({ method }) => method === "POST").length, 0);
    } finally {
      await vscode.commands.executeCommand("skillRegistry.connect", registry.baseUrl);
      await other.close();
    }
  });

  it("is nothing another extension gets the key by", async () => {
    const hostile = { id: "../../../../etc/passwd", slug: "../x", toString: () => "x" };
    for (const name of ["checkProjectKey", "copyReport", "refresh"]) {
      assert.equal(
        await vscode.commands.executeCommand(`skillRegistry.${name}`, hostile),
        undefined,
      );
    }
    for (const name of ["openInvocation", "openOutput", "pinInvocation", "copyInvocationId"]) {
      const argument = { id: "00000000000000-../../x" };
      const ran = vscode.commands.executeCommand(`skillRegistry.${name}`, argument);
      await window.quickInput.waitFor();
      await window.leaveQuickInput();
      assert.equal(await ran, undefined);
    }
  });

  it("leaves the other extensions' fetch alone", async () => {
    const slots = ["1", "2"].map((name) => Symbol.for(`undici.globalDispatcher.${name}`));
    const slot = (symbol: symbol) => (globalThis as Record<symbol, unknown>)[symbol];
    const before = slots.map(slot);
    await writePayload(`{ "text": "${randomBytes(4).toString("hex")}" }`);
    await vscode.commands.executeCommand("skillRegistry.invoke");
    assert.deepEqual(slots.map(slot), before);
    const server = await startRecordingServer((request, response) => response.end(request.body));
    try {
      const reply = await fetch(server.baseUrl, {
        method: "POST",
        body: "hello",
      });
      assert.equal(await reply.text(), "hello");
    } finally {
      await server.close();
    }
  });

  // Comes last: after such a refusal the next invocation of the skill waits for an answer first.
  it("has the skill read again where the refusal contradicts what is known of it", async () => {
    const row = foreignSkills[0]?.row as JsonObject;
    const before = row["verificationStatus"] ?? null;
    window.atEnd(() => {
      row["verificationStatus"] = before;
    });
    await writePayload('{ "text": "suspended meanwhile" }');
    otherAnswers.set("/v1/runtime/invoke", {
      status: 403,
      body: { error: "Not allowed.", code: "skill_not_allowed" },
      before: () => {
        row["verificationStatus"] = "suspended";
      },
    });
    void vscode.commands.executeCommand("skillRegistry.invoke");
    await window.pressInNotification(/has rejected or suspended it/, "Open Skill");
    const card = window.webview.locator(".axis").filter({ hasText: "Verification" });
    await card.getByText("Suspended").waitFor();
  });
});
