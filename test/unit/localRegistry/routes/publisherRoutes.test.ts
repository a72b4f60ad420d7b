import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { reviewMs } from "../../../../src/localRegistry/project/publishing";
import { rawRequest } from "../rawRequest";
import { withRegistry } from "../withRegistry";

const object = { type: "object", properties: { text: { type: "string" } } };
const draft = {
  schemaVersion: "0.1",
  name: "word-count",
  displayName: "Word count",
  version: "1.0.0",
  description: "Counts the words of a text, for agents that write to a limit.",
  tags: ["text"],
  runtime: { type: "http", entrypoint: "https://run.example/words" },
  permissions: { network: false, browser: false, filesystem: "none", secrets: [] as string[] },
  inputSchema: object,
  outputSchema: object,
};
const { tags: _, ...tagless } = draft;

/** Manifests that the gateway rejects, with the reason in its response. */
const refused: Readonly<Record<string, readonly [manifest: unknown, reason: RegExp]>> = {
  "no manifest": [undefined, /manifest is missing/],
  "a missing member": [tagless, /lacks tags/],
  "another format": [{ ...draft, schemaVersion: "1" }, /schemaVersion/],
  "a name that is no slug": [{ ...draft, name: "Word Count" }, /name must be a slug/],
  "a name of one letter": [{ ...draft, name: "w" }, /skills_slug_format_check/],
  "no display name": [{ ...draft, displayName: " " }, /displayName/],
  "no description": [{ ...draft, description: "" }, /description/],
  "a version of two numbers": [{ ...draft, version: "1.0" }, /version must be a semantic version/],
  "no tags": [{ ...draft, tags: [] }, /at least one tag/],
  "an unknown runtime": [{ ...draft, runtime: { type: "wasm" } }, /runtime must have a type/],
  "a runtime without an entry": [
    { ...draft, runtime: { type: "mcp" } },
    /runtime must have a type/,
  ],
  "a permission of another type": [
    { ...draft, permissions: { ...draft.permissions, network: "no" } },
    /permissions must have/,
  ],
  "a schema that is no object": [{ ...draft, inputSchema: "object" }, /inputSchema must be/],
  "the slug of another organization": [{ ...draft, name: "text-stats" }, /Another organization/],
};

describe("Publishing at the built-in registry", () => {
  const clock = { now: Date.parse("2026-11-20T10:00:00Z") };
  const test = withRegistry({ now: () => clock.now });
  const versions = "/v1/publisher/skills/word-count/versions";

  async function ask(
    method: string,
    path: string,
    body?: object,
    token = test.registry.userTokens.owner,
  ) {
    const { status, json } = await rawRequest(test.registry.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status, body: json as Record<string, unknown> };
  }
  const states = async () => {
    const { body } = await ask("GET", versions);
    return (body["versions"] as Record<string, unknown>[]).map(
      ({ version, status, reviewStatus }) => `${version} ${status} ${reviewStatus}`,
    );
  };

  for (const [what, [manifest, reason]] of Object.entries(refused)) {
    it(`rejects ${what}`, async () => {
      const { status, body } = await ask("POST", "/v1/skills", { manifest });
      assert.equal(status, 400);
      assert.match(String(body["error"]), reason);
      assert.deepEqual((await ask("GET", "/v1/publisher/skills")).body, { skills: [] });
    });
  }

  it("rejects roles that cannot publish, a Project Key, and missing credentials", async () => {
    const { userTokens, projectKey } = test.registry;
    const tokens = [userTokens.developer, userTokens.finance, projectKey, "nothing"];
    const answers = await Promise.all(
      tokens.map((token) => ask("GET", versions, undefined, token)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 403, 401, 401],
    );
  });

  it("accepts the same manifests as the gateway, even against its own schema", async () => {
    const loose = { ...draft, version: "0.0.1garbage", description: "x", homepage: 1, author: 2 };
    const permissions = { ...draft.permissions, secrets: ["*"] };
    const saved = await ask("POST", "/v1/skills", {
      manifest: { ...loose, permissions, outputSchema: [] },
    });
    assert.equal(saved.status, 201, JSON.stringify(saved.body));
  });

  it("requires the name in the route", async () => {
    const { status } = await ask("POST", "/v1/publisher/skills/other/versions", {
      manifest: draft,
    });
    assert.equal(status, 400);
  });

  it("reviews a submitted version within a minute: warnings reject it, everything else is approved and locked", async () => {
    const warned = { ...draft, description: "Counts the words of a text." };
    assert.equal((await ask("POST", versions, { manifest: warned })).status, 201);
    assert.equal((await states())[0], "1.0.0 draft null");
    const submitted = await ask("POST", `${versions}/1.0.0/submit`, {});
    assert.equal(submitted.status, 201);
    assert.equal((await ask("POST", `${versions}/1.0.0/submit`, {})).status, 201);
    assert.equal((await states())[0], "1.0.0 submitted queued");
    clock.now += reviewMs;
    assert.equal((await states())[0], "1.0.0 rejected rejected");
    await ask("POST", versions, { manifest: draft });
    await ask("POST", `${versions}/1.0.0/submit`, {});
    clock.now += reviewMs;
    assert.equal((await states())[0], "1.0.0 verified approved");
    const { status, body } = await ask("POST", versions, { manifest: draft });
    assert.deepEqual([status, /locked/.test(String(body["error"]))], [400, true]);
  });

  it("keeps the checks of a version that is overwritten during review, as the gateway does", async () => {
    const next = { ...draft, version: "1.1.0" };
    await ask("POST", versions, { manifest: next });
    await ask("POST", `${versions}/1.1.0/submit`, {});
    const permissions = { ...draft.permissions, secrets: ["*"] };
    assert.equal((await ask("POST", versions, { manifest: { ...next, permissions } })).status, 201);
    clock.now += reviewMs;
    assert.equal((await states())[0], "1.1.0 verified approved");
  });

  it("submits no missing version, and lists none of another publisher's skill", async () => {
    assert.equal((await ask("POST", `${versions}/9.0.0/submit`, {})).status, 400);
    const foreign = await ask("GET", "/v1/publisher/skills/text-stats/versions");
    assert.deepEqual([foreign.status, foreign.body], [200, { versions: [] }]);
  });
});
