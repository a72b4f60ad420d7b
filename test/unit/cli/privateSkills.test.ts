import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { after, before, describe, it } from "mocha";
import { homeVariable } from "../../../src/engine/files/machine";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { startWithPrivateSkill } from "../../fixtures/registries/privateSkill";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import { buildProgram, cliFolder } from "./runTestCli";

const slug = "redact-pii";
const payload = { text: "a@example.com" };

describe("a skill without a public page, on the command line of its project", () => {
  const folder = cliFolder();
  let local: LocalRegistry;
  let server: TestRegistry;
  let env: Record<string, string>;
  before(async () => {
    local = await startLocalRegistry();
    server = await startWithPrivateSkill(local, slug);
    env = {
      SKILL_REGISTRY_URL: server.baseUrl,
      SKILL_REGISTRY_PROJECT_KEY: local.projectKey,
      SKILL_REGISTRY_USER_TOKEN: local.userTokens.owner,
      [homeVariable]: folder.path("machine"),
    };
    await writeFile(folder.path(`${slug}.skill-input.json`), JSON.stringify(payload));
  });
  after(async () => {
    await server.close();
    await local.close();
  });
  const run = (args: readonly string[], typed?: readonly string[]) =>
    folder.run([...args], env, undefined, "", undefined, typed);
  const byKeyAlone = (args: readonly string[], typed?: readonly string[]) => {
    const { SKILL_REGISTRY_USER_TOKEN: _, ...key } = env;
    return folder.run([...args], key, undefined, "", undefined, typed);
  };

  it("is shown with the project's price", async () => {
    const { out } = await run(["show", slug]);
    assert.match(out, /^Skill: +redact-pii@1\.1\.0$/m);
    assert.match(out, /^Price: +\$0\.02 per invocation$/m);
    assert.match(out, /^Contract: +contract-v1:sha256-/m);
  });

  it("is reviewed and checked by its contract; with a key alone, a message names the token", async () => {
    const reviewed = await run(["review", slug, "--who", "Ann"]);
    assert.equal(reviewed.code, 0, reviewed.err);
    const { code, out, err } = await run(["check"]);
    assert.equal(code, 0, out + err);
    const alone = await byKeyAlone(["check"]);
    assert.equal(alone.code, 3, alone.err);
    assert.match(
      alone.out + alone.err,
      /does not show the permissions.*SKILL_REGISTRY_USER_TOKEN/s,
    );
  });

  it("has stable types, also with a key alone", async () => {
    assert.equal((await run(["types", slug, "--out", "types"])).code, 0);
    for (const check of [run, byKeyAlone]) {
      const { code, out, err } = await check(["types", "--check", "--out", "types"]);
      assert.equal(code, 0, out + err);
    }
  });

  it("can be allowed to agents after signing in; with a key alone, a message names the token", async () => {
    const alone = await byKeyAlone(["agents", "allow", slug], [slug]);
    assert.equal(alone.code, 1);
    assert.match(alone.err, /does not show the permissions.*SKILL_REGISTRY_USER_TOKEN/s);
    const allowed = await run(
      ["agents", "allow", slug, "--mode", "auto", "--cents-per-day", "100"],
      [slug],
    );
    assert.equal(allowed.code, 0, allowed.err);
    assert.match(allowed.err, /^Price: \$0\.02 per invocation$/m);
    assert.equal((await run(["agents", "limits", "--cents-per-day", "100"], ["raise"])).code, 0);
  });

  it("can be inspected, checked and invoked by an agent, within its limits", async () => {
    const client = new Client({ name: "probe", version: "1" });
    const args = [await buildProgram(), "mcp"];
    const path = { PATH: process.env["PATH"] ?? "" };
    const cwd = folder.path();
    const transport = new StdioClientTransport({
      ...{ command: process.execPath, args, cwd },
      env: { ...path, ...env },
    });
    await client.connect(transport);
    const call = async (name: string, given: Record<string, unknown>) => {
      const { content } = await client.callTool({ name, arguments: { skill: slug, ...given } });
      const [part] = content as { readonly text: string }[];
      return JSON.parse(part?.text ?? "") as Record<string, unknown>;
    };
    const { contractHash, allowed } = await call("inspect_skill", {});
    assert.equal(allowed, true);
    assert.equal((await call("check_payload", { input: payload }))["valid"], true);
    const ended = await call("invoke_skill", { contractHash, input: payload });
    assert.equal(ended["status"], "success", JSON.stringify(ended));
    await client.close();
  });
});

describe("a project with an older version than the public one, on the command line with only a key", () => {
  const folder = cliFolder();
  let local: LocalRegistry;
  let server: TestRegistry;
  before(async () => {
    local = await startLocalRegistry();
    const path = `/v1/skills/${slug}`;
    const newest = await (await fetch(new URL(path, local.baseUrl))).json();
    // Like the public gateway, it returns the newest version whichever is requested.
    server = await startTestRegistry({ [path]: { body: newest } }, { behind: local });
  });
  after(async () => {
    await server.close();
    await local.close();
  });

  it("gets code by the reviewed contract if all that the key shows equals it", async () => {
    const byKeyAlone = {
      SKILL_REGISTRY_URL: server.baseUrl,
      SKILL_REGISTRY_PROJECT_KEY: local.projectKey,
    };
    const token = { ...byKeyAlone, SKILL_REGISTRY_USER_TOKEN: local.userTokens.owner };
    const check = () => folder.run(["types", "--check", "--out", "code"], byKeyAlone);
    const write = () => folder.run(["types", slug, "--out", "code"], byKeyAlone);
    await write();
    const unknown = await check();
    assert.equal(unknown.code, 3, unknown.out);
    assert.match(unknown.out + unknown.err, /SKILL_REGISTRY_USER_TOKEN/);
    const reviewed = await folder.run(["review", slug, "--who", "Ann"], token);
    assert.equal(reviewed.code, 0, reviewed.err);
    await write();
    const current = await check();
    assert.equal(current.code, 0, current.out + current.err);
  });
});
