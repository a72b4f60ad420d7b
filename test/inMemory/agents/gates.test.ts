import { strict as assert } from "node:assert";
import { rm } from "node:fs/promises";
import { after, afterEach, before, describe, it } from "mocha";
import type * as vscode from "vscode";
import { firstPolicy } from "../../../src/core/review/newReview";
import { rateScopeOf } from "../../../src/engine/attempt";
import { forgetRates, keptAgents, limitRate } from "../../fixtures/machineStore";
import { startDriftingRegistry } from "../../unit/cli/driftingRegistry";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

type Json = Record<string, unknown>;

/** A gate that depends on a part of the editor, how to close and open it again, and the arguments of the refused call. Default: `text-stats`. */
interface Gate {
  readonly gate: number;
  readonly name: string;
  readonly code: string;
  readonly close?: () => unknown;
  readonly open?: () => unknown;
  readonly args?: () => Json;
}

const policyPath = ".skill-registry/policy.json";

describe("The gates of an agent in the editor", () => {
  const folder = useFolder();
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  before(async () => {
    registry = await startDriftingRegistry();
  });
  after(() => registry.close());
  const editor = useEditor(() => ({
    folders: [folder.path],
    settings: { "skillRegistry.baseUrl": registry.url },
  }));
  let contractHash: unknown;
  it("All are open for an allowed skill, with a key and a record", async () => {
    await setKey();
    await allow("Without Asking, within Limits");
    // Agents get no contract of a skill that they may not invoke, so it is read from the settings.
    const allowed = await keptAgents(editor.parts.machine.storage);
    const { skills } = JSON.parse(allowed) as { readonly skills: readonly Json[] };
    contractHash = skills[0]?.["contractHash"];
    assert.equal((await call("invoke_skill", wanted("open")))["status"], "success");
  });

  async function call(tool: string, input: unknown): Promise<Json> {
    const options = { input, toolInvocationToken: {} } as never;
    const { content } = await editor.vscode.lm.invokeTool(`skill-registry_${tool}`, options);
    return JSON.parse((content[0] as vscode.LanguageModelTextPart).value) as Json;
  }
  async function setKey(): Promise<void> {
    const setting = editor.run("setProjectKey");
    await editor.answer(registry.projectKey);
    await setting;
  }
  async function allow(button: string): Promise<void> {
    const allowed = editor.run("allowAgents", "text-stats");
    if (contractHash !== undefined) await editor.choose("Whether agents ask");
    await editor.press(/^Allow agents to invoke text-stats/, button);
    await allowed;
  }
  async function limit(row: string, count: string): Promise<void> {
    const limits = editor.run("setAgentLimits");
    await editor.choose(row);
    await editor.answer(count);
    await limits;
  }
  const wanted = (text: string): Json => ({ skill: "text-stats", contractHash, input: { text } });
  const writePolicy = (policy: string) => folder.write(policyPath, policy);
  const removePolicy = () => rm(folder.uri(".skill-registry").fsPath, { recursive: true });
  const machine = () => editor.parts.machine.storage;
  const countRecords = async () => (await recordsOf(editor)).length;

  const gates: readonly Gate[] = [
    {
      gate: 1,
      name: "the user's settings turn agents off",
      code: "agentsOff",
      close: () => editor.set("skillRegistry.agents.enabled", false),
      open: () => editor.set("skillRegistry.agents.enabled", undefined),
    },
    {
      gate: 6,
      name: "the folder's policy does not name the skill",
      code: "workspaceNarrows",
      close: () => writePolicy(JSON.stringify({ ...firstPolicy(), agents: { allow: [] } })),
      open: removePolicy,
    },
    {
      gate: 6,
      name: "the folder's policy is broken",
      code: "workspaceNarrows",
      close: () => writePolicy("{"),
      open: removePolicy,
    },
    {
      gate: 6,
      name: "the team has not reviewed the skill",
      code: "reviewObjects",
      close: () => writePolicy(JSON.stringify(firstPolicy())),
      open: removePolicy,
    },
    {
      gate: 8,
      name: "the payload does not fit the schema",
      code: "payloadInvalid",
      args: () => ({ ...wanted("a"), input: { txt: 1 } }),
    },
    {
      gate: 8,
      name: "the payload has the Project Key",
      code: "payloadHasSecret",
      args: () => wanted(`The key is ${registry.projectKey}.`),
    },
    {
      gate: 10,
      name: "the session has had all calls",
      code: "callLimit",
      close: () => limit("Invocations a session", "0"),
      open: () => limit("Invocations a session", "20"),
    },
    {
      gate: 11,
      name: "the rate limit asks for a wait",
      code: "rateLimited",
      close: () => {
        const target = { baseUrl: registry.url, isBuiltIn: false };
        const scope = rateScopeOf(target, registry.projectKey, "text-stats");
        return limitRate(machine(), scope, 1, [editor.clock.now()]);
      },
      open: () => forgetRates(machine()),
    },
    {
      gate: 12,
      name: "a person says no",
      code: "declined",
      close: () => allow("Ask Each Time"),
      open: () => allow("Without Asking, within Limits"),
    },
    {
      gate: 13,
      name: "there is no Project Key",
      code: "missingProjectKey",
      close: async () => {
        const removing = editor.run("removeProjectKey");
        (await editor.dialog(/Project Key/)).press("Remove");
        await removing;
      },
      open: setKey,
    },
    {
      gate: 14,
      name: "no invocations are kept",
      code: "recordFailed",
      close: () => editor.set("skillRegistry.history.maxEntries", 0),
      open: () => editor.set("skillRegistry.history.maxEntries", undefined),
    },
  ];
  let opening: (() => unknown) | undefined;
  afterEach(async () => {
    await opening?.();
    opening = undefined;
  });
  it("An allowed skill that only the Project Key shows is invoked, and a second equal call gets the recorded result", async () => {
    opening = () => registry.restore();
    registry.change("text-stats", () => "no JSON");
    const [first, again] = [
      await call("invoke_skill", wanted("key alone")),
      await call("invoke_skill", wanted("key alone")),
    ];
    const told = JSON.stringify([first, again]);
    assert.deepEqual([first["status"], again["status"]], ["success", "replayed"], told);
    assert.equal(first["contractHash"], contractHash);
  });
  for (const [index, { gate, name, code, close, open, args }] of gates.entries()) {
    it(`Gate ${gate} is closed if ${name}, and nothing is sent until it is open`, async () => {
      opening = open;
      await close?.();
      const [before, recorded] = [registry.invocations().length, await countRecords()];
      const calling = call("invoke_skill", args?.() ?? wanted(`closed ${index}`));
      if (code === "declined") (await editor.dialog(/An agent wants to invoke/)).close();
      const refused = await calling;
      assert.deepEqual(
        [refused["status"], refused["code"]],
        ["notSent", code],
        JSON.stringify(refused),
      );
      assert.equal(registry.invocations().length, before);
      assert.equal(await countRecords(), recorded);
    });
  }
  it("A payload that no gate holds is sent", async () => {
    const ran = await call("invoke_skill", wanted("open again"));
    assert.equal(ran["status"], "success", JSON.stringify(ran));
  });
});
