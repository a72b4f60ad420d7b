import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { after, before, describe, it } from "mocha";
import {
  type AgentClientName,
  agentClients,
  agentSetup,
  serverCommand,
  windowVariable,
} from "../../../../src/core/agents/agentSetup";
import { projectKeyVariable } from "../../../../src/core/registry/credential";
import { builtInRegistryName } from "../../../../src/core/registry/registryName";
import { homeVariable } from "../../../../src/engine/files/machine";
import { shellLauncher } from "../../../../src/host/terminal/launcher";
import { someOf } from "../../../editor/someOf";
import { allowOnMachine } from "../../../fixtures/allowedMachine";
import { type CountingRegistry, startCountingRegistry } from "../../cli/countingRegistry";
import { buildProgram, cliFolder } from "../../cli/runTestCli";

type Env = Readonly<Record<string, string>>;

interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Env;
}

/**
 * Reads the printed setup and replaces variables, as the documentation of each client says. `asked` is a person's
 * input.
 */
const clients: Readonly<
  Record<AgentClientName, (text: string, own: Env, asked: string) => Started>
> = {
  "VS Code": (text, _own, asked) => {
    const { inputs, servers } = JSON.parse(text);
    const [input] = inputs;
    assert.deepEqual([input.type, input.password], ["promptString", true]);
    const started = servers["skill-registry"];
    return {
      ...started,
      env: replaced(started.env, /\$\{input:([^}]+)\}/g, { [input.id]: asked }),
    };
  },
  "Claude Code": (text, own) => {
    // The shell passes the arguments to the client, which writes the last one into .mcp.json.
    const printed = execFileSync("/bin/sh", ["-c", `claude() { printf '%s\\n' "$@"; }\n${text}`]);
    const words = printed.toString().trimEnd().split("\n");
    assert.deepEqual(words.slice(0, -1), [
      "mcp",
      "add-json",
      "--scope",
      "project",
      "skill-registry",
    ]);
    const started = JSON.parse(words.at(-1) ?? "");
    return { ...started, env: replaced(started.env, /\$\{([A-Z_]+)(?::-([^}]*))?\}/g, own) };
  },
  Codex: (text, own) => {
    const value = (name: string) =>
      JSON.parse(new RegExp(`^${name} = (.*)$`, "m").exec(text)?.[1] ?? "");
    const passed: string[] = value("env_vars");
    const [, name = "", set = ""] = /^env = \{ (\w+) = "(.*)" \}$/m.exec(text) ?? [];
    const env = passed.filter((one) => own[one] !== undefined).map((one) => [one, own[one] ?? ""]);
    return {
      command: value("command"),
      args: value("args"),
      env: Object.fromEntries([...env, [name, set]]),
    };
  },
  Cursor: (text, own) => {
    const started = JSON.parse(text).mcpServers["skill-registry"];
    return { ...started, env: replaced(started.env, /\$\{env:([^}]+)\}/g, own) };
  },
};

/** A variable that is not set stays as written, unless it has a default. */
function replaced(env: Env, pattern: RegExp, own: Env): Env {
  const values = Object.entries(env).map(([name, value]) => [
    name,
    value.replaceAll(
      pattern,
      (whole, of: string, usual?: string) =>
        own[of] ?? (typeof usual === "string" && whole.includes(":-") ? usual : whole),
    ),
  ]);
  return Object.fromEntries(values);
}

describe("The setup of a client that agents run in", () => {
  const folder = cliFolder();
  let registry: CountingRegistry;
  let launcher = "";
  const key = `sk_proj_${"c".repeat(40)}`;
  before(async () => {
    registry = await startCountingRegistry();
    await allowOnMachine(folder.path("machine"), registry.url);
    launcher = folder.path("skill-registry");
    const script = await buildProgram();
    await writeFile(launcher, shellLauncher({ program: process.execPath, script, launcher }));
    await chmod(launcher, 0o700);
  });
  after(() => registry.close());

  const printed = (client: AgentClientName) =>
    agentSetup(client, serverCommand(registry.url, [launcher], folder.path("machine")));

  async function invoke({ command, args, env }: Started, text: string) {
    // The official SDK passes on only these variables and those of `env`.
    assert.deepEqual(
      Object.keys(getDefaultEnvironment()).filter((name) => name.startsWith("SKILL")),
      [],
    );
    const transport = new StdioClientTransport({ command, args: [...args], env, stderr: "ignore" });
    const client = new Client({ name: "probe", version: "1" });
    await client.connect(transport);
    try {
      const call = async (name: string, given: Record<string, unknown>) => {
        const { content } = await client.callTool({ name, arguments: given });
        const [part] = content as { readonly text: string }[];
        return JSON.parse(part?.text ?? "") as Record<string, unknown>;
      };
      const { contractHash } = await call("inspect_skill", { skill: "text-stats" });
      const input = { text };
      return await call("invoke_skill", { skill: "text-stats", contractHash, input });
    } finally {
      await client.close();
    }
  }

  for (const client of Object.keys(clients) as AgentClientName[]) {
    it(`makes ${client} start the server with the key without containing it`, () => {
      const setup = printed(client);
      assert.equal(setup.includes(key), false);
      const started = clients[client](setup, { [projectKeyVariable]: key }, key);
      const { command, args } = serverCommand(registry.url, [launcher], folder.path("machine"));
      assert.deepEqual([started.command, started.args], [command, args]);
      assert.equal(started.env[projectKeyVariable], key);
      assert.equal(started.env[homeVariable], folder.path("machine"));
    });
  }

  for (const [client] of someOf(clients, ["Claude Code"])) {
    it(`lets ${client} invoke`, async () => {
      const name = client as AgentClientName;
      const own = { [projectKeyVariable]: key };
      const result = await invoke(clients[name](printed(name), own, key), `By ${client}.`);
      assert.equal(result["status"], "success", JSON.stringify(result));
      assert.equal(registry.counts.get(`By ${client}.`), 1);
    });
  }

  for (const [client] of someOf(clients, ["Cursor"])) {
    it(`explains to ${client} how to set a missing key`, async () => {
      const name = client as AgentClientName;
      const result = await invoke(clients[name](printed(name), {}, ""), "No key.");
      assert.equal(result["code"], "missingProjectKey", JSON.stringify(result));
      assert.match(
        String(result["next"]),
        /SKILL_REGISTRY_PROJECT_KEY.*skill-registry agents setup/,
      );
    });
  }

  for (const client of agentClients) {
    it(`asks ${client} for no key of the built-in registry, which has its own`, () => {
      const setup = agentSetup(client, serverCommand(builtInRegistryName, [launcher]));
      assert.doesNotMatch(setup, /PROJECT_KEY|promptString/);
    });
  }

  for (const client of ["Claude Code", "Codex", "Cursor"] as const) {
    it(`passes the terminal's window on to ${client}`, () => {
      const { env } = clients[client](printed(client), { [windowVariable]: "1:a:b" }, "");
      assert.equal(env[windowVariable], "1:a:b");
      assert.equal(env[homeVariable], folder.path("machine"));
    });
  }
});
