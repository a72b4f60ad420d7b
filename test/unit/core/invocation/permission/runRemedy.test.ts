import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { runRemedy } from "../../../../../src/core/invocation/permission/gateNotices";
import { english } from "../../../../../src/core/text/language";

describe("the remedy for an invocation that probably cannot run", () => {
  const cases: readonly [
    what: string,
    code: string,
    version: string,
    installed: string | undefined,
    title: string | undefined,
  ][] = [
    [
      "the payload is for an older version",
      "skill_not_installed",
      "1.0.0",
      "2.0.0",
      "Update Payload to 2.0.0",
    ],
    [
      "the code is spelled otherwise",
      "SKILL-NOT-INSTALLED",
      "1.0.0",
      "2.0.0",
      "Update Payload to 2.0.0",
    ],
    ["nothing is installed", "skill_not_installed", "1.0.0", undefined, "Install…"],
    ["the payload is for any version", "skill_not_installed", "", "2.0.0", "Install…"],
    ["an approval is pending", "skill_not_approved", "1.0.0", "1.0.0", "Approve…"],
    ["a policy changed", "network_not_allowed", "1.0.0", "1.0.0", "Allow in Policy…"],
    ["the payment is overdue", "subscription_past_due", "1.0.0", "1.0.0", undefined],
    ["the code is unknown", "new_code", "1.0.0", "1.0.0", undefined],
  ];
  for (const [what, code, version, installed, title] of cases) {
    it(`is ${title ?? "nothing"} if ${what}`, () => {
      const project = installed === undefined ? {} : { version: installed };
      assert.equal(runRemedy({ code }, version, project, english)?.title, title);
    });
  }
});
