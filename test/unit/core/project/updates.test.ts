import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { PayloadCheck, PayloadProblem } from "../../../../src/core/payload/payloadCheck";
import type { InstalledSkill } from "../../../../src/core/project/project";
import {
  brokenBy,
  brokenText,
  earlierVersions,
  rollBackQuestion,
  withPinned,
} from "../../../../src/core/project/updates";
import { english } from "../../../../src/core/text/language";

const problem = (severity: PayloadProblem["severity"], message: string): PayloadProblem => ({
  code: "required",
  message,
  severity,
  start: 0,
  end: 0,
  pointer: "",
});
const check = (state: PayloadCheck["state"], ...problems: PayloadProblem[]): PayloadCheck => ({
  state,
  problems,
  hiddenProblems: 0,
});
const skill = (changes: Partial<InstalledSkill> = {}): InstalledSkill => ({
  slug: "abc",
  name: "Abc",
  version: "2.0.0",
  status: "installed",
  ...changes,
});

describe("the payloads that an update breaks", () => {
  const [valid, unchecked] = [check("valid"), check("unchecked")];
  const invalid = check("invalid", problem("warning", "Old."), problem("error", "Must have csv."));
  const rows: readonly [before: PayloadCheck, after: PayloadCheck, isBroken: boolean][] = [
    [valid, invalid, true],
    [unchecked, invalid, true],
    [invalid, invalid, false],
    [valid, valid, false],
    [invalid, valid, false],
    [valid, unchecked, false],
  ];
  for (const [before, after, isBroken] of rows) {
    it(`are ${isBroken ? "" : "not "}those that are ${before.state}, then ${after.state}`, () => {
      const broken = brokenBy("a/b.json", before, after);
      assert.equal(broken !== undefined, isBroken);
      if (broken === undefined) return;
      const text = "a/b.json would no longer be valid: Must have csv.";
      assert.equal(brokenText(broken, english), text);
      assert.equal(brokenText({ ...broken, count: 3 }, english), `${text} And 2 more.`);
    });
  }
});

describe("a rollback", () => {
  it("returns to the earlier pinned version, then to older listed versions", () => {
    const listed = ["2.1.0", "1.9.0", "2.0.0", "1.10.0", "1.0.0"].map((version) => ({ version }));
    assert.deepEqual(earlierVersions(skill(), ["2.1.0", "1.9.0"], listed), [
      "2.1.0",
      "1.9.0",
      "1.10.0",
      "1.0.0",
    ]);
    assert.deepEqual(earlierVersions(skill(), [], []), []);
  });

  it("skips listed versions that cannot be installed", () => {
    const listed = [
      { version: "1.3.0", status: "approved" },
      { version: "1.2.0", status: "Rejected" },
      { version: "1.1.0", status: "draft" },
      { version: "1.0.0", status: "a word of its own" },
      { version: "0.9.0" },
    ];
    assert.deepEqual(earlierVersions(skill(), ["1.2.0"], listed), ["1.3.0", "1.0.0", "0.9.0"]);
  });

  it("remembers the last five versions that a change replaced", () => {
    const at = (version: string) => [skill({ version })];
    let known: Readonly<Record<string, readonly string[]>> = {};
    for (const version of [1, 2, 3, 4, 5, 6, 2]) {
      known = withPinned(at(`${version}.0.0`), at(`${version + 1}.0.0`), known);
    }
    assert.deepEqual(known, { abc: ["2.0.0", "6.0.0", "5.0.0", "4.0.0", "3.0.0"] });
    assert.equal(withPinned(at("1.0.0"), at("1.0.0"), known), known);
    assert.equal(withPinned(at("1.0.0"), [], known), known);
  });

  it("names the replaced version, and that high permissions need approval again", () => {
    const project = { slug: "demo", name: "Demo" };
    const high = skill({ permissionLevel: "high" });
    assert.deepEqual(rollBackQuestion(high, "1.0.0", project, english), {
      message: "Roll back abc to 1.0.0 in Demo?",
      detail: [
        "Replaces the installed version 2.0.0.",
        "With high permissions it has to be approved again.",
      ],
      agree: "Roll Back",
    });
  });
});
