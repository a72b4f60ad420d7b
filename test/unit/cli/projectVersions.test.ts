import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { after, before, beforeEach, describe, it } from "mocha";
import type { JsonObject } from "../../../src/core/json/jsonValue";
import { startLocalRegistry } from "../../../src/localRegistry/startLocalRegistry";
import { plainManifest } from "../../fixtures/registries/manifestRegistry";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import { cliFolder } from "./runTestCli";

const key = `skh_${"7".repeat(64)}`;
const needs = (name: string): JsonObject => ({
  type: "object",
  required: [name],
  properties: { [name]: { type: "string" } },
  additionalProperties: false,
});

/** The registry offers 2.0.0 of `notes`, and the key's project runs 1.0.0; `inhouse` has no public page. */
describe("the versions of a project, on the command line", () => {
  const folder = cliFolder();
  let server: TestRegistry;
  const annotations = {
    callable: true,
    projectSlug: "site",
    installStatus: "installed",
    approvalState: "approved",
    verificationStatus: "verified",
  };
  const tool = (name: string, version: string, field: string) => ({
    name,
    title: "DRAFT TITLE",
    description: "DRAFT TEXT",
    inputSchema: needs(field),
    outputSchema: { type: "object" },
    annotations: { ...annotations, version },
  });
  let tools: readonly JsonObject[] = [];
  const sent = () =>
    server.requests
      .filter(({ path }) => path === "/v1/runtime/invoke")
      .map(({ body }) => JSON.parse(body));
  before(async () => {
    const current = plainManifest("notes", { version: "2.0.0", inputSchema: needs("text") });
    server = await startTestRegistry({
      "/mcp": () => ({ body: { jsonrpc: "2.0", id: 1, result: { tools } } }),
      "/v1/skills/notes": { body: current },
      "/v1/skills/notes/prices": { body: { prices: [{ billingModel: "free", status: "active" }] } },
      "/v1/skills/inhouse/prices": { body: { prices: [] } },
      "/v1/skills/search": { body: { skills: [] } },
      "/v1/publishers": { body: { publishers: [] } },
      "/v1/runtime/invoke": {
        body: { invocationId: "one", status: "success", output: { ok: true } },
      },
    });
    await writeFile(folder.path("notes.skill-input.json"), '{"note":"a"}');
    await writeFile(folder.path("inhouse.skill-input.json"), '{"case":"a"}');
  });
  after(() => server.close());
  beforeEach(() => {
    tools = [tool("notes", "1.0.0", "note"), tool("inhouse", "0.3.0", "case")];
  });
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    folder.run([...args], { SKILL_REGISTRY_URL: server.baseUrl, ...env });
  const withKey = { SKILL_REGISTRY_PROJECT_KEY: key };

  it("are used for checks and invocations, by the key's list alone", async () => {
    assert.equal((await run(["validate", "notes.skill-input.json"])).code, 1);
    const checked = await run(["validate", "notes.skill-input.json"], withKey);
    assert.equal(checked.code, 0, checked.out + checked.err);
    const invoked = await run(["invoke", "notes", "notes.skill-input.json", "--yes"], withKey);
    assert.equal(invoked.code, 0, invoked.err);
    assert.equal(sent().at(-1).version, "1.0.0");
    await writeFile(folder.path("lines.jsonl"), '{"note":"a"}\n{"note":"b"}\n');
    const ran = await run(["run", "lines.jsonl", "--skill", "notes", "--yes"], withKey);
    assert.equal(ran.code, 0, ran.err);
    assert.equal(sent().at(-1).version, "1.0.0");
  });

  it("are the registry's if another version is named, or if the project has the newest", async () => {
    const named = await run(["show", "notes@2.0.0"], withKey);
    assert.match(named.out, /notes@2\.0\.0/);
    tools = [tool("notes", "2.0.0", "text")];
    const same = await run(["show", "notes"], withKey);
    assert.match(same.out, /Permissions: +compute only/);
  });

  it("are shown without a draft's texts, and with unknown permissions", async () => {
    const { out, code } = await run(["show", "notes"], withKey);
    assert.equal(code, 0);
    assert.match(out, /^notes\nTakes what its schema says\.\n\nSkill: +notes@1\.0\.0\n/);
    assert.match(out, /\nNote: +The project site runs version 1\.0\.0; 2\.0\.0 is available\.\n/);
    assert.match(out, /\nLevel: +Permissions not provided\n/);
    assert.match(out, /\nPermissions: +not provided; assume full access\n/);
    assert.match(out, /\nContract: +unknown \(permissions\)\n/);
    assert.doesNotMatch(out, /DRAFT/);
  });

  it("are known for a skill without a public page", async () => {
    assert.equal((await run(["show", "inhouse"])).code, 4);
    const checked = await run(["validate", "inhouse.skill-input.json"], withKey);
    assert.equal(checked.code, 0, checked.out + checked.err);
    const { out } = await run(["show", "inhouse"], withKey);
    assert.match(out, /^inhouse\n/);
    assert.doesNotMatch(out, /DRAFT/);
  });

  it("belong to the signed-in user's project if there is no key", async () => {
    const local = await startLocalRegistry({ projectKey: key });
    const env = {
      SKILL_REGISTRY_URL: local.baseUrl,
      SKILL_REGISTRY_USER_TOKEN: local.userTokens.owner,
    };
    const { out } = await folder.run(["show", "redact-pii"], env);
    await local.close();
    assert.match(
      out,
      /\nSkill: +redact-pii@1\.1\.0\nNote: +The project .+ runs version 1\.1\.0; 2\.0\.0 is available\.\n/,
    );
    assert.doesNotMatch(out, /\nPermissions: +not provided/);
  });

  it("are the registry's if a user has several projects and chose none, with a message", async () => {
    const local = await startLocalRegistry({ projectKey: key });
    const token = local.userTokens.owner;
    const created = await fetch(`${local.baseUrl}/v1/developer/projects`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ slug: "second", name: "Second" }),
    });
    const env = { SKILL_REGISTRY_URL: local.baseUrl, SKILL_REGISTRY_USER_TOKEN: token };
    const shown = await folder.run(["show", "redact-pii"], env);
    const chosen = await folder.run(["show", "redact-pii", "--project", "local-demo"], env);
    await local.close();
    assert.ok(created.ok, `${created.status}`);
    assert.match(shown.out, /\nSkill: +redact-pii@2\.0\.0\n/);
    assert.match(shown.err, /^You have several projects: .+ with --project\.\n$/);
    assert.match(chosen.out, /\nSkill: +redact-pii@1\.1\.0\n/);
    assert.equal(chosen.err, "");
  });

  it("let the example in the help run at the built-in registry", async () => {
    await writeFile(folder.path("pii.jsonl"), '{"text":"Mail a@example.com"}\n');
    const args = ["run", "pii.jsonl", "--skill", "redact-pii", "--yes", "--max-cents", "500"];
    const { code, err } = await folder.run(args);
    assert.equal(code, 0, err);
    assert.match(await readFile(folder.path("pii.jsonl.journal"), "utf8"), /redact-pii/);
  });
});

describe("a test run from the command line", () => {
  const folder = cliFolder();
  let local: Awaited<ReturnType<typeof startLocalRegistry>>;
  before(async () => {
    local = await startLocalRegistry({ projectKey: key });
    const cases = [{ name: "one", payload: { text: "Mail a@example.com" } }];
    const suite = JSON.stringify({ format: 1, skill: "redact-pii", cases });
    await writeFile(folder.path("pii.skill-suite.json"), suite);
  });
  after(() => local.close());
  const run = (token: string, ...args: string[]) =>
    folder.run(["test", "--test-run", ...args], {
      SKILL_REGISTRY_URL: local.baseUrl,
      SKILL_REGISTRY_USER_TOKEN: token,
    });

  it("needs consent to neither price nor key", async () => {
    const { code, err } = await run(local.userTokens.owner);
    assert.equal(code, 1);
    assert.match(err, /Price: none \(test runs are not billed\)/);
    assert.match(err, /with your sign-in instead of a Project Key/);
    assert.equal((await run(local.userTokens.owner, "--yes")).code, 0);
  });

  it("names the token's missing right, and explains that trying again does not help", async () => {
    const expired = await run(`shub_user_${"0".repeat(64)}`, "--yes");
    assert.deepEqual(
      [expired.code, expired.err],
      [
        2,
        `The user token is not accepted by ${local.baseUrl}. Set SKILL_REGISTRY_USER_TOKEN to a new one.\n`,
      ],
    );
    const finance = await run(local.userTokens.finance, "--yes");
    assert.equal(finance.code, 2);
    assert.match(finance.err, /^Your role at http:\S+ has no projects\. /);
  });
});

describe("a command line without a registry", () => {
  const folder = cliFolder();

  it("mentions that it uses the samples", async () => {
    const { code, err } = await folder.run(["show", "text-stats"], { SKILL_REGISTRY_URL: "" });
    assert.equal(code, 0);
    assert.equal(
      err,
      "Using the built-in registry with sample skills. Set SKILL_REGISTRY_URL for another one.\n",
    );
  });

  it("marks sample prices", async () => {
    const { out } = await folder.run(["show", "redact-pii"]);
    assert.match(out, /\nPrice: +.* \(sample\)\. The built-in registry bills nothing\n/);
    const { out: table } = await folder.run(["search", "redact"]);
    assert.match(table, / per_call \(sample\) /);
  });

  it("fails on a CI machine, unless the samples are requested", async () => {
    const ci = { SKILL_REGISTRY_URL: "", CI: "true" };
    const { code, err } = await folder.run(["show", "text-stats"], ci);
    assert.equal(code, 2);
    assert.match(err, /Set SKILL_REGISTRY_URL, or pass --registry built-in/);
    const meant = await folder.run(["show", "text-stats", "--registry", "built-in"], ci);
    assert.deepEqual([meant.code, meant.err], [0, ""]);
    assert.equal((await folder.run(["show", "text-stats"], { ...ci, CI: "false" })).code, 0);
  });
});

describe("a command's output in a terminal", () => {
  const folder = cliFolder();
  const shown = async (columns: number, ...args: string[]) => {
    const { out } = await folder.run(args, {}, undefined, "", undefined, undefined, columns);
    // Control sequences of colors take no room.
    return stripVTControlCharacters(out).trimEnd().split("\n");
  };

  for (const columns of [60, 80, 100, 200]) {
    it(`fits ${columns} columns`, async () => {
      const table = await shown(columns, "search");
      assert.deepEqual(
        table.filter(({ length }) => length > columns),
        [],
      );
      assert.match(table[0] ?? "", /^SLUG .*VERIFICATION .*PERMISSIONS/);
      // A hash is one word that cannot be wrapped.
      const lines = (await shown(columns, "show", "csv-profile")).filter(
        (line) => !line.includes("sha256"),
      );
      assert.deepEqual(
        lines.filter(({ length }) => length > columns),
        [],
      );
    });
  }
});
