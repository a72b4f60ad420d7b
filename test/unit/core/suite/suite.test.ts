import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  noEnvironment,
  type PayloadEnvironment,
} from "../../../../src/core/environment/payloadEnvironment";
import { costOf } from "../../../../src/core/invocation/cost";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import { parseExactly } from "../../../../src/core/json/exactJson";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import type { PayloadCheck } from "../../../../src/core/payload/payloadCheck";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import {
  acceptedChange,
  type CaseProblem,
  judgeOutcome,
  judgePayload,
} from "../../../../src/core/suite/judgeCase";
import { runSuite, type SuiteTools } from "../../../../src/core/suite/runSuite";
import {
  type ReadySuite,
  readSnapshots,
  readSuite,
  type SuiteCase,
  snapshotFileName,
  testedVersion,
  writeSnapshots,
} from "../../../../src/core/suite/suite";
import { turnsOf } from "../../../../src/core/suite/turns";
import { english } from "../../../../src/core/text/language";
import { endedInvocation } from "../../../fixtures/pastInvocation";

const suite = (...cases: object[]) =>
  JSON.stringify({ format: 1, skill: "text-stats@1.0.0", cases });

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

const messagesOf = (problems: readonly CaseProblem[]) => problems.map(({ message }) => message);

const check = (...codes: string[]): PayloadCheck => ({
  state: codes.length === 0 ? "valid" : "invalid",
  hiddenProblems: 0,
  problems: codes.map((code) => ({
    code,
    message: "No.",
    severity: "error",
    start: 0,
    end: 1,
    pointer: "",
  })),
});

/** Describes the problems of a case for a title. */
const told = ([problem]: readonly string[]) =>
  problem === undefined ? "is as expected" : `has the problem “${problem}”`;

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
  const success: InvocationOutcome = {
    kind: "success",
    acceptedNotRun: false,
    outputText: "",
    durationMs: 20,
    amountCents: 3,
    currency: "EUR",
  };
  const refused: InvocationOutcome = {
    kind: "refused",
    reason: "policy",
    status: 403,
    code: "budget_exceeded",
    durationMs: 1,
  };
  const failed: InvocationOutcome = { kind: "skillError", durationMs: 1 };
  const output: JsonValue = { words: 2, list: [{ a: 1 }, { a: 2 }], "a/b": null };
  const cases: readonly (readonly [
    expect: SuiteCase["expect"],
    outcome: InvocationOutcome,
    problems: string[],
    snapshot?: JsonValue,
  ])[] = [
    [undefined, success, []],
    [undefined, failed, ["Expected success; it ended with “error”."]],
    [undefined, refused, ["Expected success; it ended with “budget_exceeded”."]],
    [
      undefined,
      { ...success, acceptedNotRun: true },
      ["Expected success; it was accepted but not executed."],
    ],
    [{ refusal: "BUDGET-EXCEEDED" }, refused, []],
    [
      { refusal: "policy_missing" },
      refused,
      ["Expected the error “policy_missing”; it ended with “budget_exceeded”."],
    ],
    [
      { refusal: "policy_missing" },
      success,
      ["Expected the error “policy_missing”; it ended with “success”."],
    ],
    [{ failure: true }, failed, []],
    [{ failure: true }, success, ["Expected the skill to fail; it ended with “success”."]],
    [{ maxMilliseconds: 20, maxCents: 3 }, success, []],
    [{ maxMilliseconds: 19 }, success, ["It took 20 ms, more than 19."]],
    [{ maxCents: 2 }, success, ["It cost €0.03, more than €0.02."]],
    [{ output: { "/words": 2, "/list/1/a": 2, "/a~1b": null } }, success, []],
    [{ output: { "/words": 3 } }, success, ["Expected 3 at /words; it is 2."]],
    [{ output: { "/list/2": 1 } }, success, ["Expected 1 at /list/2; it is missing."]],
    [{ output: { "/constructor": 1 } }, success, ["Expected 1 at /constructor; it is missing."]],
    [
      { snapshot: true },
      success,
      ["This case has no stored output yet. Store one with `skill-registry test --live --update`."],
    ],
    [{ snapshot: true }, success, [], { "a/b": null, list: [{ a: 1 }, { a: 2 }], words: 2 }],
    [
      { snapshot: true },
      success,
      ["The output differs from the stored one, first at /list/0/a."],
      { words: 2, list: [{ a: 9 }, { a: 2 }], "a/b": null },
    ],
    [
      { snapshot: true, ignore: ["/list/0/a", "/words", "/gone/away"] },
      success,
      [],
      { words: 7, list: [{ a: 9 }, { a: 2 }], "a/b": null },
    ],
    [
      { snapshot: true, ignore: ["/words"] },
      success,
      ["The output differs from the stored one, first at /more."],
      { ...(output as object), more: 1 } as JsonValue,
    ],
  ];
  for (const [expect, outcome, problems, snapshot] of cases) {
    it(`${told(problems)} if the case expects ${JSON.stringify(expect ?? {})}`, () => {
      const one: SuiteCase = { name: "a", payload: 1, ...(expect && { expect }) };
      const cost = costOf(endedInvocation(outcome).record);
      const found = judgeOutcome(one, outcome, { output, snapshot, cost }, english);
      assert.deepEqual(messagesOf(found), problems);
    });
  }

  const expected = (expectedCents: number) => ({ expectedCents, expectedCurrency: "EUR" });
  const costs: readonly (readonly [
    sent: Partial<InvocationRecord>,
    answer: object,
    problems: string[],
  ])[] = [
    [expected(0), {}, []],
    [
      expected(5),
      {},
      ["The registry returned no cost. The expected cost of €0.05 is more than €0.00."],
    ],
    [expected(5), { amountCents: 0 }, []],
    [expected(5), { billable: false }, []],
    [
      expected(5),
      { acceptedNotRun: true },
      ["Expected success; it was accepted but not executed."],
    ],
    [{ kind: "testRun" }, {}, []],
    [{}, {}, ["It is not known what it cost. Expected at most 0.00."]],
  ];
  for (const [sent, answer, problems] of costs) {
    it(`counts the expected cost if no amount is named: ${JSON.stringify([sent, answer])}`, () => {
      const { amountCents: _amount, currency: _currency, ...unnamed } = success;
      const one: SuiteCase = { name: "a", payload: 1, expect: { maxCents: 0 } };
      const { outcome, record } = endedInvocation({ ...unnamed, ...answer }, sent);
      const found = judgeOutcome(one, outcome, { output, cost: costOf(record) }, english);
      assert.deepEqual(messagesOf(found), problems);
    });
  }

  it("costs nothing after a rejection", () => {
    const one: SuiteCase = {
      name: "a",
      payload: 1,
      expect: { refusal: "budget_exceeded", maxCents: 0 },
    };
    const cost = costOf(endedInvocation(refused, expected(5)).record);
    assert.deepEqual(judgeOutcome(one, refused, { cost }, english), []);
  });

  it("always checks the output schema", () => {
    const facts = { output, outputCheck: check("type") };
    const found = judgeOutcome({ name: "a", payload: 1 }, success, facts, english);
    assert.deepEqual(messagesOf(found), ["The output does not match its schema at /: No."]);
  });

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

  it("finds outputs different whose digits JavaScript cannot distinguish, and stores them exactly", async () => {
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

  describe("with values from earlier cases", () => {
    const first = { name: "make it", payload: { n: 1 }, expect: { output: { "/id": 7 } } };
    const taking = (payload: JsonValue) => suite(first, { name: "use it", payload });
    const ranWith = async (
      text: string,
      outputText: string,
      more: Partial<Parameters<typeof runSuite>[2]> = {},
    ) => {
      const sent: string[] = [];
      const items = await runSuite(readySuite(text), new Map(), {
        ...tools(check(), check(), check(), check()),
        send: async ({ text: payload }) => {
          sent.push(payload);
          return endedInvocation({ ...success, outputText });
        },
        ...more,
      });
      return { sent, states: items.map(({ state }) => state), items };
    };
    const output = '{"id": 7, "text": "a {{customer}} b", "big": 9007199254740993}';

    it("sends them in place of the placeholders, whole or inside a text, with all digits", async () => {
      const payload = {
        id: "{{case:make it/id}}",
        line: "no. {{case:make it/id}}: {{case:make it/text}}",
        big: "{{case:make it/big}}",
        all: "{{case:make it}}",
      };
      const { sent, states } = await ranWith(taking(payload), output, { turns: turnsOf(4) });
      assert.deepEqual(states, ["good", "good"]);
      assert.equal(
        sent[1],
        '{"id":7,"line":"no. 7: a {{customer}} b","big":9007199254740993,"all":{"id":7,"text":"a {{customer}} b","big":9007199254740993}}',
      );
    });

    it("lets no output name a value or secret of the environment", async () => {
      const environment: PayloadEnvironment = {
        kind: "chosen",
        name: "staging",
        registry: "built-in",
        declared: new Set(["customer"]),
        values: new Map([["customer", '"c-17"']]),
        secrets: new Map(),
        secretNames: new Set(),
        usesVariables: true,
      };
      const payload = { own: "{{customer}}", taken: "{{case:make it/text}}" };
      const { sent } = await ranWith(taking(payload), output, { environment });
      assert.equal(sent[1], '{"own":"c-17","taken":"a {{customer}} b"}');
    });

    it("sends nothing if the earlier case failed, or its output has no such value", async () => {
      for (const [payload, text, reason] of [
        ["{{case:make it/id}}", '{"id": 8}', /the case make it has no output to take/],
        [
          "{{case:make it/none}}",
          output,
          /the output of the case make it has no value at \/none\./,
        ],
      ] as const) {
        const { sent, states, items } = await ranWith(taking({ payload }), text);
        assert.equal(sent.length, 1);
        assert.equal(states[1], "unknown");
        assert.match(items[1]?.findings[0]?.message ?? "", reason);
      }
    });

    it("sends nothing if the earlier case is not part of the run", async () => {
      const isWanted = ({ name }: { readonly name: string }) => name === "use it";
      const { sent, states } = await ranWith(taking(["{{case:make it}}"]), output, { isWanted });
      assert.deepEqual([sent, states], [[], ["unknown"]]);
    });

    it("takes them from the stored output if nothing is sent, and is skipped without one", async () => {
      const text = suite(
        { name: "make it", payload: 1, expect: { snapshot: true } },
        { name: "use it", payload: ["{{case:make it/id}}"] },
      );
      const checked: string[] = [];
      const offline = {
        ...tools(),
        send: undefined,
        check: async (payload: string) => {
          checked.push(payload);
          return check();
        },
      };
      await runSuite(readySuite(text), new Map([["make it", { id: 7 }]]), offline);
      assert.ok(checked.includes("[7]"), checked.join("\n"));
      const [, second] = await runSuite(
        readySuite(taking({ a: "{{case:make it/id}}" })),
        new Map(),
        offline,
      );
      assert.equal(second?.state, "untested");
    });

    for (const reference of ["{{case:use it}}", "{{case:nobody/id}}", "{{case:make it2}}"]) {
      it(`is a problem of the suite if ${reference} names no earlier case`, () => {
        const read = readSuite(taking({ a: reference }), english);
        assert.ok(!read.ok);
        assert.match(read.problems[0]?.message ?? "", /names no earlier case of this suite/);
      });
    }
  });

  it("stores nothing of an invocation that was only accepted", async () => {
    const kept = new Map<string, JsonValue>([["a", "of before"]]);
    const text = suite({ name: "a", payload: 1, expect: { snapshot: true } });
    const items = await runSuite(readySuite(text), kept, {
      ...tools(check(), check()),
      send: async () => endedInvocation({ ...success, acceptedNotRun: true, outputText: "{}" }),
      isUpdate: true,
    });
    assert.equal(items[0]?.state, "findings");
    assert.equal(kept.get("a"), "of before");
  });

  it("runs nothing more after a cancellation, and stores the outputs so far", async () => {
    const kept = new Map<string, JsonValue>();
    const text = suite(
      { name: "a", payload: 1, expect: { snapshot: true } },
      { name: "b", payload: 1, expect: { snapshot: true } },
    );
    const { own, ...rest } = readySuite(text);
    let sent = 0;
    const items = await runSuite({ ...rest, own, against: [{ ...own, name: "2.0.0" }] }, kept, {
      ...tools(check(), check()),
      send: async () => {
        sent += 1;
        return endedInvocation({ ...success, invocationId: `inv-${sent}`, outputText: "{}" });
      },
      isCanceled: () => sent === 1,
      isUpdate: true,
    });
    const canceled = "Canceled before it was run.";
    assert.deepEqual(
      items.map(({ state, invocationId, findings }) => [
        state,
        invocationId,
        findings[0]?.message.endsWith(canceled),
      ]),
      [
        ["good", "inv-1", undefined],
        ["unknown", undefined, true],
        ["unknown", undefined, true],
        ["unknown", undefined, false],
      ],
    );
    assert.deepEqual([sent, [...kept.keys()]], [1, ["a"]]);
  });

  const fiveCases = suite(...["a", "b", "c", "d", "e"].map((name) => ({ name, payload: name })));

  it("runs in parallel within the limit, and is reported in the order of the suite", async () => {
    const answers: (() => void)[] = [];
    let most = 0;
    const running = runSuite(readySuite(fiveCases), new Map(), {
      ...tools(check()),
      turns: turnsOf(3),
      send: async ({ text: inputText }) => {
        await new Promise<void>((answer) => {
          most = Math.max(most, answers.push(answer));
          // The last one to arrive is answered first, once no more arrive.
          if (answers.length === 3 || inputText === `"e"`) setImmediate(() => answers.pop()?.());
        });
        setImmediate(() => answers.pop()?.());
        return endedInvocation({ ...success, invocationId: inputText, outputText: "{}" });
      },
    });
    const items = await running;
    assert.equal(most, 3);
    assert.deepEqual(
      items.map(({ invocationId }) => invocationId),
      [`"a"`, `"b"`, `"c"`, `"d"`, `"e"`],
    );
  });

  it("is not sent after another could not run, while sent ones are awaited", async () => {
    const sent: string[] = [];
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let isAwaited = false;
    const running = runSuite(readySuite(fiveCases), new Map(), {
      ...tools(check()),
      turns: turnsOf(2),
      send: async ({ text: inputText }) => {
        sent.push(inputText);
        if (inputText === `"b"`) {
          setImmediate(answer);
          throw new Error("Broken.");
        }
        await isAnswered;
        isAwaited = true;
        return endedInvocation({ ...success, outputText: "{}" });
      },
    });
    await assert.rejects(running, /Broken\./);
    assert.deepEqual([sent, isAwaited], [[`"a"`, `"b"`], true]);
  });

  it("explains a rejection in the words of an invocation", async () => {
    const refused = { kind: "refused", reason: "payment", status: 402, durationMs: 1 } as const;
    const items = await runSuite(readySuite(suite({ name: "a", payload: 1 })), new Map(), {
      ...tools(check()),
      send: async () => endedInvocation({ ...refused, message: "Pay first." }),
    });
    assert.equal(
      items[0]?.findings[0]?.message,
      "a: Expected success; it ended with “blocked”. text-stats was not run: its payment is not set up: Pay first.",
    );
  });

  it("is unknown if the registry ran another version than the case's", async () => {
    const other = { ...success, version: "2.0.0", outputText: JSON.stringify(output) };
    const items = await runSuite(readySuite(suite({ name: "a", payload: 1 })), new Map(), {
      ...tools(check()),
      send: async () => endedInvocation(other as InvocationOutcome),
    });
    assert.deepEqual(
      [items[0]?.state, items[0]?.findings[0]?.message],
      ["unknown", "a: The registry ran version 2.0.0 of text-stats instead of 1.0.0."],
    );
  });

  it("names the invocation with an unknown outcome", async () => {
    const failure = { kind: "timeout", seconds: 60 } as const;
    const items = await runSuite(readySuite(suite({ name: "a", payload: 1 })), new Map(), {
      ...tools(check()),
      send: async () =>
        endedInvocation({ kind: "outcomeUnknown", failure, durationMs: 1, invocationId: "inv-1" }),
    });
    assert.deepEqual([items[0]?.state, items[0]?.invocationId], ["unknown", "inv-1"]);
  });

  /** Returns each check in turn, and the last of them from then on. */
  function tools(...checks: readonly PayloadCheck[]): SuiteTools {
    const left = [...checks];
    return {
      check: async () => (left.length > 1 ? left.shift() : left[0]) ?? check(),
      environment: noEnvironment,
      readPayload: async () => "1",
      allowsUnchecked: false,
      send: async () =>
        endedInvocation({ ...success, outputText: JSON.stringify(output) } as InvocationOutcome),
      isUpdate: false,
      turns: turnsOf(1),
      isCanceled: () => false,
      now: () => 0,
      language: english,
    };
  }

  function readySuite(text: string): ReadySuite {
    const read = readSuite(text, english);
    assert.ok(read.ok);
    const summary = { slug: "text-stats", version: "1.0.0" };
    const skill = { summary, outputSchema: true } as SkillDetail;
    const own = { name: "1.0.0", skill, reason: "" };
    return { file: "a.skill-suite.json", text, suite: read.value, own, against: [] };
  }
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
