import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../../src/core/json/jsonValue";
import { assertHolds, demo, keyRoute, projects, text, withWorkspace } from "../withWorkspace";

describe("a project's keys", () => {
  const { test, send, ask } = withWorkspace();

  it("are shown once, work at once, and reset the project's name", async () => {
    const named = async () => {
      const { json } = await ask("owner", `GET ${projects}/local-demo`);
      return (json as { project: { project: JsonObject } }).project.project["name"];
    };
    assert.equal(await named(), "Local Demo");
    const { status, json } = await ask("developer", keyRoute, { name: "CI" });
    const { apiKey } = json as { apiKey: Record<string, string> };
    const { apiKey: key, id } = apiKey;
    assert.equal(status, 201);
    assert.match(key ?? "", /^skh_[0-9a-f]{64}$/);
    assert.equal(await named(), "Local Demo");
    const input = { text: "a" };
    const invoke = () => send(key, "POST /v1/runtime/invoke", { skillSlug: text, input });
    assert.equal((await invoke()).status, 200);

    const { json: list } = await ask("owner", `GET ${demo}/api-keys`);
    const { apiKeys } = list as { apiKeys: JsonObject[] };
    assert.deepEqual(
      apiKeys.map((one) => [one["name"], one["keyPrefix"], one["keyLast4"], one["lastUsedAt"]]),
      [
        ["CI", "skh", key?.slice(-4), "2026-11-20T10:00:00.000Z"],
        ["Built-in key", "skh", test.registry.projectKey.slice(-4), null],
      ],
    );
    assert.ok(!JSON.stringify(list).includes(key ?? ""));

    const revoke = { reason: "no longer needed" };
    const { json: row } = await ask("developer", `${keyRoute}/${id}/revoke`, revoke);
    assertHolds(row, { apiKey: { id, name: "CI", revokedAt: "2026-11-20T10:00:00.000Z" } });
    assertHolds((await invoke()).json, { code: "invalid_api_key" });
  });

  it("create a project for a misspelled slug", async () => {
    await ask("owner", "POST /v1/projects/lokal-demo/api-keys", {});
    const { json } = await ask("owner", `GET ${projects}`);
    const names = (json as { projects: JsonObject[] }).projects.map((one) => one["name"]);
    assert.deepEqual(names, ["Lokal Demo", "Local Demo"]);
  });
});
