import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { applyEdits } from "../../../../../src/core/payload/fixes/textEdit";
import {
  type CaseTexts,
  caseNameAt,
  removeOutputEdit,
  renameCase,
  renameOutputEdit,
} from "../../../../../src/core/suite/names/renameCase";
import { writeSnapshots } from "../../../../../src/core/suite/suite";
import { english } from "../../../../../src/core/text/language";

const cases = [
  { name: 'say "hi"', payload: { text: "a" }, expect: { snapshot: true } },
  { name: "say", payload: { text: "b" } },
  { name: "third", payload: { text: '{{case:say "hi"/words}}', say: '{{case:say}} say "hi"' } },
  { name: "fourth", payloadFile: "fourth.json" },
];
const suite = JSON.stringify({ format: 1, skill: "text-stats", cases }, undefined, 2);
const outputs = new Map([['say "hi"', { words: 1 }]]);
const texts: CaseTexts = {
  suite,
  snapshots: writeSnapshots(outputs),
  payloadFile: () => '{ "text": "{{case:say \\"hi\\"/lines}} {{case:third}}" }',
};

/** Renames the case whose name contains a text. */
function rename(wanted: string, to: string, given = texts) {
  const at = caseNameAt(given.suite, given.suite.indexOf(JSON.stringify(wanted)) + 2);
  assert.ok(at);
  return renameCase(given, at, to, english);
}

describe("Renaming a case", () => {
  it("renames its stored output and all references to it, in the suite and in payload files", () => {
    const renaming = rename('say "hi"', " greets\\ ");
    assert.ok(!("problem" in renaming));
    const after = JSON.parse(applyEdits(suite, renaming.suite));
    assert.equal(after.cases[0].name, "greets\\");
    assert.deepEqual(after.cases[2].payload, {
      text: "{{case:greets\\/words}}",
      say: '{{case:say}} say "hi"',
    });
    assert.deepEqual(JSON.parse(applyEdits(texts.snapshots ?? "", renaming.snapshots)).outputs, {
      "greets\\": { words: 1 },
    });
    const inFile = renaming.payloadFiles.get("fourth.json") ?? [];
    assert.equal(
      JSON.parse(applyEdits(texts.payloadFile({ name: "" }) ?? "", inFile)).text,
      "{{case:greets\\/lines}} {{case:third}}",
    );
  });

  for (const [to, reason] of [
    ["", /Enter a name/],
    ["third", /Another case has this name/],
    ["old", /An output is stored under this name/],
    ['say "hi"/words', /would lead to another case/],
  ] as const) {
    it(`is rejected for the name “${to}”`, () => {
      const snapshots = writeSnapshots(new Map([...outputs, ["old", { words: 1 }]]));
      const renaming = rename("say", to, { ...texts, snapshots });
      assert.match("problem" in renaming ? renaming.problem : "", reason);
    });
  }

  it("is rejected in a suite with problems", () => {
    const broken = suite.replace('"third"', '"say"');
    const renaming = rename('say "hi"', "new", { ...texts, suite: broken });
    assert.match("problem" in renaming ? renaming.problem : "", /Fix the problems/);
  });

  it("is offered only at a name", () => {
    assert.equal(caseNameAt(suite, suite.indexOf("text-stats")), undefined);
    assert.equal(caseNameAt("{", 1), undefined);
  });
});

describe("A stored output", () => {
  const text = writeSnapshots(
    new Map<string, number>([
      ['a "b"', 1],
      ["c", 2],
    ]),
  );

  it("gets another name at its place", () => {
    const edit = renameOutputEdit(text, 'a "b"', "d");
    assert.ok(edit);
    assert.deepEqual(Object.entries(JSON.parse(applyEdits(text, [edit])).outputs), [
      ["d", 1],
      ["c", 2],
    ]);
  });

  it("is removed from its file, which stays valid", () => {
    for (const [name, left] of [
      ['a "b"', { c: 2 }],
      ["c", { 'a "b"': 1 }],
    ] as const) {
      const edit = removeOutputEdit(text, name);
      assert.ok(edit);
      assert.deepEqual(JSON.parse(applyEdits(text, [edit])).outputs, left);
    }
    assert.equal(removeOutputEdit(text, "none"), undefined);
  });
});
