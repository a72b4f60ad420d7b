import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import { english } from "../../../../src/core/text/language";
import { ChangeEvent } from "../../../../src/engine/changeEvent";
import { PolicyCache } from "../../../../src/host/connect/policyCache";
import type { ConnectedRegistry } from "../../../../src/host/connect/registryConnection";
import { SkillDetails, versionsInUse } from "../../../../src/host/inspect/skillDetails";
import { KeyVersions } from "../../../../src/host/keys/keyVersions";
import { clientFor } from "../../../fixtures/registries/clientFor";
import { plainManifest } from "../../../fixtures/registries/manifestRegistry";
import { startTestRegistry, type TestRegistry } from "../../../fixtures/registries/testRegistry";
import { memento } from "../workspace/memorySecrets";

const key = `skh_${"7".repeat(64)}`;
const minute = 60_000;

describe("the versions of a Project Key without a signed-in user", () => {
  let server: TestRegistry;
  const opened: { dispose(): unknown }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) one.dispose();
    await server.close();
  });

  /** Opens a registry that publishes 2.0.0 of `abc` and nothing of `own`; `state` has what the key's project runs. */
  async function open({ stored = key } = {}) {
    const clock = { now: Date.now() };
    const state = { abc: "1.0.0", hasList: true };
    const tool = (name: string, version: string) => ({
      name,
      title: "Draft",
      description: "Of a draft.",
      inputSchema: { type: "object", title: version },
      annotations: { callable: true, version, projectSlug: "site", installStatus: "installed" },
    });
    server = await startTestRegistry({
      "/v1/skills/abc": { body: plainManifest("abc", { version: "2.0.0" }) },
      "/mcp": () => {
        const tools = [tool("abc", state.abc), tool("own", "0.1.0")];
        if (!state.hasList) return { status: 404, body: { error: "Not found." } };
        return { body: { jsonrpc: "2.0", id: 1, result: { tools } } };
      },
    });
    const { baseUrl } = server;
    const client = clientFor(baseUrl);
    const registry = { baseUrl, origin: baseUrl, client, isBuiltIn: false } as ConnectedRegistry;
    const connected = new ChangeEvent<void>();
    const connection = {
      current: async () => ({ ok: true as const, registry }),
      onDidChange: connected.event,
    };
    const nobody = { pinOf: async () => undefined, onDidChange: new ChangeEvent<void>().event };
    const policies = new PolicyCache(memento());
    const versions = new KeyVersions(
      {
        connection,
        keys: { find: async () => stored || undefined },
        policies,
      },
      () => clock.now,
    );
    const used = versionsInUse(nobody, versions);
    const details = new SkillDetails(connection, english, () => {}, used);
    opened.push(details, versions, { dispose: () => client.close() });
    const find = async (slug: string) => {
      const found = await details.find(slug);
      assert.ok(found.ok, JSON.stringify(found));
      return found.value;
    };
    const removeKey = () => policies.forget(registry);
    return { details, find, clock, state, removeKey };
  }

  const lists = () => server.requests.filter(({ path }) => path === "/mcp").length;

  it("come from the registry's list for the key, with public facts and no draft's texts", async () => {
    const { find } = await open();
    const { summary, inputSchema, permissions, pinned, latestVersion } = await find("abc");
    assert.deepEqual(
      [summary.version, summary.displayName, summary.description],
      ["1.0.0", "abc", "Takes what its schema says."],
    );
    assert.deepEqual(inputSchema, { type: "object", title: "1.0.0" });
    assert.deepEqual([permissions, latestVersion], [undefined, "2.0.0"]);
    assert.deepEqual(pinned, { version: "1.0.0", project: "site" });
  });

  it("are known for a skill without a public page", async () => {
    const { details, find } = await open();
    assert.equal(await details.exists("own"), true);
    const { summary } = await find("own");
    assert.deepEqual(
      [summary.version, summary.displayName, summary.description],
      ["0.1.0", "own", ""],
    );
  });

  it("are the public ones, complete, once the project has adopted the newest", async () => {
    const { details, find, state } = await open();
    await find("abc");
    state.abc = "2.0.0";
    details.forgetAll();
    const { summary, permissions, pinned } = await find("abc");
    assert.equal(summary.version, "2.0.0");
    assert.equal(permissions?.network, false);
    assert.deepEqual(pinned, { version: "2.0.0", project: "site" });
  });

  it("cost one request in a quarter of an hour, even without such a list", async () => {
    const { details, clock, state } = await open();
    state.hasList = false;
    for (const _ of [1, 2, 3]) {
      details.forgetAll();
      await details.find("abc");
    }
    assert.equal(lists(), 1);
    clock.now += 16 * minute;
    details.forgetAll();
    await details.find("abc");
    assert.equal(lists(), 2);
  });

  it("are read again after the key was removed and set again", async () => {
    const { details, find, removeKey } = await open();
    await find("abc");
    await removeKey();
    details.forgetAll();
    assert.deepEqual((await find("abc")).pinned, { version: "1.0.0", project: "site" });
  });

  it("are not read without a key", async () => {
    const { find } = await open({ stored: "" });
    assert.equal((await find("abc")).summary.version, "2.0.0");
    assert.equal(lists(), 0);
  });
});
