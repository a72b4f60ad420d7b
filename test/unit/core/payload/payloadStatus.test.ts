import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  hiddenProblemsText,
  type PayloadCheck,
  uncheckedPayload,
} from "../../../../src/core/payload/payloadCheck";
import { type PayloadState, payloadStatusText } from "../../../../src/core/payload/payloadStatus";
import { english } from "../../../../src/core/text/language";
import { bareSkill } from "../../../fixtures/skillDetail";

const checked = (check: Partial<PayloadCheck>, skill = bareSkill): PayloadState => ({
  kind: "checked",
  skill,
  check: { state: "valid", problems: [], hiddenProblems: 0, ...check },
});

describe("the status bar for a payload", () => {
  const cases: readonly (readonly [PayloadState, icon: string, words: string, tooltip: RegExp])[] =
    [
      [{ kind: "checking" }, "loading~spin", "checking", /input schema/],
      [
        { kind: "unavailable", failure: { kind: "notFound", message: "No such skill." } },
        "question",
        "not checked",
        /No such skill/,
      ],
      [checked({}), "pass", "valid", /^The payload is valid$/],
      [checked({ state: "invalid", hiddenProblems: 3 }), "error", "3 problems", /problems/],
      [checked({ state: "unchecked" }), "question", "not checked", /not validated/],
      [
        checked({ state: "unchecked", reason: "Too deep." }),
        "question",
        "not checked",
        /^Too deep/,
      ],
    ];
  for (const [state, icon, words, tooltip] of cases) {
    it(`shows ${icon} and “${words}”, with the tooltip ${tooltip}`, () => {
      const shown = payloadStatusText(state, 0, english);
      assert.deepEqual([shown.icon, shown.words], [icon, words]);
      assert.match(shown.tooltip, tooltip);
    });
  }

  it("counts what the editor lists, and what no list has", () => {
    const countOf = (listed: number, check: Partial<PayloadCheck>) =>
      payloadStatusText(checked(check), listed, english).words;
    const problems = uncheckedPayload("", "").problems.map((problem) => ({
      ...problem,
      severity: "error" as const,
    }));
    assert.equal(countOf(2, { state: "invalid" }), "2 problems");
    assert.equal(countOf(200, { state: "invalid", hiddenProblems: 3 }), "203 problems");
    assert.equal(countOf(2, { state: "unchecked", problems }), "2 problems, not all checked");
    assert.equal(countOf(1, { state: "unchecked" }), "not checked");
  });

  it("has the project's version below it", () => {
    const { summary } = bareSkill;
    const skill = {
      ...bareSkill,
      summary: { ...summary, version: "1.0.0" },
      pinned: { project: "shop", version: "2.0.0" },
    };
    const { tooltip } = payloadStatusText(checked({}, skill), 0, english);
    assert.match(tooltip, /^The payload is valid\n.*shop.*2\.0\.0/);
  });
});

describe("unlisted problems", () => {
  const textOf = (hiddenProblems: number) =>
    hiddenProblemsText({ state: "invalid", problems: [], hiddenProblems }, english);

  it("are counted if there are any", () => {
    assert.deepEqual([0, 1, 2].map(textOf), [
      "",
      "1 more problem is not listed.",
      "2 more problems are not listed.",
    ]);
  });
});
