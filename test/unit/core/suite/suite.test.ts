import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { parseExactly } from "../../../../src/core/json/exactJson";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import type { PayloadCheck } from "../../../../src/core/payload/payloadCheck";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { acceptedChange, judgeOutcome, judgePayload } from "../../../../src/core/suite/judgeCase";
import { runSuite } from "../../../../src/core/suite/runSuite";
import {
  orphanedOutputs,
  readSnapshots,
  readSuite,
  type SuiteCase,
  snapshotFileName,
  testedVersion,
  writeSnapshots,
} from "../../../../src/core/suite/suite";
import { english } from "../../../../src/core/text/language";
import { endedInvocation } from "../../../fixtures/pastInvocation";
import { check, messagesOf, output, readySuite, success, suite, told, tools } from "./caseOutcomes";

describe("a suite", () => {
  it("tests a skill, or one version of it", () => {
    const read = readSuite(suite({ name: "a", payload: null }), english);
    assert.deepEqual(read.ok && read.value.address, { slug: "text-stats", version: "1.0.0" });
    assert.equal(snapshotFileName("a/b.skill-suite.json"), "a/b.skill-snapshots.json");
  });

  const bad: readonly (readonly [what: string, text: string])[] = [
    ["two cases of one name", suite({ name: "a", payload: 1 }, { name: "a", payload: 2 })],
    ["no payload", suite({ name: "a" })],
    ["a payload here and in a file", suite({ name: "a", payload: 1, payloadFile: "a.json" })],
    ["a file outside of the folder", suite({ name: "a", payloadFile: "../a.json" })],
    ["a file further outside of the folder", suite({ name: "a", payloadFile: "b/../../a.json" })],
    ["a file of the system", suite({ name: "a", payloadFile: "/etc/passwd" })],
    ["a file of another drive", suite({ name: "a", payloadFile: "c:\\a.json" })],
    ["an unknown expectation", suite({ name: "a", payload: 1, expect: { fast: true } })],
    ["an invalid pointer", suite({ name: "a", payload: 1, expect: { output: { words: 1 } } })],
    ["no cases", suite()],
    [
      "a payload that loses digits",
      `${suite({ name: "a", payload: 7 }).replace("7", "9007199254740993")}`,
    ],
    [
      "an expected output that loses digits",
      suite({ name: "a", payload: 1, expect: { output: { "/n": 7 } } }).replace("7", "1e400"),
    ],
  ];
  for (const [what, text] of bad) {
    it(`is invalid with ${what}`, () => assert.equal(readSuite(text, english).ok, false));
  }

  it("finds stored outputs of no case, and the only case that misses one", () => {
    const stored: SuiteCase = { name: "new", payload: 1, expect: { snapshot: true } };
    const unstored: SuiteCase = { name: "plain", payload: 1 };
    const found = (cases: readonly SuiteCase[], ...names: string[]) =>
      orphanedOutputs({ cases }, new Map(names.map((name) => [name, 1])));
    assert.deepEqual(found([stored, unstored], "new"), []);
    assert.deepEqual(found([stored, unstored], "old"), [{ name: "old", renamedTo: "new" }]);
    assert.deepEqual(found([stored], "old", "new"), [{ name: "old" }]);
    assert.deepEqual(found([stored], "old", "older"), [{ name: "old" }, { name: "older" }]);
    assert.deepEqual(found([stored, { ...stored, name: "b" }], "old"), [{ name: "old" }]);
  });

  it("stores outputs in the order of their names", () => {
    const text = writeSnapshots(
      new Map<string, JsonValue>([
        ["b", 1],
        ["a", { x: null }],
      ]),
    );
    assert.deepEqual(
      [...(readSnapshots(text) ?? [])],
      [
        ["a", { x: null }],
        ["b", 1],
      ],
    );
    for (const damaged of ["", "[]", '{"outputs":1}'])
      assert.equal(readSnapshots(damaged), undefined);
  });
});

describe("the payload of a case", () => {
  const cases: readonly (readonly [
    expect: SuiteCase["expect"],
    check: PayloadCheck,
    problems: string[],
  ])[] = [
    [undefined, check(), []],
    [undefined, check("type"), ["The payload is not valid: No. (type)"]],
    [{ invalid: ["type"] }, check("type", "required"), []],
    [{ invalid: ["type"] }, check(), ["Expected the payload to fail “type”; it did not."]],
    [
      { invalid: ["type", "enum"] },
      check("type"),
      ["Expected the payload to fail “enum”; it did not."],
    ],
  ];
  for (const [expect, checked, problems] of cases) {
    it(`${told(problems)} if the case expects ${JSON.stringify(expect ?? {})}`, () => {
      const one: SuiteCase = { name: "a", payload: 1, ...(expect && { expect }) };
      assert.deepEqual(messagesOf(judgePayload(one, checked, english)), problems);
    });
  }
});

describe("the outcome of a case", () => {
  it("reports both differing values, at their place in the suite", async () => {
    const one: SuiteCase = {
      name: "b",
      payload: 1,
      expect: { output: { "/a~1b": 1 }, snapshot: true, ignore: ["/words"] },
    };
    const snapshot: JsonValue = { words: 9, list: [], "a/b": null };
    const problems = judgeOutcome(one, success, { output, snapshot }, english);
    assert.deepEqual(
      problems.map(({ at, expected, actual }) => [at, expected, actual]),
      [
        ["/expect/output/~1a~01b", 1, null],
        [
          "/expect/snapshot",
          { list: [], "a/b": null },
          { list: [{ a: 1 }, { a: 2 }], "a/b": null },
        ],
      ],
    );
    const text = suite({ ...one, name: "a", expect: {} }, { ...one });
    const items = await runSuite(readySuite(text), new Map([["b", snapshot]]), tools(check()));
    assert.deepEqual(
      items.map(({ state }) => state),
      ["good", "findings"],
    );
    const marked = items[1]?.findings.map(({ start, end }) =>
      text.slice(start?.character, end?.character),
    );
    assert.deepEqual(marked, ['"/a~1b":1', '"snapshot":true']);
  });

  const unchecked: PayloadCheck = { ...check(), state: "unchecked", reason: "Too slow." };
  const undecided: readonly (readonly [
    what: string,
    one: object,
    checks: readonly PayloadCheck[],
    allowed: boolean,
    state: string,
  ])[] = [
    ["an output that was not checked", {}, [check(), unchecked], false, "unknown"],
    ["an output that need not be checked", {}, [check(), unchecked], true, "good"],
    [
      "a wrong output that was not checked completely",
      { output: { "/words": -1 } },
      [check(), unchecked],
      false,
      "findings",
    ],
    [
      "a payload that should fail and was not checked",
      { invalid: ["type"] },
      [unchecked],
      false,
      "unknown",
    ],
    [
      "a payload that fails as expected, and was not checked completely",
      { invalid: ["type"] },
      [{ ...unchecked, problems: check("type").problems }],
      false,
      "good",
    ],
  ];
  for (const [what, expect, checks, isAllowed, state] of undecided) {
    it(`is ${state} with ${what}`, async () => {
      const text = suite({ name: "a", payload: 1, expect });
      const items = await runSuite(readySuite(text), new Map(), {
        ...tools(...checks),
        allowsUnchecked: isAllowed,
      });
      assert.deepEqual(
        items.map((item) => item.state),
        [state],
      );
    });
  }

  it("is unknown if its stored output could not be checked and nothing is sent", async () => {
    const text = suite({ name: "a", payload: 1, expect: { snapshot: true } });
    const offline = { ...tools(check(), unchecked), send: undefined };
    const items = await runSuite(readySuite(text), new Map([["a", 1]]), offline);
    assert.deepEqual(
      items[0]?.findings[0]?.message,
      "a: The output could not be checked. Too slow.",
    );
  });

  it("is unknown if an output is nested too deep to compare", async () => {
    const outputText = "[".repeat(20_000) + "]".repeat(20_000);
    const kept = new Map<string, JsonValue>();
    const text = suite({ name: "a", payload: 1, expect: { snapshot: true } });
    const items = await runSuite(readySuite(text), kept, {
      ...tools(check(), check()),
      send: async () => endedInvocation({ ...success, outputText }),
      isUpdate: true,
    });
    assert.equal(items[0]?.state, "unknown");
    assert.equal(kept.size, 0);
  });

  const long = (digits: string) => `{"id":${digits},"list":[1]}`;

  it("distinguishes outputs by digits that JavaScript would round, and stores them exactly", async () => {
    const text = suite({ name: "a", payload: 1, expect: { snapshot: true } });
    const kept = new Map<string, JsonValue>();
    const run = async (digits: string, isUpdate: boolean) => {
      const [item] = await runSuite(readySuite(text), kept, {
        ...tools(check(), check()),
        send: async () => endedInvocation({ ...success, outputText: long(digits) }),
        isUpdate,
      });
      return item?.findings.map(({ message }) => message) ?? [];
    };
    assert.deepEqual(await run("9007199254740993", true), []);
    const written = writeSnapshots(kept);
    assert.match(written, /"id": 9007199254740993,\n/);
    kept.clear();
    for (const [name, output] of readSnapshots(written) ?? []) kept.set(name, output);
    assert.deepEqual(await run("9007199254740993", false), []);
    const isOther = ["a: The output differs from the stored one, first at /id."];
    assert.deepEqual(await run("9007199254740992", false), isOther);
    assert.deepEqual(await run("1.0", true), []);
    // It is the same number, without a lost digit.
    assert.deepEqual(await run("1.00", false), []);
    assert.deepEqual(await run("1.0000000000000000055", false), isOther);
  });

  it("expects a suite's number exactly, with all its digits", () => {
    const output = parseExactly(long("9007199254740993"));
    const expect = { output: { "/id": 9007199254740992 } };
    const one = { name: "a", payload: 1, expect };
    const [problem] = judgeOutcome(one, success, { output }, english);
    assert.match(problem?.message ?? "", /it is 9007199254740993/);
    // It cannot be written into the suite, whose format has no such number.
    assert.equal(problem && acceptedChange(problem, { output }), undefined);
  });
});

describe("the version that a suite tests", () => {
  const address = { slug: "a", version: "" };
  const skill = (version: string) => ({ summary: { slug: "a", version } }) as SkillDetail;
  const tested = (version: string, wanted = address) =>
    testedVersion({ ok: true, value: skill(version) }, wanted, () => assert.fail());

  it("is the one that the registry returns, or else the suite's", () => {
    assert.equal(tested("2.0.0").name, "2.0.0");
    assert.equal(tested("", { ...address, version: "1.0.0" }).name, "1.0.0");
    assert.equal(tested("").name, "a");
  });

  it("has a reason if the skill was not read", () => {
    const failed = { ok: false, failure: { kind: "cancelled" } } as const;
    const version = testedVersion(failed, address, ({ kind }) => kind);
    assert.deepEqual(version, { name: "a", skill: undefined, reason: "cancelled" });
  });
});
