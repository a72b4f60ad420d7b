import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import {
  readAgentRequest,
  readCheckRequest,
  readInvokeRequest,
  readOpenRequest,
  readPolicies,
  readSkillRequest,
} from "../../../src/window/requests";

const skill = { slug: "word-tally", version: "" };
const wanted = {
  ...{ ...skill, command: "invoke", registry: "built-in", folder: "/work" },
  ...{ isTestRun: false, isWaitedFor: false, isNumberChosen: true, count: 3 },
};
const payload = { text: "{}", source: "a.json", folder: "/work" };
const agent = { tool: "find_skill", isTyped: false, input: {}, folder: "/work" };
const long = "a".repeat(10_001);

/** Asserts that a reader accepts `good`, and rejects it with any of the `wrong` values. */
function takesOnly(
  read: (value: unknown) => unknown,
  good: object,
  wrong: readonly Readonly<Record<string, unknown>>[],
): void {
  assert.deepEqual(read(good), good);
  for (const part of [undefined, null, 1, "text", [good]]) assert.equal(read(part), undefined);
  for (const part of wrong) {
    assert.equal(read({ ...good, ...part }), undefined, JSON.stringify(part).slice(0, 100));
  }
}

describe("What a window reads of a request from a terminal", () => {
  it("is a skill with a short name and version", () => {
    const tooLong = "a".repeat(201);
    const wrong = [{ slug: 1 }, { slug: tooLong }, { version: null }, { version: tooLong }];
    takesOnly(readSkillRequest, skill, wrong);
  });

  it("is a payload with its source and folder", () => {
    const wrong = [
      ...[{ text: 5 }, { text: undefined }, { source: 5 }, { source: long }, { folder: null }],
      ...[{ folder: long }, { caseValues: "a" }],
    ].map((part) => ({ payload: { ...payload, ...part } }));
    takesOnly(readCheckRequest, { ...skill, payload }, [{ slug: 1 }, { payload: "{}" }, ...wrong]);
  });

  it("describes the invocation that a command wants, with whole numbers", () => {
    const counts = ["count", "maxCents", "perMinute", "allowedCents"].flatMap((name) =>
      [-1, 0.5, "1", null, 1e300].map((count) => ({ [name]: count })),
    );
    const wrong = [
      ...[{ command: "mcp" }, { command: undefined }, { registry: 5 }, { folder: long }],
      ...[{ isTestRun: "no" }, { isWaitedFor: 1 }, { isNumberChosen: undefined }],
      ...[{ environment: 5 }, { environment: "a".repeat(201) }, { slug: null }, ...counts],
    ].map((part) => ({ wanted: { ...wanted, ...part } }));
    takesOnly(readOpenRequest, { wanted }, wrong);
    takesOnly(readInvokeRequest, { call: 1, series: 2, wanted, payload }, [
      ...[{ call: -1 }, { call: "1" }, { series: 0.5 }, { series: null }, { payload: {} }],
      ...wrong,
    ]);
  });

  it("is a tool call, without names that are no short text", () => {
    takesOnly(readAgentRequest, { ...agent, name: "codex", traceparent: "00" }, [
      ...[{ tool: 1 }, { tool: "a".repeat(201) }, { isTyped: 1 }, { folder: long }],
    ]);
    assert.deepEqual(readAgentRequest({ ...agent, name: 5, version: "a".repeat(201) }), agent);
  });

  it("is a policy that can be read whole, and else one that allows nothing", () => {
    const policies = [
      ...[{ off: true }, { allow: ["word-tally"], maxPermissionLevel: "low" }],
      ...[{ maxCentsPerDay: 5, maxCallsPerSession: 0 }],
    ];
    assert.deepEqual(readPolicies(policies), policies);
    assert.deepEqual(readPolicies([]), []);
    for (const wrong of [
      ...[{ off: false }, { allow: "all" }, { allow: [5] }, { maxPermissionLevel: "any" }],
      ...[{ maxCentsPerDay: -1 }, { maxCallsPerSession: "5" }, "off", null],
    ]) {
      assert.equal(readPolicies([{}, wrong]), "unreadable", JSON.stringify(wrong));
    }
    assert.equal(readPolicies(Array.from({ length: 11 }, () => ({}))), "unreadable");
    assert.equal(readPolicies({ length: 0 }), "unreadable");
  });
});
