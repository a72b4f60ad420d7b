import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { withStopped } from "../../../src/core/agents/agentAgreements";
import { yesClient } from "../../fixtures/agentSession";
import { closedGates, countRecords } from "../../fixtures/closedGates";
import { fullSkill } from "../../fixtures/skillDetail";
import { useAgentSessions, wanted } from "./useAgentSessions";

const { contractHash } = wanted;

describe("an agent's session", () => {
  const bench = useAgentSessions();
  const { open } = bench;

  it("finds, inspects, checks and invokes an allowed skill, and records the caller and the reason", async () => {
    const { call, sent, history } = await open();
    const found = await call("find_skill", { query: "csv" });
    assert.deepEqual(
      (found["skills"] as { skill: string; allowed: boolean }[]).map((row) => [
        row.skill,
        row.allowed,
      ]),
      [["csv-profile", true]],
    );
    const inspected = await call("inspect_skill", { skill: "csv-profile" });
    assert.equal(inspected["contractHash"], contractHash);
    assert.deepEqual(inspected["inputSchema"], fullSkill.inputSchema);
    assert.deepEqual(inspected["example"], { csv: "a" });
    assert.deepEqual(inspected["left"], { calls: 20, centsToday: 100 });
    const checked = await call("check_payload", { skill: "csv-profile", input: { csv: "a" } });
    assert.equal(checked["valid"], true);
    assert.deepEqual(sent, []);
    const ran = await call("invoke_skill", { ...wanted, reason: "to know it" });
    assert.equal(ran["status"], "success");
    assert.deepEqual(ran["output"], {});
    assert.deepEqual(ran["left"], { calls: 19, centsToday: 98 });
    assert.deepEqual(sent, [`{"csv":"a"}`]);
    const [record] = await history.list();
    assert.equal(record?.caller.kind, "mcp");
    assert.equal(record?.caller.name, "probe");
    assert.match(record?.caller.session ?? "", /^[0-9a-f]{8}$/);
    assert.deepEqual(
      [record?.tool, record?.agentReason, record?.agreement],
      ["invoke_skill", "to know it", contractHash],
    );
  });

  for (const { gate, name, code, options, args, first } of closedGates) {
    it(`is refused by gate ${gate} if ${name}, and nothing is sent`, async () => {
      const { call, sent, history } = await open(options);
      const client = { ...yesClient, askPerson: () => "noPerson" as const };
      const invoke = (given: unknown) => call("invoke_skill", given, client);
      await first?.(invoke, bench.folder);
      const before = [sent.length, await countRecords(history)];
      const refused = await invoke(args ?? wanted);
      assert.deepEqual([refused["status"], refused["code"]], ["notSent", code]);
      assert.equal(refused.isError, true);
      assert.deepEqual([sent.length, await countRecords(history)], before);
    });
  }

  it("can be stopped at once, also between two calls", async () => {
    const { invoke, settings, sent } = await open();
    await settings.change((before) => withStopped(before, true));
    assert.equal((await invoke())["code"], "agentsOff");
    assert.deepEqual(sent, []);
  });

  it("sends the last invocation that its limit allows", async () => {
    const { invoke } = await open({ parts: { policies: async () => [{ maxCallsPerSession: 1 }] } });
    assert.equal((await invoke())["status"], "success");
    assert.equal((await invoke({ ...wanted, input: { csv: "b" } }))["code"], "callLimit");
  });

  it("returns a result from the tool of a single skill if connecting to the registry fails", async () => {
    const { session, logged } = await open({
      parts: { connect: () => Promise.reject(new TypeError("canary")) },
    });
    const { signal } = new AbortController();
    const result = await session.invokeAllowed("csv-profile", { csv: "a" }, yesClient, signal);
    assert.equal(result.isError, true);
    assert.match(result.text, /"status":"notSent"/);
    assert.deepEqual(logged, ["An unexpected error occurred in invoke_skill: TypeError"]);
  });

  it("neither logs nor stores its input after a refusal or failure", async () => {
    const canary = "canary-4711";
    const { call, logged } = await open({
      parts: {
        check: async () => {
          throw new Error(canary);
        },
      },
    });
    const args = { ...wanted, input: { csv: canary }, reason: canary };
    const failed = await call("invoke_skill", args);
    assert.equal(failed.isError, true);
    await call("check_payload", { skill: "csv-profile", input: { csv: canary } });
    assert.ok(logged.length > 0);
    assert.doesNotMatch(JSON.stringify([failed, logged]), /canary/);
    const { refusals } = await open();
    assert.doesNotMatch(JSON.stringify(await refusals.list()), /canary/);
  });

  it("records refusals with their reasons", async () => {
    const { invoke, refusals } = await open({ agreement: "none" });
    await invoke();
    const [refused] = await refusals.list();
    assert.deepEqual(
      [refused?.skill, refused?.code, refused?.caller.name],
      ["csv-profile", "notAllowed", "probe"],
    );
  });
});
