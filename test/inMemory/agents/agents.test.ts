import { strict as assert } from "node:assert";
import { mock } from "node:test";
import { after, before, describe, it } from "mocha";
import type * as vscode from "vscode";
import {
  allowAgentWrites,
  keptAgents,
  putAgents,
  refuseAgentWrites,
} from "../../fixtures/machineStore";
import { startDriftingRegistry } from "../../unit/cli/driftingRegistry";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";

type Json = Record<string, unknown>;

describe("An agent in the editor", () => {
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  before(async () => {
    registry = await startDriftingRegistry();
  });
  after(() => registry.close());
  const editor = useEditor(() => ({ settings: { "skillRegistry.baseUrl": registry.url } }));

  /** Calls a tool as a chat does, or as another extension. */
  async function call(tool: string, input: unknown, isChat = true): Promise<Json> {
    const toolInvocationToken = (isChat ? {} : undefined) as vscode.ChatParticipantToolToken;
    const options = {
      input,
      toolInvocationToken,
    } as vscode.LanguageModelToolInvocationOptions<object>;
    const { content } = await editor.vscode.lm.invokeTool(`skill-registry_${tool}`, options);
    return JSON.parse((content[0] as vscode.LanguageModelTextPart).value) as Json;
  }
  async function allow(slug: string, button: string): Promise<void> {
    const allowed = editor.run("allowAgents", slug);
    if ((await call("inspect_skill", { skill: slug }))["allowed"] === true) {
      await editor.choose("Whether agents ask");
    }
    await editor.press(/^Allow agents to invoke /, button);
    await allowed;
  }
  async function hashOf(slug: string): Promise<unknown> {
    return (await call("inspect_skill", { skill: slug }))["contractHash"];
  }

  it("It may invoke nothing at first, with any input, and the user is told once", async () => {
    for (const input of [undefined, null, 1, "x", [], {}, { skill: {} }]) {
      assert.equal((await call("invoke_skill", input))["status"], "notSent");
    }
    const input = { skill: "text-stats", contractHash: "x", input: { text: "No." } };
    assert.equal((await call("invoke_skill", input))["code"], "notAllowed");
    assert.deepEqual(await recordsOf(editor), []);
    // The user is told once, with an action that would allow it.
    const notice = await editor.notification(/An agent wanted to invoke text-stats/);
    notice.press("Allow…");
    (await editor.dialog(/^Allow agents to invoke text-stats@/)).press("Cancel");
    await call("invoke_skill", input);
    assert.doesNotMatch(editor.screen, /An agent wanted to invoke/);
  });

  it("It finds, inspects, checks and invokes an allowed skill, and the record names it", async () => {
    const key = editor.run("setProjectKey");
    await editor.answer(registry.projectKey);
    await key;
    const allowed = editor.run("allowAgents", "text-stats");
    const dialog = await editor.dialog(/^Allow agents to invoke text-stats@1\.0\.0/);
    assert.match(dialog.detail, /Contract: [0-9a-f]{12}/);
    assert.match(dialog.detail, /A model will read: Text statistics\./);
    assert.match(dialog.detail, /Sent to: http:\/\/127\.0\.0\.1/);
    dialog.press("Without Asking, within Limits");
    await allowed;
    await editor.status(/Agents may invoke text-stats/);
    const list = await editor.view("skills");
    await editor.until("the mark of the row", () =>
      /Text statistics.*agents allowed/.test(list.text),
    );
    // A row keeps the tooltip that it was drawn with.
    const row = await editor.row("skills", "Text statistics");
    await editor.run("openSkill", "text-stats");
    const page = await editor.page("Text statistics");
    await page.shows(/^without asking, within limits$/m);
    page.send({ type: "runCommand", command: "allowAgents" });
    await editor.choose("Whether agents ask");
    (await editor.dialog(/^Allow agents to invoke text-stats@1/)).press("Cancel");
    assert.match(await list.tooltip(row), /You let agents invoke version 1/);

    const found = await call("find_skill", { query: "text statistics" });
    const rows = found["skills"] as Json[];
    assert.equal(rows.find(({ skill }) => skill === "text-stats")?.["allowed"], true);
    assert.ok(rows.every((row) => row["allowed"] === true || row["description"] === undefined));
    const inspected = await call("inspect_skill", { skill: "text-stats" });
    assert.deepEqual((inspected["left"] as Json)["calls"], 20);
    const input = { text: "An agent was here." };
    const checked = await call("check_payload", { skill: "text-stats", input });
    assert.equal(checked["valid"], true);
    const wrong = await call("check_payload", { skill: "text-stats", input: { txt: 1 } });
    assert.match(JSON.stringify(wrong["problems"]), /Add the property/);
    const { contractHash } = inspected;
    const reason = "Count the words.";
    const ran = await call("invoke_skill", { skill: "text-stats", contractHash, input, reason });
    assert.equal(ran["status"], "success", JSON.stringify(ran));
    assert.deepEqual((ran["left"] as Json)["calls"], 19);
    const [record] = await recordsOf(editor);
    assert.deepEqual(
      [record?.caller?.kind, record?.tool, record?.agentReason, record?.agreement],
      ["chat", "invoke_skill", reason, contractHash],
    );
    await editor.run("filterInvocations", { caller: "chat" });
    const view = await editor.view("invocations");
    await editor.until("the agent's invocation", () =>
      view.rows.some(({ label }) => label === "text-stats@1.0.0"),
    );
  });

  it("It is refused for a priced skill until there is a spending limit", async () => {
    const allowed = editor.run("allowAgents", "redact-pii");
    await editor.press(/^Allow agents to invoke redact-pii/, "Without Asking, within Limits");
    await editor.answer("50");
    await allowed;
    const contractHash = await hashOf("redact-pii");
    const input = { skill: "redact-pii", contractHash, input: { text: "Mail ada@example.com" } };
    assert.equal((await call("invoke_skill", input))["code"], "spendingLimit");
    const limits = editor.run("setAgentLimits");
    await editor.choose("Cents a day");
    await editor.answer("50");
    await limits;
    assert.equal((await call("invoke_skill", input, false))["status"], "success");
    assert.equal((await recordsOf(editor))[0]?.caller?.kind, "extension");
  });

  it("In the mode Ask Each Time a person is asked each time, and a no sends nothing", async () => {
    await allow("text-stats", "Ask Each Time");
    const contractHash = await hashOf("text-stats");
    const before = (await recordsOf(editor)).length;
    const input = { skill: "text-stats", contractHash, input: { text: "Ask." }, reason: "To ask." };
    const declined = call("invoke_skill", input);
    const dialog = await editor.dialog(/An agent wants to invoke text-stats/);
    assert.match(dialog.detail, /“To ask\.”[\s\S]*\{\n\s+"text": "Ask\."\n\}/);
    dialog.close();
    assert.equal((await declined)["code"], "declined");
    assert.equal((await recordsOf(editor)).length, before);
    const invoked = call("invoke_skill", input);
    await editor.press(/An agent wants to invoke text-stats/, "Invoke Once");
    assert.equal((await invoked)["status"], "success");
  });

  it("A person may change the payload first; it is sent once valid, and the agent learns of the change", async () => {
    const contractHash = await hashOf("text-stats");
    const input = { skill: "text-stats", contractHash, input: { text: "Change me." } };
    const invoked = call("invoke_skill", input);
    await editor.press(/An agent wants to invoke text-stats/, "Edit Payload…");
    await editor.notification(/Change the payload for text-stats, then send it for the agent/);
    assert.match(editor.document.getText(), /"text": "Change me\."/);
    editor.write('{"text": 1}');
    await editor.press(/Change the payload for text-stats/, "Send for the Agent");
    const again = await editor.notification(/Not sent: the payload for text-stats has a problem/);
    editor.write('{"text": "Changed by a person."}');
    again.press("Send for the Agent");
    const result = await invoked;
    assert.equal(result["status"], "success");
    assert.match(String(result["message"]), /The user changed the payload/);
    const [record] = await recordsOf(editor);
    assert.equal(record?.caller.kind, "chat");
    assert.equal((result["output"] as Json)["words"], 4);
  });

  it("A payload that a person opens to change it is not sent if they then choose Do Not Send", async () => {
    const contractHash = await hashOf("text-stats");
    const before = (await recordsOf(editor)).length;
    const input = { skill: "text-stats", contractHash, input: { text: "Not this." } };
    const invoked = call("invoke_skill", input);
    await editor.press(/An agent wants to invoke text-stats/, "Edit Payload…");
    await editor.press(/Change the payload for text-stats/, "Do Not Send");
    assert.equal((await invoked)["code"], "declined");
    assert.equal((await recordsOf(editor)).length, before);
  });

  it("A person may say yes for the session, until the permissions of agents change", async () => {
    const contractHash = await hashOf("text-stats");
    const wanted = (text: string) =>
      call("invoke_skill", { skill: "text-stats", contractHash, input: { text } });
    const first = wanted("First of a session.");
    await editor.press(/An agent wants to invoke text-stats/, "This Session");
    assert.equal((await first)["status"], "success");
    assert.equal((await wanted("Second of a session."))["status"], "success");
    await editor.run("stopAgents");
    const going = editor.run("stopAgents");
    await editor.press(/Let them invoke the allowed skills again/, "Resume Agents");
    await going;
    const asked = wanted("After a stop.");
    (await editor.dialog(/An agent wants to invoke text-stats/)).close();
    assert.equal((await asked)["code"], "declined");
  });

  it("One click stops all agents, even one that waits for an answer", async () => {
    const contractHash = await hashOf("text-stats");
    const input = { skill: "text-stats", contractHash, input: { text: "Stop." } };
    const before = (await recordsOf(editor)).length;
    const waiting = call("invoke_skill", input);
    const dialog = await editor.dialog(/An agent wants to invoke text-stats/);
    await editor.run("stopAgents");
    dialog.press("Invoke Once");
    assert.equal((await waiting)["status"], "notSent");
    assert.equal((await call("find_skill", {}))["code"], "agentsOff");
    const list = await editor.view("skills");
    await editor.until("no mark of a row", () => !/agents allowed/.test(list.text));
    assert.equal((await recordsOf(editor)).length, before);
    const resumed = editor.run("stopAgents");
    await editor.press(
      /^Agents are stopped\. Let them invoke the allowed skills again/,
      "Resume Agents",
    );
    await resumed;
    assert.equal((await call("inspect_skill", { skill: "text-stats" }))["allowed"], true);
  });

  it("One list shows the permissions, calls and refusals of agents, and changes a skill's limits", async () => {
    const shown = editor.run("showAgents");
    const list = await editor.pick(/Allowed skills/);
    assert.match(
      list.text,
      /text-stats@1\.0\.0 \| asks each time.* \| Today: 0 of 0 cents, \d of 50 invocations/,
    );
    assert.match(list.text, /Spent today: \d+ cents/);
    assert.match(list.text, /Count the words\./);
    assert.match(list.text, /redact-pii \| it costs more than agents may spend/);
    list.choose(/^redact-pii@1/);
    await editor.choose("Invocations a day");
    await editor.answer("0");
    const again = await editor.pick(/\d of 50 cents, \d of 0 invocations/);
    assert.match(again.text, /^> redact-pii@1/m);
    const contractHash = await hashOf("redact-pii");
    const input = { skill: "redact-pii", contractHash, input: { text: "Mail bob@example.com" } };
    assert.equal((await call("invoke_skill", input))["code"], "callLimit");
    again.leave();
    await shown;
  });

  it("One button of the list removes a skill, and a refusal's row offers the remedy", async () => {
    const shown = editor.run("showAgents");
    const list = await editor.pick(/Allowed skills/);
    list.pressInRow(/^redact-pii@1\.\d\.\d \| without/, "No Longer Allow");
    await editor.until("no redact-pii", () => !/redact-pii@\S+ \| without/.test(list.text));
    assert.equal((await call("inspect_skill", { skill: "redact-pii" }))["allowed"], false);
    list.choose(/^redact-pii \| the limit of invocations was reached/);
    (await editor.dialog(/^Allow agents to invoke redact-pii/)).press("Cancel");
    (await editor.pick(/Allowed skills/)).choose(/^text-stats@\S+ \| success/);
    await shown;
    const { activeTextEditor } = editor.vscode.window;
    assert.match(activeTextEditor?.document.getText() ?? "", /text-stats/);
  });

  it("One row of the list allows another skill, whatever page is open", async () => {
    await editor.run("openSkill", "text-stats");
    const shown = editor.run("showAgents");
    (await editor.pick(/Allowed skills/)).choose(/^Allow a Skill…/);
    (await editor.pick(/CSV profile/)).choose(/CSV profile/);
    (await editor.dialog(/^Allow agents to invoke csv-profile/)).press("Cancel");
    (await editor.pick(/Allowed skills/)).leave();
    await shown;
  });

  it("It is refused with the differences once the contract changed, and the user is told", async () => {
    await allow("text-stats", "Without Asking, within Limits");
    const contractHash = await hashOf("text-stats");
    registry.change("text-stats", (body) => withNetwork(body));
    const input = { skill: "text-stats", contractHash, input: { text: "Changed." } };
    const refused = await call("invoke_skill", input);
    assert.equal(refused["code"], "contractChanged", JSON.stringify(refused));
    assert.match(String(refused["changes"]), /network/i);
    await editor.notification(/Agents can no longer invoke text-stats: its contract changed/);
    registry.restore();
    assert.equal((await call("invoke_skill", input))["code"], "notAllowed");
  });

  it("A list that somebody else changed allows nothing, with a message", async () => {
    const { storage } = editor.parts.machine;
    const text = await keptAgents(storage);
    await putAgents(storage, text.replace('"centsPerDay":50', '"centsPerDay":5000'));
    const input = { skill: "redact-pii", contractHash: "x", input: { text: "a" } };
    assert.equal((await call("invoke_skill", input))["code"], "notAllowed");
    await editor.notification(/The permissions of agents could not be read/);
  });

  it("A list of permissions from before agents were stopped allows nothing if it is restored", async () => {
    const { storage } = editor.parts.machine;
    await allow("text-stats", "Ask Each Time");
    const before = await keptAgents(storage);
    await editor.run("stopAgents");
    await putAgents(storage, before);
    const input = { skill: "text-stats", contractHash: "x", input: { text: "a" } };
    assert.equal((await call("invoke_skill", input))["code"], "notAllowed");
  });

  it("Agents can be stopped if the store cannot be written, with a message that only this window remembers it", async () => {
    const { storage } = editor.parts.machine;
    await refuseAgentWrites(storage);
    const limits = editor.run("setAgentLimits");
    await editor.choose("Cents a day");
    await editor.answer("1");
    await limits;
    const said = await editor.notification(/Nothing was changed: .*store\.db cannot be written/);
    said.press("Stop Agents");
    await editor.status(/Agents are stopped/);
    assert.equal((await call("find_skill", {}))["code"], "agentsOff");
    const goOn = editor.run("stopAgents");
    await editor.press(/Let them invoke the allowed skills again/, "Resume Agents");
    await goOn;
    await editor.notification(/Agents stay stopped: .*store\.db cannot be written/);
    await allowAgentWrites(storage);
    assert.equal((await call("find_skill", {}))["code"], "agentsOff");
  });

  it("No log contains an agent's input", () => {
    assert.doesNotMatch(editor.log, /An agent was here|Count the words/);
  });
});

describe("An agent in an editor in which the extension cannot start", () => {
  const editor = useEditor();

  it("It gets a refusal without details, since the editor would log its input", async () => {
    const { workspace } = editor.vscode;
    mock.method(workspace, "createFileSystemWatcher", () => assert.fail("It cannot start."));
    const input = { skill: "text-stats", contractHash: "x", input: { text: "canary-4711" } };
    const options = { input } as vscode.LanguageModelToolInvocationOptions<object>;
    const { content } = await editor.vscode.lm.invokeTool("skill-registry_invoke_skill", options);
    const { status, message } = JSON.parse((content[0] as vscode.LanguageModelTextPart).value);
    assert.deepEqual([status, message], ["notSent", "An unexpected error occurred."]);
  });
});

/** The skill with the permission to use the network. */
function withNetwork(body: Json): Json {
  return JSON.parse(JSON.stringify(body).replaceAll('"network":false', '"network":true')) as Json;
}
