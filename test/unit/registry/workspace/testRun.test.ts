import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import type { Invocation, InvocationOutcome } from "../../../../src/core/invocation/invocation";
import { outcomeNotice } from "../../../../src/core/invocation/outcomeNotice";
import { english } from "../../../../src/core/text/language";
import { startLocalRegistry } from "../../../../src/localRegistry/startLocalRegistry";
import type { RegistryClient, TestRunTarget } from "../../../../src/registry/registryClient";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import { type Answer, startTestRegistry } from "../../../fixtures/registries/testRegistry";

const token = `shub_user_${"fedcba9876543210".repeat(4)}`;
const call: Invocation = {
  skillSlug: "text-stats",
  version: "1.0.0",
  inputText: '{"text": 12345678901234567890}',
};

describe("a test run", () => {
  let client: RegistryClient | undefined;
  let close: (() => Promise<void>) | undefined;
  afterEach(async () => {
    client?.close();
    await close?.();
  });

  async function against(answer: Answer) {
    const server = await startTestRegistry({ "**": answer });
    close = () => server.close();
    client = clientFor(`${server.baseUrl}/prefix`);
    const { origin } = new URL(server.baseUrl);
    const target: TestRunTarget = {
      project: "demo",
      token: { kind: "userToken", origin, text: token },
    };
    return { server, run: () => (client as RegistryClient).testRun(call, target, never) };
  }

  it("runs the skill in the project, sends its input as typed, and is not billed", async () => {
    const registry = await startLocalRegistry();
    close = () => registry.close();
    client = clientFor(registry.baseUrl);
    const { origin } = new URL(registry.baseUrl);
    const { developer } = registry.userTokens;
    const user = { kind: "userToken", origin, text: developer } as const;
    const [demo] = await client.workspace(user).projects(never).then(valueIn);
    const target = { project: demo?.slug ?? "", token: user };
    const input = { ...call, inputText: '{"text": "one two"}' };
    const outcome = await client.testRun(input, target, never);
    assert.ok(outcome.kind === "success", JSON.stringify(outcome));
    assert.deepEqual([outcome.mode, outcome.billable], ["console_test", false]);
    assert.equal(outcome.amountCents, 0);
    const { invocations } = await client
      .workspace(user)
      .project(target.project, never)
      .then(valueIn);
    assert.equal(invocations[0]?.id, outcome.invocationId);
  });

  it("sends the user token to the project's route only", async () => {
    const { server, run } = await against({ body: { status: "success" } });
    await run();
    const [request, ...more] = server.requests;
    assert.deepEqual(more, []);
    assert.equal(request?.path, "/prefix/v1/projects/demo/runtime/test");
    assert.equal(request?.headers.authorization, `Bearer ${token}`);
    assert.ok(request?.body.toString().includes(call.inputText));
  });

  it("is not sent with a token for another registry", async () => {
    const { server } = await against({ body: {} });
    const elsewhere = { kind: "userToken", origin: "https://other.test", text: token } as const;
    const outcome = await client?.testRun(call, { project: "demo", token: elsewhere }, never);
    assert.equal(outcome?.kind, "notSent");
    assert.deepEqual(server.requests, []);
  });

  const role = "Requires one of these roles: super_admin, admin, owner, developer.";
  const blocked = { code: "skill_not_approved", error: "x", invocationId: "i", policy: {} };
  const outage = { code: "bad_request", error: "connect ECONNREFUSED 127.0.0.1:5432" };
  const failed = { status: "error", error: "Runtime returned 500.", invocationId: "i", output: 1 };
  const refusals: readonly (readonly [status: number, body: object | string, kind: string])[] = [
    [401, { error: "Invalid or revoked user token." }, "signedOut"],
    [403, { error: role }, "wrongRole"],
    [403, { error: role, code: "forbidden" }, "wrongRole"],
    [403, blocked, "policy"],
    [403, { ...blocked, code: "rate_limit_exceeded" }, "rateLimit"],
    [403, { ...blocked, code: "subscription_required" }, "payment"],
    [404, "404 Not Found", "notOffered"],
    [405, "", "notOffered"],
    [501, "", "notOffered"],
    [404, { error: "Project not found.", code: "project_not_found" }, "notFound"],
    [400, { error: "Missing skillSlug.", code: "missing_skill_slug" }, "validation"],
    [400, outage, "registryError"],
    [400, { error: "invalid input syntax" }, "registryError"],
    [503, { error: "Cannot read properties of null." }, "registryError"],
    [502, failed, "skillError"],
    [502, "", "outcomeUnknown"],
    [200, "<html>", "outcomeUnknown"],
  ];
  for (const [status, body, kind] of refusals) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    it(`is ${kind} after ${status} ${text.slice(0, 100) || "without a body"}`, async () => {
      const { run } = await against({ status, body });
      const outcome = await run();
      assert.equal(outcome.kind === "refused" ? outcome.reason : outcome.kind, kind);
      assert.ok(!JSON.stringify(outcome).includes(token));
    });
  }

  const actions: readonly (readonly [string, string | undefined, string])[] = [
    ["signedOut", undefined, "signIn"],
    ["wrongRole", undefined, "invoke"],
    ["notOffered", undefined, "invoke"],
    ["notFound", "project_not_found", "chooseProject"],
  ];
  for (const [reason, code, action] of actions) {
    it(`that is ${code ?? reason} has its action and does not blame a Project Key`, () => {
      const outcome = { kind: "refused", reason, status: 400, durationMs: 1, code };
      const notice = outcomeNotice("text-stats", outcome as InvocationOutcome, english);
      assert.equal(notice?.actions[0]?.action, action);
      assert.doesNotMatch(notice.message, /did not accept/);
    });
  }
});

function valueIn<Value>(result: { ok: true; value: Value } | { ok: false }): Value {
  assert.ok(result.ok);
  return result.value;
}
