import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../../src/core/json/jsonValue";
import { withRegistry } from "../withRegistry";

type Body = Record<string, unknown>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const text = { text: "One. Two." };

describe("invoking a skill", () => {
  let time = 1_000_000;
  const test = withRegistry({ now: () => time });

  it("runs it and records it", async () => {
    const { status, json } = await test.invoke({ skillSlug: "text-stats", input: text });
    const { invocationId, output, ...account } = json as Body;
    assert.equal(status, 200);
    assert.match(String(invocationId), uuid);
    assert.equal((output as Body)["words"], 2);
    assert.deepEqual(account, {
      mode: "local",
      projectSlug: "local-demo",
      skillSlug: "text-stats",
      version: "1.0.0",
      status: "success",
      latencyMs: 0,
      billable: false,
      amountCents: 0,
      currency: "USD",
    });
  });

  it("bills a priced skill after success, and runs the pinned version", async () => {
    const paid = (await test.invoke({ skillSlug: "redact-pii", input: text })).json as Body;
    assert.deepEqual([paid["version"], paid["billable"], paid["amountCents"]], ["1.1.0", true, 2]);
    const failed = (await test.invoke({ skillSlug: "redact-pii", input: {} })).json as Body;
    assert.deepEqual([failed["billable"], failed["amountCents"]], [false, 0]);
  });

  it("returns a failed run like a runtime with status 500, without a code", async () => {
    const url = "https://news.example/";
    const { status, json } = await test.invoke({ skillSlug: "flaky-fetch", input: { url } });
    const { invocationId, status: run, error, output, code } = json as Body;
    assert.match(String(invocationId), uuid);
    assert.deepEqual(
      [status, run, error, output, code],
      [
        502,
        "error",
        "Runtime returned 500.",
        { error: "news.example gave no answer after 3 tries." },
        undefined,
      ],
    );
  });

  it("does not check the input before the run", async () => {
    for (const input of [undefined, null, [], "text", 7, {}, { text: {} }]) {
      const { status, json } = await test.invoke({ skillSlug: "text-stats", input });
      assert.deepEqual([status, (json as Body)["status"]], [502, "error"]);
    }
  });

  const gates: readonly (readonly [
    slug: string,
    code: string,
    error: string,
    policy: JsonObject,
  ])[] = [
    [
      "vault-rotate",
      "permission_level_exceeded",
      "Skill permission level exceeds project policy.",
      { permissionLevel: "high", maxPermissionLevel: "medium" },
    ],
    [
      "draft-writer",
      "skill_not_verified",
      "Skill must be verified before runtime invocation.",
      { permissionLevel: "high", maxPermissionLevel: "high", verificationStatus: "submitted" },
    ],
    [
      "status-notice",
      "skill_not_approved",
      "Skill install requires project owner approval.",
      { permissionLevel: "high", maxPermissionLevel: "high", approvalState: "owner_required" },
    ],
  ];
  for (const [skillSlug, code, error, expected] of gates) {
    it(`blocks ${skillSlug} with ${code}`, async () => {
      const { status, json } = await test.invoke({ skillSlug, input: {} });
      const { invocationId, policy, ...rest } = json as Body;
      assert.deepEqual([status, rest], [403, { error, code, mode: "local" }]);
      assert.match(String(invocationId), uuid);
      assert.deepEqual(policy, {
        ok: false,
        code,
        message: error,
        installStatus: "installed",
        approvalState: "approved",
        verificationStatus: "verified",
        ...expected,
      });
    });
  }

  it("reports for a missing subscription that the policy allows the invocation", async () => {
    const { status, json } = await test.invoke({ skillSlug: "market-data", input: {} });
    const { code, policy } = json as Body & { policy: Body };
    assert.deepEqual([status, code], [403, "subscription_required"]);
    assert.deepEqual([policy["ok"], policy["code"]], [true, "allowed"]);
    assert.deepEqual(policy["subscription"], {
      ok: false,
      code: "subscription_required",
      message: "This subscription skill requires an active project subscription.",
      billingModel: "subscription",
    });
  });

  it("blocks a fourth invocation a minute, and counts rejected ones", async () => {
    const call = async (seconds: number) => {
      time = 5_000_000 + seconds * 1000;
      const { status, json, headers } = await test.invoke({
        skillSlug: "burst-limited",
        input: text,
      });
      const { code, policy } = json as Body & { policy?: Body };
      assert.equal(code, status === 403 ? "rate_limit_exceeded" : undefined);
      assert.equal(headers["retry-after"], undefined);
      return [status, policy?.["rateLimit"]];
    };
    const blocked = [403, { ok: false, limit: 3, used: 3 }];
    for (const second of [0, 10, 20]) assert.deepEqual(await call(second), [200, undefined]);
    assert.deepEqual(await call(30), blocked);
    // 0 has left the window at 60; 10, 20 and the refused 30 are still in it.
    assert.deepEqual(await call(60), blocked);
    assert.deepEqual(await call(79), blocked);
    // Of 30, 60 and 79 the first leaves at 90.
    assert.deepEqual(await call(90), [200, undefined]);
    assert.deepEqual(await call(200), [200, undefined]);
  });

  it("answers the next request on a connection whose last body was too large", async () => {
    for (const [length, expected] of [
      [3_000_000, 413],
      [1000, 200],
    ] as const) {
      const { status } = await fetch(`${test.registry.baseUrl}/v1/runtime/invoke`, {
        method: "POST",
        headers: { authorization: `Bearer ${test.registry.projectKey}` },
        body: JSON.stringify({ skillSlug: "text-stats", input: { text: "x".repeat(length) } }),
      });
      assert.equal(status, expected);
    }
  });
});
