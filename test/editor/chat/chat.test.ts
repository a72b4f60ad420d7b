import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { atStore } from "../../fixtures/machineStore";
import { startDriftingRegistry } from "../../unit/cli/driftingRegistry";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";
import { type FakeModel, fakeModel, type Json } from "./fakeModel";

type Call = readonly [tool: string, input: Json];

const slug = "redact-pii";

/** Tests the editor's own chat; tests in memory cover the tools themselves. */
describe("A model in the chat", () => {
  const window = useWindow({ steps: true });
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  let fake: FakeModel;

  before(async () => {
    registry = await startDriftingRegistry();
    await window.connectTo({ baseUrl: registry.url, close: () => registry.close() });
    const key = vscode.commands.executeCommand("skillRegistry.setProjectKey");
    await window.answer(registry.projectKey);
    await key;
    fake = await fakeModel();
    // The first prompt makes the editor search for models, and fails because none is registered yet.
    await prompt([]);
    await window.page.getByText("Language model unavailable").waitFor();
    await eventually("the model", async () => (await vscode.lm.selectChatModels({})).length > 0);
  });

  function prompt(calls: readonly Call[]): Thenable<unknown> {
    const query = `@fake ${JSON.stringify(calls)}`;
    return vscode.commands.executeCommand("workbench.action.chat.open", { query });
  }
  /** Gives the model its prompt, and returns what the tools returned. */
  async function ask(calls: readonly Call[], meanwhile = async () => {}): Promise<readonly Json[]> {
    const before = fake.answered.length;
    await prompt(calls);
    await meanwhile();
    return eventually("the end of the answer", () => fake.answered[before]);
  }
  function invoking(text: string): readonly Call[] {
    const input = { text };
    return [
      ["skill-registry_find_skill", { query: "personal data" }],
      ["skill-registry_inspect_skill", { skill: slug }],
      ["skill-registry_check_payload", { skill: slug, input }],
      [
        "skill-registry_invoke_skill",
        { skill: slug, contractHash: "$contractHash", input, reason: "To try." },
      ],
    ];
  }
  const agree = () => window.pressInDialog(/An agent wants to invoke redact-pii/, "Invoke Once");

  it("is refused without a person's permission", async () => {
    const input = { text: "Mail ada@example.com" };
    const results = await ask([
      ["skill-registry_invoke_skill", { skill: slug, contractHash: "none", input }],
    ]);
    assert.equal(results[0]?.["code"], "notAllowed", JSON.stringify(results));
  });

  it("finds, inspects, checks and invokes an allowed skill, which the record shows with its cost", async () => {
    const allowing = vscode.commands.executeCommand("skillRegistry.allowAgents", slug);
    await window.pressInDialog(/Allow agents to invoke redact-pii/, "Ask Each Time");
    await window.answer("50");
    await allowing;
    const limiting = vscode.commands.executeCommand("skillRegistry.setAgentLimits");
    await window.choose("Cents a day");
    await window.answer("50");
    await limiting;

    const results = await ask(invoking("Mail ada@example.com"), agree);
    const [found, , checked, invoked] = results;
    assert.match(JSON.stringify(found), /"skill":"redact-pii"[^}]*"allowed":true/);
    assert.equal(checked?.["valid"], true);
    assert.equal(invoked?.["status"], "success", JSON.stringify(invoked));
    const folder = process.env["SKILL_REGISTRY_HOME"] ?? "";
    const { records } = await atStore(folder, (store) => store.list({}));
    const [record] = records;
    assert.deepEqual(
      [record?.id, record?.caller?.kind, record?.tool, record?.agentReason, record?.amountCents],
      [invoked["recordId"], "chat", "invoke_skill", "To try.", 2],
    );
  });

  it("shares its tools with other extensions, whose invocations a person must allow too", async () => {
    const { contractHash } = await fake.callWithoutChat("skill-registry_inspect_skill", {
      skill: slug,
    });
    const input = { text: "Mail bob@example.com" };
    const invoked = fake.callWithoutChat("skill-registry_invoke_skill", {
      skill: slug,
      contractHash,
      input,
    });
    await agree();
    assert.equal((await invoked)["status"], "success");
  });

  it("is refused with the differences once the contract changed", async () => {
    const { contractHash } = await fake.callWithoutChat("skill-registry_inspect_skill", {
      skill: slug,
    });
    registry.change(slug, (body) =>
      JSON.parse(JSON.stringify(body).replaceAll('"network":false', '"network":true')),
    );
    const input = { text: "Mail eve@example.com" };
    const [refused] = await ask([
      ["skill-registry_invoke_skill", { skill: slug, contractHash, input }],
    ]);
    assert.equal(refused?.["code"], "contractChanged", JSON.stringify(refused));
    assert.match(String(refused?.["changes"]), /network/i);
    await window.notification(/Agents can no longer invoke redact-pii/).waitFor();
  });
});
