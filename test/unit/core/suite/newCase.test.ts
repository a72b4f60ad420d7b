import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { endingToExpect } from "../../../../src/core/invocation/outcome";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { applyEdits } from "../../../../src/core/payload/fixes/textEdit";
import { firstDifference } from "../../../../src/core/suite/judgeCase";
import {
  caseCountText,
  caseName,
  caseNameProblem,
  needsPayloadFile,
  outputValues,
  variationText,
  varyingPointers,
} from "../../../../src/core/suite/newCase";
import { readSuite, type SuiteCase } from "../../../../src/core/suite/suite";
import {
  addCaseEdit,
  replaceValueEdit,
  suiteParts,
  suiteText,
} from "../../../../src/core/suite/suiteText";
import { english } from "../../../../src/core/text/language";
import { pastInvocation } from "../../../fixtures/pastInvocation";

describe("The expectations that a case can have of an ending", () => {
  const endings: readonly [Partial<InvocationRecord>, unknown][] = [
    [{ status: "success" }, "output"],
    [{ status: "not executed" }, undefined],
    [{ status: "error", code: "skill_failed" }, { failure: true }],
    [{ status: "blocked", code: "policy_denied" }, { refusal: "policy_denied" }],
    [{ status: "refused", code: "invalid_input" }, { refusal: "invalid_input" }],
    [{ status: "refused" }, undefined],
    [{ status: "cancelled" }, undefined],
    [{ status: "running" }, undefined],
    [{ status: "outcome unknown", code: "timeout" }, undefined],
  ];
  for (const [facts, expected] of endings) {
    it(`for ${JSON.stringify(facts)} are ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(endingToExpect(pastInvocation(0, facts)), expected);
    });
  }
});

describe("The varying parts of an output", () => {
  const cases: readonly [JsonValue, JsonValue[], readonly string[] | undefined][] = [
    [{ a: 1 }, [], []],
    [{ a: 1 }, [{ a: 1 }], []],
    [{ a: 1, at: "x" }, [{ a: 1, at: "y" }], ["/at"]],
    [{ a: { id: 1, b: 2 } }, [{ a: { id: 3, b: 2 } }, { a: { id: 1, b: 4 } }], ["/a/id", "/a/b"]],
    [{ rows: [{ id: 1 }, { id: 2 }] }, [{ rows: [{ id: 1 }, { id: 3 }] }], ["/rows/1/id"]],
    [{ rows: [1] }, [{ rows: [1, 2] }], ["/rows"]],
    [{ a: 1 }, [{ a: 1, "b/c": 2 }], ["/b~1c"]],
    [{ a: [] }, [{ a: {} }], ["/a"]],
    [1, [2], undefined],
    [[1], [[1, 2]], undefined],
  ];
  for (const [output, others, expected] of cases) {
    it(`are ${expected === undefined ? "all" : expected.join(" and ") || "none"} in ${JSON.stringify(output)} beside ${JSON.stringify(others)}`, () => {
      assert.deepEqual(varyingPointers(output, others), expected);
    });
  }

  it("are summarized by a parent if a suite could not list all", () => {
    const rows = (of: number): JsonValue => ({
      rows: Array.from({ length: 300 }, (_, row) => ({ row, of })),
    });
    assert.deepEqual(varyingPointers(rows(1), [rows(2)]), ["/rows"]);
  });

  it("are found by reading each value a few times, however deep and wide outputs differ", () => {
    let reads = 0;
    const counted = <Container extends object>(container: Container): Container =>
      new Proxy(container, {
        get: (target, name) => {
          reads += 1;
          return Reflect.get(target, name);
        },
      });
    const chain = (of: number): JsonValue =>
      Array.from({ length: 900 }).reduce<JsonValue>((below) => counted({ same: 1, below }), of);
    const outputs: readonly [(of: number) => JsonValue, values: number][] = [
      [chain, 1800],
      [(of) => counted(Array.from({ length: 5000 }, (_, at) => at + of)), 5000],
    ];
    for (const [make, values] of outputs) {
      reads = 0;
      const [one, ...others] = [make(1), make(2), make(3)];
      varyingPointers(one ?? null, others);
      firstDifference(one ?? null, others[0] ?? null, []);
      outputValues(one ?? null, []);
      assert.ok(reads > values && reads < 20 * values, `${reads} for ${values}`);
    }
  });

  it("are no values to choose", () => {
    const output = { words: 2, at: "now", list: [1, []] };
    assert.deepEqual(outputValues(output, ["/at"]), [
      { pointer: "/words", value: 2 },
      { pointer: "/list/0", value: 1 },
      { pointer: "/list/1", value: [] },
    ]);
  });
});

it("A payload that a suite would change is saved as a file", () => {
  assert.equal(needsPayloadFile('{"n": 12345678901234567890}'), true);
  assert.equal(needsPayloadFile('{"n": 1, "n": 2}'), true);
  assert.equal(needsPayloadFile('{"n": 12345}'), false);
});

it("A case is named after the first value of its payload, uniquely", () => {
  assert.equal(caseName({ a: { b: ["", "Good\nmorning"] } }, "x", []), "Good morning");
  assert.equal(caseName({ a: 1 }, "x", [{ name: "1" }, { name: "1 (2)" }]), "1 (3)");
  assert.equal(caseName({}, "text-stats", []), "text-stats");
});

describe("An edit of a suite", () => {
  const one: SuiteCase = { name: "two", payload: { text: "b" } };
  const address = { slug: "text-stats", version: "1.0.0" };
  const first: SuiteCase = { name: "one", payload: { text: "a" }, expect: { output: { "/n": 1 } } };
  const texts = {
    "as it is written new": suiteText(address, [first]),
    "with tabs and CRLF": JSON.stringify(
      { format: 1, skill: "text-stats", cases: [first] },
      undefined,
      "\t",
    ).replaceAll("\n", "\r\n"),
    "on one line": JSON.stringify({ format: 1, cases: [first], skill: "text-stats" }),
  };
  for (const [how, text] of Object.entries(texts)) {
    it(`adds a case to a text ${how}`, () => {
      const added = applyEdits(text, [addCaseEdit(text, one)]);
      const read = readSuite(added, english);
      assert.deepEqual(read.ok && read.value.cases, [first, one]);
      const { indent, lines } = shapeOf(text);
      assert.deepEqual(shapeOf(added), { indent, lines: lines === 1 ? 1 : lines + 6 });
    });

    it(`replaces a value in a text ${how}`, () => {
      const edit = replaceValueEdit(text, "/cases/0/expect/output/~1n", [2]);
      assert.ok(edit !== undefined);
      const read = readSuite(applyEdits(text, [edit]), english);
      assert.deepEqual(read.ok && read.value.cases[0]?.expect, { output: { "/n": [2] } });
    });
  }

  it("replaces nothing if the value is missing", () => {
    assert.equal(replaceValueEdit(suiteText(address, [first]), "/cases/1/name", "x"), undefined);
  });

  const shapeOf = (text: string) => ({
    indent: new Set(text.split(/\r?\n/).map((line) => /^[ \t]?/.exec(line)?.[0])).size,
    lines: text.split(/\r?\n/).length,
  });
});

describe("The parts of a suite", () => {
  const texts: readonly [text: string, skill: string | undefined, payloads: readonly string[]][] = [
    [
      '{"skill": "a@1", "cases": [{"payload": {"b": [1]}}, {"payload": 2, "name": "c"}]}',
      '"a@1"',
      ['0 {"b": [1]}', "1 2"],
    ],
    [
      '{"cases": [{"payload": {"payload": 1, "cases": [{"payload": 2}]} }]',
      undefined,
      ['0 {"payload": 1, "cases": [{"payload": 2}]}'],
    ],
    ['{"skill": , "cases": [{"name": "skill", "payload": }, {"name": "b"', "", ["0 "]],
    ['{"cases": [{"payload": {"te', undefined, ['0 {"te']],
    ['{"skill": "te', '"te', []],
    ['{"other": {"skill": 1}, "cases": {"payload": 1}}', undefined, []],
    ["", undefined, []],
  ];
  for (const [text, skill, payloads] of texts) {
    it(`are found in ${text || "nothing"}`, () => {
      const found = suiteParts(text);
      const written = ({ start, end }: { readonly start: number; readonly end: number }) =>
        text.slice(start, end).trim();
      assert.deepEqual(found.skill && written(found.skill), skill);
      const address = skill === '"a@1"' ? { slug: "a", version: "1" } : undefined;
      assert.deepEqual(found.address, address);
      assert.deepEqual(
        found.payloads.map((part) => `${part.index} ${written(part)}`),
        payloads,
      );
    });
  }
});

describe("The texts about cases to choose from", () => {
  it("name the varying parts of an output, and in how many runs", () => {
    const textOf = (varies: readonly string[], others: number) =>
      variationText(varies, others, english);
    assert.equal(textOf([], 0), "as it is now");
    assert.equal(textOf([], 2), "it was the same in 3 runs");
    assert.equal(textOf(["/id", "/at"], 1), "except /id, /at, which differed in 2 runs");
  });

  it("count the cases of a suite", () => {
    const address = { slug: "a", version: "" };
    const textOf = (...names: readonly string[]) =>
      caseCountText({ address, cases: names.map((name) => ({ name })) }, english);
    assert.deepEqual([textOf("a"), textOf("a", "b")], ["1 case", "2 cases"]);
  });
});

it("accepts as a case's name what a suite accepts", () => {
  const problem = (name: string) => caseNameProblem(name, [{ name: "a" }], english);
  assert.equal(problem("b"), "");
  assert.equal(problem("b".repeat(200)), "");
  assert.equal(problem(" "), "Enter a name.");
  assert.equal(problem(" a "), "Another case has this name already.");
  assert.equal(problem("b".repeat(201)), "At most 200 characters.");
});
