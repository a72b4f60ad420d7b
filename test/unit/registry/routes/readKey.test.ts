import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import type { KeyReading } from "../../../../src/core/invocation/permission/canInvoke";
import { startLocalRegistry } from "../../../../src/localRegistry/startLocalRegistry";
import { RegistryClient } from "../../../../src/registry/registryClient";
import { plainNetwork } from "../../../fixtures/registries/clientFor";
import {
  type Answer,
  startTestRegistry,
  type TestRegistry,
} from "../../../fixtures/registries/testRegistry";

const never = new AbortController().signal;
const key = `skh_${"7".repeat(64)}`;

function clientOf(baseUrl: string): RegistryClient {
  return new RegistryClient({
    baseUrl,
    network: plainNetwork,
    requestTimeoutSeconds: 5,
    invokeTimeoutSeconds: 5,
    maxResponseBytes: 1_000_000,
  });
}

const list = (tools: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools } });
const rpcError = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } });
const json = "application/json";

describe("a check of a key that costs nothing", () => {
  it("distinguishes the right key from a wrong one at the embedded registry", async () => {
    const registry = await startLocalRegistry({ projectKey: key });
    const client = clientOf(registry.baseUrl);
    try {
      const right = await client.readKey(key, never);
      assert.ok(right.kind === "accepted" && right.skills > 10);
      assert.deepEqual(new Map(right.listed).get("vault-rotate"), {
        callable: true,
        projectSlug: "local-demo",
        installStatus: "installed",
        version: "1.2.0",
        permissionLevel: "high",
        maxPermissionLevel: "medium",
        approvalState: "approved",
        verificationStatus: "verified",
        approvalRequired: false,
        allowNetwork: true,
        allowBrowser: false,
        filesystemAccess: "write",
        allowSecretAccess: true,
        monthlyBudgetCents: 0,
        spentThisMonthCents: 0,
      });
      assert.equal(right.complete, true);
      const wrong = await client.readKey(`skh_${"8".repeat(64)}`, never);
      assert.deepEqual(wrong, { kind: "refused" });
    } finally {
      client.close();
      await registry.close();
    }
  });

  let server: TestRegistry;
  let answer: Answer = {};
  before(async () => {
    server = await startTestRegistry({ "**": () => answer });
  });
  after(() => server.close());

  const cases: readonly (readonly [
    name: string,
    status: number,
    type: string,
    body: string,
    expected: KeyReading,
  ])[] = [
    ["403", 403, json, "{}", { kind: "refused" }],
    ["no such route", 404, json, '{"error":"Not found."}', { kind: "unknown" }],
    ["a redirect", 307, json, "", { kind: "unknown" }],
    ...[200, 401, 403].map(
      (status) =>
        [
          `a page with ${status}`,
          ...([status, "text/html", "<p>Hello"] as const),
          { kind: "failed", failure: { kind: "notRegistry", status, mediaType: "text/html" } },
        ] as const,
    ),
    ["an unknown shape", 200, json, list({ a: 1 }), { kind: "unknown" }],
    ["the list that everybody gets", 200, json, list([{ name: "a" }]), { kind: "unknown" }],
    [
      "a key without skills",
      200,
      json,
      list([]),
      { kind: "accepted", skills: 0, listed: [], complete: true },
    ],
    [
      "the gateway's answer to a wrong key",
      200,
      json,
      rpcError(-32001, "Invalid or revoked project API key."),
      { kind: "refused" },
    ],
    [
      "the gateway's answer while its database is down",
      200,
      json,
      rpcError(-32002, `connect ECONNREFUSED for ${key}`),
      {
        kind: "failed",
        failure: {
          kind: "errorAnswer",
          status: 200,
          code: "-32002",
          message: "connect ECONNREFUSED for [Project Key]",
        },
      },
    ],
    ["an unknown method", 200, json, rpcError(-32601, "No."), { kind: "unknown" }],
    ["an error without a code", 200, json, '{"error":{}}', { kind: "unknown" }],
    [
      "a server that is down",
      503,
      json,
      "",
      { kind: "failed", failure: { kind: "errorAnswer", status: 503 } },
    ],
    [
      "a list that goes on elsewhere",
      200,
      json,
      '{"result":{"tools":[],"nextCursor":"2"}}',
      { kind: "accepted", skills: 0, listed: [], complete: false },
    ],
    [
      "callable and other skills, as a stream",
      200,
      "text/event-stream",
      `event: message\r\ndata: ${list([{ annotations: { callable: true } }, { annotations: { callable: false } }])}\r\n\r\n`,
      { kind: "accepted", skills: 1, listed: [], complete: false },
    ],
    [
      "what the policy says, in whichever dialect, by name or slug",
      200,
      json,
      list([
        {
          name: "a-skill",
          annotations: { callable: true, maxPermissionLevel: "low", approvalState: "pending" },
        },
        { name: "tool 2", annotations: { callable: false, skill_slug: "b-skill" } },
        {
          name: "c",
          annotations: { callable: "true", install_status: "paused", version: "1.0.0" },
        },
        { name: "no skill's name", annotations: { callable: true } },
        { name: "public" },
        "nonsense",
      ]),
      {
        kind: "accepted",
        skills: 3,
        complete: false,
        listed: [
          ["a-skill", { callable: true, maxPermissionLevel: "low", approvalState: "pending" }],
          ["b-skill", { callable: false }],
          ["c", { callable: true, version: "1.0.0", installStatus: "paused" }],
        ],
      },
    ],
    [
      "no version that is more than a word",
      200,
      json,
      list([{ name: "a", annotations: { callable: true, version: "1.0.0, which you may trust" } }]),
      { kind: "accepted", skills: 1, complete: true, listed: [["a", { callable: true }]] },
    ],
    [
      "a key sent back in every word",
      200,
      json,
      list([
        { name: key, annotations: { callable: true, installStatus: `x ${key}` } },
        { name: "d", annotations: { callable: true, approvalState: key } },
      ]),
      {
        kind: "accepted",
        skills: 2,
        complete: false,
        listed: [["d", { callable: true, approvalState: "[Project Key]" }]],
      },
    ],
  ];
  for (const [name, status, type, body, expected] of cases) {
    it(`reads ${name}`, async () => {
      const location = "https://elsewhere.example/mcp";
      answer = { status, headers: { "content-type": type, location }, body };
      const client = clientOf(server.baseUrl);
      const before = server.requests.length;
      assert.deepEqual(await client.readKey(key, never), expected);
      client.close();
      const sent = server.requests.slice(before);
      assert.deepEqual(
        sent.map(({ method, path, headers }) => [method, path, headers.authorization]),
        [["POST", "/mcp", `Bearer ${key}`]],
      );
    });
  }

  it("sends nothing for an invalid key", async () => {
    const client = clientOf(server.baseUrl);
    const before = server.requests.length;
    assert.deepEqual(await client.readKey("shub_user_1", never), { kind: "unknown" });
    client.close();
    assert.equal(server.requests.length, before);
  });

  it("explains why the registry did not respond", async () => {
    const client = clientOf("http://127.0.0.1:9");
    assert.deepEqual(await client.readKey(key, never), {
      kind: "failed",
      failure: { kind: "unreachable", cause: "refused", detail: "ECONNREFUSED" },
    });
    assert.deepEqual(await client.readKey(key, AbortSignal.abort()), {
      kind: "failed",
      failure: { kind: "cancelled" },
    });
    client.close();
  });
});
