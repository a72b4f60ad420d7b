import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { junitReport } from "../../../../src/cli/output/junitReport";
import type { ReportItem } from "../../../../src/core/findings/report";
import { junitProblems } from "../../../fixtures/junitRules";

function itemIn(state: ReportItem["state"], file: string): ReportItem {
  const finding = { rule: "a<b", severity: "error", message: 'He said "no" & left', file } as const;
  return {
    name: `${state} in ${file}`,
    file,
    state,
    findings: state === "good" || state === "untested" ? [] : [finding],
    milliseconds: 12,
    invocationId: "inv-<1>",
  };
}

const states = ["good", "untested", "findings", "unknown", "broken"] as const;

describe("a JUnit report", () => {
  const items = ["a.json", "", "b/é&<.json"].flatMap((file) =>
    states.map((state) => itemIn(state, file)),
  );
  const report = junitReport(items, "test", ({ file }) => `${file}: `);

  it("follows the rules of Jenkins for items in every state, with and without files", () => {
    assert.deepEqual(junitProblems(report), []);
    assert.deepEqual(junitProblems(junitReport([], "test", () => "")), []);
  });

  it("has a suite for each file, and prints the invocation ID of each case", () => {
    assert.match(report, /<testsuites tests="15" failures="3" errors="6">/);
    assert.match(
      report,
      /<testsuite name="skill-registry test: a\.json" tests="5" failures="1" errors="2" skipped="1" file="a\.json">/,
    );
    assert.match(
      report,
      /<testcase name="findings in a\.json" classname="test" time="0\.012">\n {6}<failure type="a&lt;b" message="He said &quot;no&quot; &amp; left">.*<\/failure>\n {6}<system-out>Invocation ID: inv-&lt;1&gt;<\/system-out>/,
    );
  });

  const wrong: readonly (readonly [xml: string, problem: string])[] = [
    ['<testcase name="a" file="b"/>', "testcase has file"],
    ['<testcase name="a"><properties/></testcase>', "<properties> in <testcase>"],
    ["<testcase/>", "testcase lacks name"],
    ['<testcase name="a">text</testcase>', "text in <testcase>"],
  ];
  for (const [xml, problem] of wrong) {
    it(`would break these rules with ${xml}`, () => {
      const suite = '<testsuite name="s" tests="1" failures="0" errors="0">';
      const problems = junitProblems(
        `<?xml version="1.0"?><testsuites>${suite}${xml}</testsuite></testsuites>`,
      );
      assert.deepEqual(problems, [problem]);
    });
  }
});
