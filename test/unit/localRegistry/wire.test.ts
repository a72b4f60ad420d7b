import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../src/core/json/jsonValue";
import { rawRequest } from "./rawRequest";
import { withRegistry } from "./withRegistry";

/** A request in short, the expected status, and the expected body: text, or members that it must have. */
type Row = readonly [
  request: string,
  body: string | JsonObject | undefined,
  status: number,
  answer: string | JsonObject,
];

const noRoute = "404 Not Found";
const noSlug = { error: "Missing skillSlug.", code: "missing_skill_slug" };
const noKey = { error: "Missing project API key.", code: "missing_api_key" };
const wrongKey = { error: "Invalid or revoked project API key.", code: "invalid_api_key" };
const notInstalled = {
  error: "Skill is not installed for this project.",
  code: "skill_not_installed",
  mode: "local",
};
const stats = { skillSlug: "text-stats", input: { text: "a" } };
const success = { status: "success" };

/** Requests; those with POST have the Project Key. */
const rows: readonly Row[] = [
  ["GET /", undefined, 404, noRoute],
  ["GET /v2/skills", undefined, 404, noRoute],
  ["GET /v1/skills", undefined, 404, noRoute],
  ["GET /v1/skills/csv-profile/", undefined, 404, noRoute],
  ["GET //x", undefined, 404, noRoute],
  ["POST /v1/skills/search", {}, 404, noRoute],
  ["DELETE /v1/skills/csv-profile", undefined, 404, noRoute],
  ["OPTIONS /v1/runtime/invoke", undefined, 404, noRoute],
  ["GET /v1/runtime/invoke", undefined, 404, noRoute],
  ["GET /health", undefined, 200, { status: "ok" }],
  ["GET /v1/stats", undefined, 200, { totalSkillRecords: 12, submittedSkills: 1 }],
  ["GET /v1/skills/nothing-here", undefined, 404, { error: "Skill not found." }],
  ["GET /v1/skills/toString", undefined, 404, { error: "Skill not found." }],
  ["GET /v1/skills/__proto__", undefined, 404, { error: "Skill not found." }],
  ["GET /v1/skills/%E0%A4%A", undefined, 404, { error: "Skill not found." }],
  ["GET /v1/skills/csv-profile?version=9.9.9", undefined, 404, { code: "version_not_found" }],
  ["GET /v1/skills/nothing-here/prices", undefined, 200, { prices: [] }],
  ["GET /v1/skills/nothing-here/feedback", undefined, 200, { feedback: [] }],
  ["GET /v1/skills/search?limit=ten&sort=x&runtime=y", undefined, 200, { total: 12 }],
  [
    "GET /v1/skills/search?cursor=x",
    undefined,
    400,
    { error: "cursor is not one this search gave." },
  ],

  ["POST /v1/runtime/invoke", stats, 200, success],
  ["POST /v1/runtime/invoke", { ...stats, version: "1.0.0" }, 200, success],
  ["POST /v1/runtime/invoke", { ...stats, version: null }, 200, success],
  ["POST /v1/runtime/invoke", { ...stats, version: "" }, 403, notInstalled],
  ["POST /v1/runtime/invoke", { ...stats, version: 1 }, 403, notInstalled],
  ["POST /v1/runtime/invoke", { skillSlug: "redact-pii", version: "2.0.0" }, 403, notInstalled],
  ["POST /v1/runtime/invoke", { skillSlug: "nothing-here" }, 403, notInstalled],
  ["POST /v1/runtime/invoke", { skillSlug: "constructor" }, 403, notInstalled],
  ["POST /v1/runtime/invoke", { skillSlug: "sql-format", input: 1 }, 502, { status: "error" }],
  ["POST /v1/runtime/invoke", {}, 400, noSlug],
  ["POST /v1/runtime/invoke", { skillSlug: "" }, 400, noSlug],
  ["POST /v1/runtime/invoke", { skillSlug: 7 }, 400, noSlug],
  ["POST /v1/runtime/invoke", "[]", 400, noSlug],
  ["POST /v1/runtime/invoke", "not JSON", 400, noSlug],
  ["POST /v1/runtime/invoke", "", 400, noSlug],
  ["POST /v1/runtime/invoke", '\uFEFF{"skillSlug":"text-stats"}', 400, noSlug],
  ["POST /v1/runtime/invoke", "null", 503, {}],
  ["POST /v1/runtime/invoke", sized(1024 * 1024), 502, { status: "error" }],
  ["POST /v1/runtime/invoke", sized(1024 * 1024 + 1), 413, { error: "Request body too large." }],
  [
    "POST /v1/runtime/invoke",
    `{"skillSlug":"json-diff","input":{"after":1,"before":${"[".repeat(500_000)}${"]".repeat(500_000)}}}`,
    400,
    { error: "Request body is nested too deeply." },
  ],
  [
    "POST /v1/runtime/invoke",
    `{"skillSlug":"text-stats","input":${"[".repeat(1_000_000)}`,
    400,
    {},
  ],
  ["POST /mcp", "[".repeat(1_000_000), 400, { error: "Request body is nested too deeply." }],
  [
    "POST /v1/runtime/invoke",
    { skillSlug: "text-stats", input: { text: `"${"[".repeat(5000)}\\` } },
    200,
    success,
  ],
];

describe("the registry's response", () => {
  const test = withRegistry();
  for (const [request, body, status, expected] of rows) {
    const given = typeof body === "string" ? body : JSON.stringify(body);
    it(`is ${status} to ${request}${given ? ` ${given.slice(0, 70)}` : ""}`, async () => {
      const [method = "", path = ""] = request.split(" ");
      const authorization = `Bearer ${test.registry.projectKey}`;
      const answer = await rawRequest(test.registry.baseUrl + path, {
        method,
        ...(given !== undefined && { body: given, headers: { authorization } }),
      });
      assert.equal(answer.status, status, answer.text);
      if (typeof expected === "string") {
        assert.deepEqual(
          [answer.text, answer.headers["content-type"]],
          [expected, "text/plain; charset=utf-8"],
        );
        return;
      }
      const json = answer.json as JsonObject;
      const part = Object.keys(expected).map((name) => [name, json[name]]);
      assert.deepEqual(Object.fromEntries(part), expected);
      const isError = status >= 400 && !("mode" in json) && !("code" in json);
      if (isError) assert.deepEqual(Object.keys(json), ["error"]);
    });
  }

  it("is 413 for 1 MiB without a stated length", async () => {
    const body = sized(1024 * 1024 + 1);
    const { status } = await test.invoke(body, { "transfer-encoding": "chunked" });
    assert.equal(status, 413);
  });
});

/** Returns an invocation of this length in bytes. */
function sized(bytes: number): string {
  const frame = JSON.stringify({ skillSlug: "text-stats", input: { text: "" } });
  return frame.replace('""', `"${"x".repeat(bytes - frame.length)}"`);
}

describe("the response to an invocation", () => {
  const test = withRegistry();
  const right = () => `Bearer ${test.registry.projectKey}`;
  const wrong = `Bearer skh_${"0".repeat(64)}`;
  // A missing key is reported before a missing slug, and that before a wrong key.
  const keys: readonly [string, () => string | undefined, JsonObject, number, JsonObject][] = [
    ["no key", () => undefined, stats, 401, noKey],
    ["no key and no slug", () => undefined, {}, 401, noKey],
    ["an empty key", () => "Bearer ", stats, 401, noKey],
    ["another scheme", () => "Basic c2toX3Rlc3Q6", stats, 401, noKey],
    ["the scheme in lower case", () => right().replace("B", "b"), stats, 401, noKey],
    ["a wrong key and no slug", () => wrong, {}, 400, noSlug],
    ["a wrong key", () => wrong, stats, 401, wrongKey],
    ["a short key", () => "Bearer skh_", stats, 401, wrongKey],
    ["a user token", () => "Bearer shub_user_1", stats, 401, wrongKey],
    ["the right key and no slug", right, {}, 400, noSlug],
  ];
  for (const [name, authorization, body, status, expected] of keys) {
    it(`is ${status} ${expected["code"]} with ${name}`, async () => {
      const given = authorization();
      const answer = await rawRequest(`${test.registry.baseUrl}/v1/runtime/invoke`, {
        method: "POST",
        headers: given === undefined ? {} : { authorization: given },
        body: JSON.stringify(body),
      });
      assert.deepEqual([answer.status, answer.json], [status, expected]);
      assert.equal(answer.headers["www-authenticate"], undefined);
    });
  }
});

/** A JSON-RPC request, whether it carries the key, a wrong one or none, and its result or error. */
type McpRow = readonly [
  message: unknown,
  key: "key" | "wrong key" | "no key",
  expected: (reply: JsonObject) => void,
];

const rpc = (method: string, params?: JsonObject) => ({ jsonrpc: "2.0", id: 7, method, params });
const isError = (code: number) => (reply: JsonObject) =>
  assert.equal((reply["error"] as JsonObject | undefined)?.["code"], code);
const result = (reply: JsonObject) => reply["result"] as JsonObject;
const toolOf = (reply: JsonObject, name: string) =>
  (result(reply)["tools"] as JsonObject[]).find((tool) => tool["name"] === name);

const mcpRows: readonly McpRow[] = [
  [
    rpc("initialize"),
    "wrong key",
    (reply) => {
      const { protocolVersion, capabilities } = result(reply);
      assert.deepEqual(
        [protocolVersion, capabilities],
        ["2024-11-05", { resources: {}, tools: {} }],
      );
    },
  ],
  [rpc("ping"), "no key", (reply) => assert.deepEqual(result(reply), {})],
  [
    rpc("tools/list"),
    "no key",
    (reply) => {
      assert.equal((result(reply)["tools"] as unknown[]).length, 12);
      assert.deepEqual(toolOf(reply, "redact-pii")?.["annotations"], {
        tags: ["privacy", "gdpr", "text"],
        version: "2.0.0",
        runtimeType: "http",
        permissionLevel: "low",
      });
    },
  ],
  [
    rpc("tools/list"),
    "key",
    (reply) => {
      assert.deepEqual(toolOf(reply, "vault-rotate")?.["annotations"], {
        projectSlug: "local-demo",
        tags: ["practice", "secrets", "rotation"],
        version: "1.2.0",
        runtimeType: "local",
        permissionLevel: "high",
        maxPermissionLevel: "medium",
        verificationStatus: "verified",
        installStatus: "installed",
        approvalRequired: false,
        allowNetwork: true,
        allowBrowser: false,
        filesystemAccess: "write",
        allowSecretAccess: true,
        monthlyBudgetCents: 0,
        spentThisMonthCents: 0,
        approvalState: "approved",
        callable: true,
      });
      // The pinned version with its own schema, and what waits for approval.
      const pinned = toolOf(reply, "redact-pii") as JsonObject;
      assert.equal((pinned["annotations"] as JsonObject)["version"], "1.1.0");
      assert.ok("mask" in ((pinned["inputSchema"] as JsonObject)["properties"] as JsonObject));
      const waiting = toolOf(reply, "status-notice")?.["annotations"] as JsonObject;
      assert.deepEqual([waiting["callable"], waiting["approvalState"]], [false, "owner_required"]);
    },
  ],
  [rpc("tools/list"), "wrong key", isError(-32001)],
  [
    rpc("tools/call", { name: "text-stats", arguments: { text: "a b" } }),
    "key",
    (reply) => {
      const { isError, structuredContent } = result(reply);
      assert.equal(isError, false);
      const { output, invocationId } = structuredContent as JsonObject;
      assert.deepEqual([(output as JsonObject)["words"], typeof invocationId], [2, "string"]);
    },
  ],
  [
    rpc("tools/call", { name: "text-stats" }),
    "no key",
    (reply) => {
      const { isError, structuredContent } = result(reply);
      assert.deepEqual([isError, structuredContent], [true, noKey]);
    },
  ],
  [rpc("tools/call", {}), "key", isError(-32602)],
  [rpc("resources/read", { uri: "skillhub://skills/nothing-here" }), "no key", isError(-32004)],
  [
    rpc("resources/read", { uri: "skillhub://skills/draft-writer" }),
    "no key",
    (reply) => assert.match(JSON.stringify(result(reply)), /2 secret handles required/),
  ],
  [rpc("prompts/list"), "no key", isError(-32601)],
  [{ jsonrpc: "2.0", method: "ping" }, "no key", isError(-32601)],
  [[rpc("ping")], "no key", isError(-32601)],
  [null, "no key", isError(-32601)],
  ["garbage", "no key", isError(-32601)],
];

describe("the /mcp route", () => {
  const test = withRegistry();
  const send = (message: unknown, key: string) => {
    const token = key === "key" ? test.registry.projectKey : "skh_wrong";
    return rawRequest(`${test.registry.baseUrl}/mcp`, {
      method: "POST",
      headers: key === "no key" ? {} : { authorization: `Bearer ${token}` },
      body: message === "garbage" ? message : JSON.stringify(message),
    });
  };
  for (const [message, key, expected] of mcpRows) {
    it(`answers ${JSON.stringify(message).slice(0, 90)} with ${key}`, async () => {
      const { status, json } = await send(message, key);
      assert.equal(status, 200);
      const hasId = typeof message === "object" && message !== null && "id" in message;
      assert.equal((json as JsonObject)["id"], hasId ? 7 : null);
      expected(json as JsonObject);
    });
  }

  it("answers 204 to the client's notification that it is ready", async () => {
    const { status, text } = await send(
      { jsonrpc: "2.0", method: "notifications/initialized" },
      "no key",
    );
    assert.deepEqual([status, text], [204, ""]);
  });

  it("counts tools/call in the same rate window", async () => {
    const call = rpc("tools/call", { name: "burst-limited", arguments: { text: "a" } });
    for (let count = 0; count < 3; count += 1) await send(call, "key");
    const { status, json } = await test.invoke({ skillSlug: "burst-limited", input: {} });
    assert.deepEqual([status, (json as JsonObject)["code"]], [403, "rate_limit_exceeded"]);
  });
});
