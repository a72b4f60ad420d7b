import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { rawRequest } from "./rawRequest";
import { withRegistry } from "./withRegistry";

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly type: string };
  readonly annotations?: Readonly<Record<string, unknown>>;
}

describe("the /mcp route", () => {
  const test = withRegistry();
  const send = (message: unknown, key?: string) =>
    rawRequest(`${test.registry.baseUrl}/mcp`, {
      method: "POST",
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      body: JSON.stringify(message),
    });
  const call = async (method: string, key?: string) => {
    const { status, json } = await send({ jsonrpc: "2.0", id: 7, method }, key);
    assert.equal(status, 200);
    const { id, ...reply } = json as { id: number; result?: { tools: Tool[] }; error?: unknown };
    assert.equal(id, 7);
    return reply;
  };

  it("lists the public skills without a key", async () => {
    const { result } = await call("tools/list");
    assert.equal(result?.tools.length, 16);
    assert.ok(result?.tools.every(({ inputSchema }) => inputSchema.type === "object"));
    assert.ok(result?.tools.every(({ annotations }) => annotations === undefined));
  });

  it("says with the key what the project may call", async () => {
    const { result } = await call("tools/list", test.registry.projectKey);
    const vault = result?.tools.find(({ name }) => name === "vault-rotate");
    assert.deepEqual(vault?.annotations, {
      callable: true,
      installStatus: "active",
      approvalState: "approved",
      version: "1.2.0",
      verificationStatus: "verified",
      permissionLevel: "high",
      maxPermissionLevel: "medium",
    });
  });

  it("refuses a wrong key", async () => {
    const { status, json } = await send({ jsonrpc: "2.0", id: 1, method: "ping" }, "skh_wrong");
    assert.deepEqual([status, (json as { code: string }).code], [401, "invalid_api_key"]);
  });

  it("answers initialize and ping, takes notifications, and knows nothing else", async () => {
    assert.ok("protocolVersion" in ((await call("initialize")).result ?? {}));
    assert.deepEqual(await call("ping"), { jsonrpc: "2.0", result: {} });
    const taken = await send({ jsonrpc: "2.0", method: "notifications/initialized" });
    assert.deepEqual([taken.status, taken.text], [202, ""]);
    assert.equal(((await call("tools/call")).error as { code: number }).code, -32601);
  });

  for (const message of [[], null, { id: 1, method: "ping" }, { jsonrpc: "2.0", id: 1 }]) {
    it(`refuses ${JSON.stringify(message)}`, async () => {
      assert.equal((await send(message)).status, 400);
    });
  }
});
