import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { InvocationLog } from "../../../../src/localRegistry/project/workspace";
import { withRegistry } from "../withRegistry";

describe("the log of the registry", () => {
  const test = withRegistry({ now: () => 1000 });
  const last = () => test.registry.invocations().at(-1);

  it("contains the body as received, byte for byte", async () => {
    const body = '{ "skillSlug":"json-diff","input":{"before":5.0,"after":9007199254740993} }';
    const { json } = await test.invoke(body);
    assert.deepEqual(last(), {
      receivedAt: 1000,
      bodyText: body,
      outcome: "success",
      invocationId: (json as { invocationId: string }).invocationId,
      projectSlug: "local-demo",
      skillSlug: "json-diff",
      version: "2.1.0",
      httpStatus: 200,
      latencyMs: 0,
    });
  });

  const outcomes: [unknown, string, number, string | undefined][] = [
    [{ skillSlug: "text-stats", input: {} }, "error", 502, undefined],
    [{ skillSlug: "vault-rotate" }, "blocked", 403, "permission_level_exceeded"],
    [{ skillSlug: "nothing-here" }, "blocked", 403, "skill_not_installed"],
    ["not JSON", "refused", 400, "missing_skill_slug"],
  ];
  for (const [body, outcome, httpStatus, code] of outcomes) {
    it(`records ${outcome} for ${JSON.stringify(body)}`, async () => {
      await test.invoke(body);
      const seen = last();
      assert.deepEqual([seen?.outcome, seen?.httpStatus, seen?.code], [outcome, httpStatus, code]);
      assert.equal(seen?.bodyText, typeof body === "string" ? body : JSON.stringify(body));
    });
  }

  it("records an invocation without a key", async () => {
    await test.invoke({ skillSlug: "text-stats" }, { authorization: "" });
    assert.deepEqual([last()?.outcome, last()?.code], ["refused", "missing_api_key"]);
  });
});

describe("the log of invocations", () => {
  const entry = (bodyText: string) => ({ receivedAt: 0, bodyText, outcome: "running" }) as const;

  it("keeps the newest 500", () => {
    const log = new InvocationLog();
    for (let call = 0; call < 600; call += 1) log.add(entry(String(call)));
    const kept = log.entries();
    assert.deepEqual([kept.length, kept[0]?.bodyText, log.count], [500, "100", 600]);
  });

  it("keeps fewer if the bodies are large", () => {
    const log = new InvocationLog();
    for (let call = 0; call < 20; call += 1) log.add(entry("x".repeat(1024 * 1024)));
    assert.equal(log.entries().length, 16);
  });

  it("reports the end of an invocation, even after its removal", () => {
    const log = new InvocationLog();
    const settle = log.add(entry("first"));
    for (let call = 0; call < 499; call += 1) log.add(entry(""));
    settle({ outcome: "success" });
    assert.equal(log.entries()[0]?.outcome, "success");
    log.add(entry(""));
    settle({ outcome: "error" });
    assert.ok(log.entries().every(({ outcome }) => outcome === "running"));
  });
});
