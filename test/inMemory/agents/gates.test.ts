import { strict as assert } from "node:assert";
import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "mocha";
import type * as vscode from "vscode";
import { firstPolicy } from "../../../src/core/review/newReview";
import { rateScopeOf } from "../../../src/engine/attempt";
import { storeName } from "../../../src/engine/store/operations";
import {
  forgetRates,
  keptAgents,
  limitRate,
  refuseRecords,
  takeRecords,
} from "../../fixtures/machineStore";
import { startDriftingRegistry } from "../../unit/cli/driftingRegistry";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

type Json = Record<string, unknown>;

/** A gate, how to close and open it again, and the arguments of the refused call. Default: `text-stats`. */
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
  const hashes = new Map<string, unknown>();
  it("All are open for an allowed skill, with a key and a record", async () => {
    await setKey();
    for (const slug of ["text-stats", "redact-pii", "vault-rotate"]) {
      await allow(slug, "Without Asking, within Limits");
    }
    // Agents get no contract of a skill that they may not invoke, so it is read from the settings.
    const allowed = await keptAgents(editor.parts.machine.storage);
    const { skills } = JSON.parse(allowed) as { readonly skills: readonly Json[] };
    for (const { skill, contractHash } of skills) hashes.set(String(skill), contractHash);
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
  async function allow(slug: string, button: string): Promise<void> {
    const allowed = editor.run("allowAgents", slug);
    if (hashes.has(slug)) await editor.choose("Whether agents ask");
    await editor.press(new RegExp(`^Allow agents to invoke ${slug}`), button);
    if (slug !== "text-stats") await editor.answer("50");
    await allowed;
  }
  async function limit(row: string, count: string): Promise<void> {
    const limits = editor.run("setAgentLimits");
    await editor.choose(row);
    await editor.answer(count);
    await limits;
  }
  const wanted = (text: string, skill = "text-stats"): Json => ({
    skill,
    contractHash: hashes.get(skill) ?? "none",
    input: { text },
  });
  const writePolicy = (policy: string) => folder.write(policyPath, policy);
  const removePolicy = () => rm(folder.uri(".skill-registry").fsPath, { recursive: true });
  const machine = () => editor.parts.machine.storage;
  /** Returns undefined if the store cannot be read. */
  const countRecords = () =>
    recordsOf(editor).then(
      (records) => records.length,
      () => 0,
    );
  const storeFile = (part = "") => join(machine(), `${storeName}${part}`);

  const gates: readonly Gate[] = [
    {
      gate: 1,
      name: "the user's settings turn agents off",
      code: "agentsOff",
      close: () => editor.set("skillRegistry.agents.enabled", false),
      open: () => editor.set("skillRegistry.agents.enabled", undefined),
    },
    {
      gate: 1,
      name: "the folder's policy turns agents off",
      code: "agentsOff",
      close: () => writePolicy(JSON.stringify({ ...firstPolicy(), agents: { off: true } })),
      open: removePolicy,
    },
    {
      gate: 2,
      name: "an argument is missing",
      code: "badArguments",
      args: () => ({ skill: "text-stats", input: { text: "a" } }),
    },
    {
      gate: 3,
      name: "nobody allowed the skill",
      code: "notAllowed",
      args: () => wanted("a", "json-diff"),
    },
    {
      gate: 4,
      name: "the agent saw another contract",
      code: "wrongContractHash",
      args: () => ({ ...wanted("a"), contractHash: "x" }),
    },
    {
      gate: 4,
      name: "the registry does not return all of the contract",
      code: "contractMissing",
      close: () =>
        registry.change("text-stats", ({ manifest, ...body }) => {
          const permissions = { ...(body["permissions"] as Json), camera: true };
          return { ...body, permissions, manifest: { ...(manifest as Json), permissions } };
        }),
      open: () => registry.restore(),
    },
    {
      gate: 5,
      name: "the skill is a draft",
      code: "notCallable",
      close: () =>
        registry.change("text-stats", (body) => ({ ...body, verificationStatus: "draft" })),
      open: () => registry.restore(),
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
      gate: 7,
      name: "the permission level is higher than agents may use",
      code: "levelExceeded",
      args: () => wanted("a", "vault-rotate"),
    },
    {
      gate: 8,
      name: "the payload does not fit the schema",
      code: "payloadInvalid",
      args: () => ({ ...wanted("a"), input: { txt: 1 } }),
    },
    {
      gate: 8,
      name: "the payload has a credential",
      code: "payloadHasSecret",
      args: () => wanted(`ghp_${"a1B2c3D4e5".repeat(4)}`),
    },
    {
      gate: 8,
      name: "the payload has the Project Key",
      code: "payloadHasSecret",
      args: () => wanted(`The key is ${registry.projectKey}.`),
    },
    {
      gate: 8,
      name: "a number lost digits",
      code: "numberLosesDigits",
      args: () => ({ ...wanted("a"), input: { text: 2 ** 60 } }),
    },
    {
      gate: 9,
      name: "an equal invocation has an unknown outcome, even if only one record is kept",
      code: "outcomeUnknownBefore",
      close: async () => {
        editor.set("skillRegistry.history.maxEntries", 1);
        registry.changeAnswers(() => "no JSON");
        assert.equal((await call("invoke_skill", wanted("lost")))["status"], "outcome unknown");
        registry.restore();
        for (const text of ["b", "c"]) {
          assert.equal((await call("invoke_skill", wanted(text)))["status"], "success");
        }
      },
      open: () => editor.set("skillRegistry.history.maxEntries", undefined),
      args: () => wanted("lost"),
    },
    {
      gate: 10,
      name: "the session has had all calls",
      code: "callLimit",
      close: () => limit("Invocations a session", "0"),
      open: () => limit("Invocations a session", "20"),
    },
    {
      gate: 10,
      name: "the skill costs more than agents may spend",
      code: "spendingLimit",
      args: () => wanted("Mail ada@example.com", "redact-pii"),
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
      close: () => allow("text-stats", "Ask Each Time"),
      open: () => allow("text-stats", "Without Asking, within Limits"),
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
    {
      gate: 14,
      name: "the store takes no record",
      code: "recordFailed",
      close: () => refuseRecords(machine()),
      open: () => takeRecords(machine()),
    },
    {
      gate: 3,
      name: "the store, which has what a person allowed, cannot be asked",
      code: "notAllowed",
      close: async () => {
        await rename(storeFile(), storeFile(".aside"));
        await mkdir(storeFile());
      },
      open: async () => {
        await rmdir(storeFile());
        await rename(storeFile(".aside"), storeFile());
      },
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
    assert.equal(first["contractHash"], hashes.get("text-stats"));
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
