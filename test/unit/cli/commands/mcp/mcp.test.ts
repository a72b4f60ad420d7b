import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { after, before, describe, it } from "mocha";
import { homeVariable } from "../../../../../src/engine/files/machine";
import { allowOnMachine } from "../../../../fixtures/allowedMachine";
import {
  plainManifest,
  startManifestRegistry,
} from "../../../../fixtures/registries/manifestRegistry";
import { type CountingRegistry, startCountingRegistry } from "../../countingRegistry";
import { buildProgram, cliFolder } from "../../runTestCli";

describe("The program `mcp`", () => {
  const folder = cliFolder();
  const client = new Client({ name: "probe", version: "1" });
  let registry: CountingRegistry;
  before(async () => {
    registry = await startCountingRegistry();
    const program = await buildProgram();
    const home = folder.path("machine");
    await allowOnMachine(home, registry.url);
    const args = [program, "mcp", "--registry", registry.url];
    const env = { PATH: process.env["PATH"] ?? "", [homeVariable]: home };
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  });
  after(async () => {
    await client.close();
    await registry.close();
  });

  async function call(name: string, args: Record<string, unknown>) {
    const { content } = await client.callTool({ name, arguments: args });
    const [part] = content as { readonly text: string }[];
    return JSON.parse(part?.text ?? "") as Record<string, unknown>;
  }

  it("ends with a readable error after a message above its limit", async () => {
    const args = [await buildProgram(), "mcp", "--registry", registry.url];
    const env = { [homeVariable]: folder.path("machine") };
    const server = spawn(process.execPath, args, { env });
    // It stops reading before everything is written.
    server.stdin.on("error", () => undefined);
    // Above our limit, and below the limit of the protocol's library.
    server.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"ping","more":"${"x".repeat(10_200_000)}`);
    const [err, [code]] = await Promise.all([text(server.stderr), once(server, "close")]);
    assert.match(err, /^The client sent a message of more than 10 MB\. The server has ended\.$/m);
    assert.equal(code, 2);
  });

  it("includes an example with a skill, which is a valid payload", async () => {
    const { example } = await call("inspect_skill", { skill: "text-stats" });
    const checked = await call("check_payload", { skill: "text-stats", input: example });
    assert.equal(checked["valid"], true, JSON.stringify([example, checked]));
  });

  it("redacts the key in texts that a person agreed to before the key was known", async () => {
    const key = "sk_proj_5f1e0c7a9b3d2468";
    const titled = plainManifest("echo", { displayName: `Echo ${key}` });
    const echoing = await startManifestRegistry({ echo: titled });
    const home = folder.path("echo");
    await allowOnMachine(home, echoing.baseUrl, "auto", "echo");
    const args = [await buildProgram(), "mcp", "--registry", echoing.baseUrl];
    const env = {
      PATH: process.env["PATH"] ?? "",
      [homeVariable]: home,
      SKILL_REGISTRY_PROJECT_KEY: key,
    };
    const other = new Client({ name: "probe", version: "1" });
    await other.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    const inspected = await other.callTool({ name: "inspect_skill", arguments: { skill: "echo" } });
    const shown = JSON.stringify([inspected, await other.listTools()]);
    await other.close();
    await echoing.close();
    assert.equal(shown.match(/Echo \[Project Key\]/g)?.length, 2);
    assert.equal(shown.includes(key), false);
  });

  it("tells agents that there is no key, and their user that a user token was set instead", async () => {
    const token = `shub_user_${"0".repeat(64)}`;
    const args = [await buildProgram(), "mcp", "--registry", registry.url];
    const env = {
      PATH: process.env["PATH"] ?? "",
      [homeVariable]: folder.path("machine"),
      SKILL_REGISTRY_PROJECT_KEY: token,
    };
    const transport = new StdioClientTransport({
      command: process.execPath,
      args,
      env,
      stderr: "pipe",
    });
    const written = text(transport.stderr as Readable);
    const other = new Client({ name: "probe", version: "1" });
    await other.connect(transport);
    const tool = async (name: string, given: Record<string, unknown>) => {
      const { content } = await other.callTool({ name, arguments: given });
      const [part] = content as { readonly text: string }[];
      return JSON.parse(part?.text ?? "") as Record<string, unknown>;
    };
    const input = { text: "Hello" };
    const checked = await tool("check_payload", { skill: "text-stats", input });
    assert.equal(checked["valid"], true, JSON.stringify(checked));
    const { contractHash } = await tool("inspect_skill", { skill: "text-stats" });
    const refused = await tool("invoke_skill", { skill: "text-stats", contractHash, input });
    assert.equal(refused["code"], "missingProjectKey", JSON.stringify(refused));
    await other.close();
    const err = await written;
    assert.match(err, /This is a user token\. Paste a Project Key instead/);
    assert.ok(!err.includes(token));
  });
});
