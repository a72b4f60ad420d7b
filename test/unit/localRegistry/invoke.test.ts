import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { rawRequest } from "./rawRequest";
import { withRegistry } from "./withRegistry";

type Body = Record<string, unknown>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const text = { text: "One. Two." };

describe("invoking a skill", () => {
  let time = 1_000_000;
  const test = withRegistry({ now: () => time });
  const url = () => `${test.registry.baseUrl}/v1/runtime/invoke`;

  it("runs it and accounts for the call", async () => {
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

  it("bills a call that costs something, if it succeeds", async () => {
    const paid = (await test.invoke({ skillSlug: "redact-pii", input: text })).json as Body;
    assert.deepEqual([paid["billable"], paid["amountCents"]], [true, 2]);
    const failed = (await test.invoke({ skillSlug: "redact-pii", input: {} })).json as Body;
    assert.deepEqual([failed["billable"], failed["amountCents"]], [false, 0]);
  });

  it("runs the version that is asked for", async () => {
    const ask = (version: string | null, input: object) =>
      test.invoke({ skillSlug: "csv-profile", version, input });
    const old = (await ask("1.0.0", { text: "a\n1" })).json as Body;
    assert.deepEqual([old["status"], old["version"]], ["success", "1.0.0"]);
    for (const none of ["", null]) {
      const current = (await ask(none, { csv: "a\n1" })).json as Body;
      assert.deepEqual([current["status"], current["version"]], ["success", "2.0.0"]);
    }
  });

  it("records and meters a version that runs elsewhere", async () => {
    const { status, json } = await test.invoke({
      skillSlug: "sql-format",
      version: "1.0.0",
      input: { sql: "select 1", dialect: "sqlite" },
    });
    assert.equal(status, 200);
    assert.equal(((json as Body)["output"] as Body)["mode"], "metered_contract");
  });

  it("gives a failed run an ID and no output", async () => {
    const { status, json } = await test.invoke({
      skillSlug: "flaky-fetch",
      input: { url: "https://news.example/" },
    });
    const body = json as Body;
    assert.equal(status, 502);
    assert.match(String(body["invocationId"]), uuid);
    assert.deepEqual(
      [body["status"], body["error"], "output" in body],
      ["error", "news.example gave no answer after 3 tries.", false],
    );
  });

  it("does not check the input before the run", async () => {
    for (const input of [undefined, null, [], "text", 7, {}, { text: {} }]) {
      const { status, json } = await test.invoke({ skillSlug: "text-stats", input });
      assert.deepEqual([status, (json as Body)["status"]], [502, "error"]);
    }
  });

  const refusals: [string, unknown, number, string][] = [
    ["no slug", {}, 400, "missing_skill_slug"],
    ["an empty slug", { skillSlug: "" }, 400, "missing_skill_slug"],
    ["a slug that is no text", { skillSlug: 7 }, 400, "missing_skill_slug"],
    ["a list", [], 400, "missing_skill_slug"],
    ["null", null, 400, "missing_skill_slug"],
    ["an unknown skill", { skillSlug: "nothing-here" }, 404, "skill_not_found"],
    ["an inherited name", { skillSlug: "constructor" }, 404, "skill_not_found"],
    ["an unknown version", { skillSlug: "text-stats", version: "9.9.9" }, 404, "version_not_found"],
    ["a version that is no text", { skillSlug: "text-stats", version: 1 }, 400, "invalid_version"],
    ["text that is not JSON", "{skillSlug:1}", 400, "invalid_json"],
    ["an empty body", "", 400, "invalid_json"],
    ["a byte order mark", '\uFEFF{"skillSlug":"text-stats"}', 400, "invalid_json"],
  ];
  for (const [name, body, status, code] of refusals) {
    it(`refuses ${name} with ${code}`, async () => {
      const answer = await test.invoke(body);
      assert.deepEqual([answer.status, (answer.json as Body)["code"]], [status, code]);
      assert.equal(typeof (answer.json as Body)["error"], "string");
    });
  }

  it("refuses invalid UTF-8", async () => {
    const answer = await rawRequest(url(), {
      method: "POST",
      headers: { authorization: `Bearer ${test.registry.projectKey}` },
      body: Buffer.from([0x22, 0xff, 0x22]),
    });
    assert.deepEqual([answer.status, (answer.json as Body)["code"]], [400, "invalid_json"]);
  });

  it("refuses a compressed body", async () => {
    const answer = await test.invoke({ skillSlug: "text-stats" }, { "content-encoding": "gzip" });
    assert.deepEqual([answer.status, (answer.json as Body)["code"]], [415, "unsupported_encoding"]);
  });

  describe("with a body of a certain size", () => {
    const bodyOf = (bytes: number) => {
      const frame = JSON.stringify({ skillSlug: "text-stats", input: { text: "" } });
      return frame.replace('""', `"${"x".repeat(bytes - frame.length)}"`);
    };

    it("takes 1 MiB", async () => {
      const { status, json } = await test.invoke(bodyOf(1024 * 1024));
      assert.deepEqual([status, (json as Body)["status"]], [502, "error"]);
    });

    it("refuses a byte more, announced or not", async () => {
      for (const headers of [{}, { "transfer-encoding": "chunked" }] as Record<string, string>[]) {
        const { status, json } = await test.invoke(bodyOf(1024 * 1024 + 1), headers);
        assert.deepEqual([status, (json as Body)["code"]], [413, "body_too_large"]);
      }
    });

    it("answers the next call on the same connection", async () => {
      for (const body of [
        bodyOf(3_000_000),
        JSON.stringify({ skillSlug: "text-stats", input: text }),
      ]) {
        const { status } = await fetch(url(), {
          method: "POST",
          headers: { authorization: `Bearer ${test.registry.projectKey}` },
          body,
        });
        assert.equal(status, body.length > 1024 * 1024 ? 413 : 200);
      }
    });
  });

  const keys: [string, string | undefined, string][] = [
    ["no key", undefined, "missing_api_key"],
    ["an empty key", "Bearer ", "missing_api_key"],
    ["another scheme", "Basic c2toX3Rlc3Q6", "missing_api_key"],
    ["a wrong key", `Bearer skh_${"0".repeat(64)}`, "invalid_api_key"],
    ["a short key", "Bearer skh_", "invalid_api_key"],
    ["a user token", "Bearer shub_user_1", "invalid_api_key"],
  ];
  for (const [name, authorization, code] of keys) {
    it(`refuses ${name}`, async () => {
      const answer = await rawRequest(url(), {
        method: "POST",
        headers: authorization === undefined ? {} : { authorization },
        body: JSON.stringify({ skillSlug: "text-stats", input: text }),
      });
      assert.deepEqual([answer.status, (answer.json as Body)["code"]], [401, code]);
      assert.match(answer.headers["www-authenticate"] ?? "", /^Bearer/);
      assert.ok(!answer.text.includes("skh_"));
    });
  }

  it("takes the scheme in any case", async () => {
    const authorization = `bearer ${test.registry.projectKey}`;
    const { status } = await test.invoke(
      { skillSlug: "text-stats", input: text },
      { authorization },
    );
    assert.equal(status, 200);
  });

  const gates: [string, string | undefined, string, Body][] = [
    ["vault-rotate", undefined, "permission_level_exceeded", { permissionLevel: "high" }],
    ["vault-rotate", "1.0.0", "permission_level_exceeded", { permissionLevel: "high" }],
    ["draft-writer", undefined, "skill_not_verified", { verificationStatus: "submitted" }],
    ["market-data", undefined, "subscription_required", { subscription: "none" }],
  ];
  for (const [skillSlug, version, code, expected] of gates) {
    it(`blocks ${skillSlug} ${version ?? ""} with ${code}`, async () => {
      const { status, json } = await test.invoke({ skillSlug, version, input: {} });
      const { error, invocationId, policy, ...rest } = json as Body & { policy: Body };
      assert.equal(status, 403);
      assert.deepEqual(rest, { code, mode: "local" });
      assert.match(String(invocationId), uuid);
      const { message, ...verdict } = policy;
      assert.equal(message, error);
      assert.deepEqual(verdict, {
        ok: false,
        code,
        permissionLevel: "medium",
        maxPermissionLevel: "medium",
        installStatus: "active",
        approvalState: "approved",
        verificationStatus: "verified",
        ...(skillSlug === "draft-writer" ? { permissionLevel: "high" } : {}),
        ...expected,
      });
    });
  }

  it("blocks a fourth call a minute, and refused calls count", async () => {
    const call = async (seconds: number) => {
      time = 5_000_000 + seconds * 1000;
      const { status, json } = await test.invoke({ skillSlug: "burst-limited", input: text });
      const { code, policy } = json as Body & { policy?: Body };
      assert.equal(code, status === 403 ? "rate_limit_exceeded" : undefined);
      return [status, policy?.["rateLimit"]];
    };
    const blocked = (used: number) => [403, { ok: false, limit: 3, used }];
    for (const second of [0, 10, 20]) assert.deepEqual(await call(second), [200, undefined]);
    assert.deepEqual(await call(30), blocked(4));
    // 0 has left the window at 60; 10, 20 and the refused 30 are still in it.
    assert.deepEqual(await call(60), blocked(4));
    assert.deepEqual(await call(79), blocked(4));
    // Of 30, 60 and 79 the first leaves at 90.
    assert.deepEqual(await call(90), [200, undefined]);
    assert.deepEqual(await call(200), [200, undefined]);
  });
});
