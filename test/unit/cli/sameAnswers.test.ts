import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "mocha";
import type { AgentSession } from "../../../src/agents/agentSession";
import { openAgents } from "../../../src/cli/cli";
import { openAgentSettings } from "../../../src/cli/files/agentFiles";
import type { OpenRegistry } from "../../../src/cli/registry/openRegistry";
import type { Terminal } from "../../../src/cli/terminal";
import type { InvocationRecord } from "../../../src/core/invocation/record/invocationRecord";
import { KeyRedactor } from "../../../src/core/registry/redactSecrets";
import { homeVariable } from "../../../src/engine/files/machine";
import { yesClient } from "../../fixtures/agentSession";
import { allowOnMachine } from "../../fixtures/allowedMachine";
import { atStore, forgetInvocations } from "../../fixtures/machineStore";
import { never } from "../../fixtures/registries/clientFor";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import type { Answer } from "../../fixtures/registries/testRegistry";
import { cliFolder } from "./runTestCli";

type Json = Record<string, unknown>;

const skill = "word-tally";
const ran = {
  ...{ invocationId: "inv-1", mode: "live", projectSlug: "p", version: "2.1.0", status: "success" },
  ...{ billable: true, amountCents: 3, currency: "EUR", output: { words: 1 } },
};

/** One response for each kind of outcome; `unit/registry/routes` reads all of them, and `core/agents` words them. */
const answers: readonly (readonly [name: string, answer: Answer])[] = [
  ["a success", { body: ran }],
  [
    "a success that was billed and not run",
    { body: { ...ran, output: { mode: "metered_contract" } } },
  ],
  ["the output of another version", { body: { ...ran, version: "2.2.0" } }],
  ["a skill that failed", { status: 502, body: { ...ran, status: "error", error: "No." } }],
  ["a rate limit with a wait", { status: 429, headers: { "retry-after": "7" }, body: {} }],
  ["a closed connection without a response", "lost"],
];

describe("A registry's response to a script, a run, a suite and an agent", () => {
  let registry: ForeignRegistry;
  let agents: { readonly session: AgentSession<OpenRegistry>; close(): Promise<void> };
  // Before the folder is removed, in which the agents' store is open.
  after(async () => {
    await agents.close();
    await registry.close();
  });
  const folder = cliFolder();
  let contractHash: string;
  const env = () => ({
    SKILL_REGISTRY_URL: registry.baseUrl,
    SKILL_REGISTRY_PROJECT_KEY: registry.projectKey,
    [homeVariable]: folder.path("machine"),
  });
  const machine = () => folder.path("machine");
  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel", prices: true });
    contractHash = await allowOnMachine(folder.path("machine"), registry.baseUrl, "auto", skill);
    const terminal = {
      ...{ env: env(), cwd: folder.path(), threads: folder.threads, signal: never },
      err: () => undefined,
      redactor: new KeyRedactor(),
    } as unknown as Terminal;
    const given = { registry: undefined, timeout: undefined, otlp: false, "no-window": false };
    const allowed = openAgentSettings(terminal);
    const opened = await openAgents(given, terminal, registry.baseUrl, allowed.settings);
    agents = {
      session: opened.session,
      close: async () => {
        await opened.close();
        await allowed.close();
      },
    };
  });

  /** Runs a command. */
  async function run(...args: readonly string[]) {
    return folder.run([...args, "--yes"], env());
  }
  const invoke = async (): Promise<Json> => {
    await writeFile(folder.path("p.json"), JSON.stringify({ text: "invoke" }));
    const { out } = await run("invoke", skill, "p.json", "--format", "json");
    return JSON.parse(out);
  };
  const line = async (): Promise<Json> => {
    await writeFile(folder.path("l.jsonl"), JSON.stringify({ text: "run" }));
    await rm(folder.path("l.jsonl.journal"), { force: true });
    await run("run", "l.jsonl", "--skill", skill, "--max-wait", "0");
    const journal = await readFile(folder.path("l.jsonl.journal"), "utf8");
    return JSON.parse(journal.trim().split("\n").at(-1) ?? "");
  };
  const suite = async (): Promise<string> => {
    const cases = [{ name: "a", payload: { text: "test" } }];
    const text = JSON.stringify({ format: 1, skill, cases });
    await writeFile(folder.path("a.skill-suite.json"), text);
    const { out } = await run("test", "a.skill-suite.json", "--live", "--format", "json");
    return JSON.parse(out).items[0].findings[0]?.message ?? "";
  };
  const agent = async (name: string): Promise<Json> => {
    const args = { skill, contractHash, input: { text: name } };
    return JSON.parse((await agents.session.call("invoke_skill", args, yesClient, never)).text);
  };

  for (const [name, answer] of answers) {
    it(`is reported and recorded alike: ${name}`, async () => {
      registry.answer("/v1/runtime/invoke", answer);
      const records: InvocationRecord[] = [];
      /** Invokes as if nothing had been invoked on the machine before. */
      const recorded = async <Told>(work: () => Promise<Told>): Promise<Told> => {
        await forgetInvocations(machine());
        const told = await work();
        records.push(...(await atStore(machine(), (store) => store.list({}))).records);
        return told;
      };
      const [script, entry] = [await recorded(invoke), await recorded(line)];
      const [finding, result] = [await recorded(suite), await recorded(() => agent(name))];
      assert.equal(records.length, 4);
      const [record, ...others] = records.map((one) => ({ ...one, durationMs: 0 }));
      const factsOf = ({ status, code, message, amountCents, version, projectSlug }: Json) => ({
        ...{ status, code, message, amountCents, version, projectSlug },
      });
      for (const other of others) assert.deepEqual(factsOf({ ...other }), factsOf({ ...record }));
      const { status, code, invocationId, amountCents, currency } = record ?? {};
      const known = { status, code, invocationId, currency };
      const ofScript = { ...script };
      assert.deepEqual(
        ["status", "code", "invocationId", "currency"].map((fact) => ofScript[fact]),
        Object.values(known),
      );
      assert.deepEqual(
        [ofScript["amountCents"], entry["cents"], (result["cost"] as Json | undefined)?.["cents"]],
        [amountCents, amountCents, amountCents],
      );
      assert.deepEqual(
        [entry["status"], entry["code"], entry["invocationId"], entry["message"]],
        [status, code, invocationId, ofScript["message"]],
      );
      assert.ok(finding.endsWith(String(ofScript["message"] ?? "")), finding);
      assert.deepEqual(
        [result["status"], result["registryCode"], result["retryAfterSeconds"]],
        [status, code, ofScript["retryAfterSeconds"]],
      );
    });
  }

  it("keeps an agent from a skill whose last invocation by a script was accepted without being executed", async () => {
    await forgetInvocations(machine());
    registry.answer("/v1/runtime/invoke", {
      body: { ...ran, output: { mode: "metered_contract" } },
    });
    await invoke();
    const sent = registry.requests.length;
    const { status, code, message } = await agent("after a script");
    assert.deepEqual([status, code], ["notSent", "notCallable"]);
    assert.match(String(message), /billed but not executed/);
    const isInvocation = ({ path }: { readonly path: string }) => path === "/v1/runtime/invoke";
    assert.ok(!registry.requests.slice(sent).some(isInvocation));
  });
});
