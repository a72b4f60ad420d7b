import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { startForeignRegistry } from "../../fixtures/registries/foreignRegistry";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

describe("The obstacles of an invocation", () => {
  const editor = useEditor();

  const payloads: Readonly<Record<string, object>> = {
    "vault-rotate": { vault: "shop-prod", secrets: ["DB_PASSWORD"], reason: "scheduled" },
    "market-data": { symbols: ["ABC"], from: "2026-11-18", to: "2026-11-19" },
    "draft-writer": { topic: "New opening hours", audience: "customers", words: 150 },
    "flaky-fetch": { url: "https://news.example/today" },
    "text-stats": { text: "One two." },
  };

  /** Invokes a skill and agrees to it. Resolves when the command has ended. */
  async function invoke(
    slug: string,
    consent: "asks" | "asks nothing" | "predicts",
  ): Promise<void> {
    await editor.newPayload(slug, JSON.stringify(payloads[slug]));
    const invoked = editor.run("invoke");
    if (consent === "predicts") {
      const dialog = await editor.dialog(`${slug} is not expected to run`);
      // One dialog shows all obstacles, and Enter does not send.
      assert.match(dialog.text, /Price: /);
      assert.notEqual(dialog.buttons[0], "Invoke Anyway");
      dialog.press("Invoke Anyway");
    }
    if (consent === "asks") await editor.press(`Invoke ${slug}@`, "Invoke");
    await invoked;
  }

  it("A policy that blocks an invocation is predicted and named, and the skill can be opened", async () => {
    await invoke("vault-rotate", "predicts");
    await editor.press(/vault-rotate was not run: its permission level is above/, "Open Skill");
    await (await editor.page("Rotate vault secrets")).shows("High permissions");
    assert.match(editor.output, /vault-rotate@.* {2}blocked {2}/);
    assert.match(editor.output, /^Code: permission_level_exceeded$/m);
    assert.match(editor.output, /^Invocation ID: [0-9a-f-]{36}$/m);
  });

  it("A payment gate is named, and the owner can be asked", async () => {
    await invoke("market-data", "asks");
    const notice = await editor.notification(/market-data was not run: it needs a subscription/);
    assert.ok(notice.buttons.includes("Copy Request to Owner"));
    assert.match(editor.output, /^Code: subscription_required$/m);
  });

  it("An unverified skill is not sent", async () => {
    const before = (await recordsOf(editor)).length;
    await invoke("draft-writer", "asks nothing");
    await editor.notification(/draft-writer was not invoked: the registry has not verified it/);
    await editor.notification(/skill_not_verified/);
    assert.equal((await recordsOf(editor)).length, before);
  });

  it("A failing skill has an invocation ID and shows its output", async () => {
    await invoke("flaky-fetch", "asks");
    const notice = await editor.notification(/flaky-fetch ran and failed/);
    assert.ok(notice.buttons.includes("Show Output"));
    assert.match(editor.output, /flaky-fetch@.* {2}error {2}/);
  });

  it("A missing key is asked for first, and nothing is sent without it", async () => {
    await removeKey();
    const before = (await recordsOf(editor)).length;
    await editor.newPayload("text-stats", JSON.stringify(payloads["text-stats"]));
    const invoked = editor.run("invoke");
    await editor.leave("Project Key for Built-in registry");
    await invoked;
    assert.equal((await recordsOf(editor)).length, before);
  });

  it("The built-in registry's own key is offered again after its removal", async () => {
    const setting = editor.run("setProjectKey");
    const input = await editor.input("The built-in registry has made one for this window");
    input.accept();
    await setting;
    await invoke("text-stats", "asks nothing");
    assert.match(editor.output, /text-stats@.* {2}success {2}/);
  });

  it("A wrong key is named, and another can be set", async () => {
    const setting = editor.run("setProjectKey");
    await editor.answer(`skh_${"0".repeat(64)}`);
    await setting;
    await editor.status("Project Key set for Built-in registry");
    await invoke("text-stats", "asks nothing");
    const notice = await editor.notification(
      /text-stats was not run: the registry does not know this Project Key/,
    );
    assert.ok(notice.buttons.includes("Set Project Key…"));
  });

  it("A user token pasted as a key is rejected at the prompt", async () => {
    const setting = editor.run("setProjectKey");
    const input = await editor.input();
    input.type("shub_user_0123456789abcdef");
    await editor.input(/user token/i);
    input.hide();
    await setting;
  });

  it("An unreachable registry is named in the view, and the built-in one can be chosen", async () => {
    await editor.run("connect", "http://127.0.0.1:9");
    const view = await editor.view("skills");
    await editor.until("why there is no list", () => /ECONNREFUSED/.test(view.message));
    await editor.pressRow("skills", "Use Built-in Registry");
    await editor.row("skills", /^Text statistics/);
  });

  it("A workspace cannot name the registry", async () => {
    const settings = () => editor.vscode.workspace.getConfiguration("skillRegistry");
    await assert.rejects(async () => settings().update("baseUrl", "http://127.0.0.1:9", false));
    assert.equal(settings().get("baseUrl"), "");
  });

  async function removeKey(): Promise<void> {
    const removing = editor.run("removeProjectKey");
    const question = await editor.dialog("Remove the Project Key for");
    assert.match(question.text, /Nothing has to be pasted again/);
    question.press("Remove");
    await removing;
  }
});

describe("The rate limit of a skill", () => {
  const editor = useEditor();

  /** Invokes until a notification shows `notice`. Resolves to the number of records before that invocation. */
  async function invokeUntil(notice: RegExp): Promise<number> {
    await editor.newPayload("burst-limited");
    for (let call = 1; ; call += 1) {
      editor.write(JSON.stringify({ text: `order ${call} at ${editor.clock.now()}` }));
      const before = (await recordsOf(editor)).length;
      await editor.run("invoke");
      if (editor.parts.notices.some(({ text }) => notice.test(text))) return before;
    }
  }

  it("counts down the seconds before Wait and Send sends", async () => {
    await invokeUntil(/burst-limited was not run: it was invoked too often/);
    await editor.press("burst-limited was not run", "Wait and Send");
    const waiting = await editor.progress(
      /Waiting for the rate limit to send burst-limited…: \d+ seconds?/,
    );
    waiting.cancel();
  });

  it("holds back the next invocation in the editor, so that it does not count as rejected", async () => {
    const before = await invokeUntil(/burst-limited was not invoked yet.*again in \d+ seconds?/);
    await editor.press("burst-limited was not invoked yet", "Discard");
    assert.equal((await recordsOf(editor)).length, before);
  });
});

describe("An unreadable skill", () => {
  const folder = useFolder({ "word-tally.skill-input.json": '{ "text": "a" }' });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("is not invoked, and a message gives the reason", async () => {
    const registry = await startForeignRegistry({ dialect: "camel" });
    await editor.connectTo(registry);
    await registry.close();
    await editor.vscode.window.showTextDocument(folder.uri("word-tally.skill-input.json"));
    const invoked = editor.run("invoke");
    await editor.notification(/^word-tally was not invoked\. No server is listening at /);
    await invoked;
  });
});
