import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { casesQuestion } from "../../../../src/core/suite/caseCost";
import { english } from "../../../../src/core/text/language";
import { bareSkill } from "../../../fixtures/skillDetail";

describe("The question before cases are sent", () => {
  const skill = {
    ...bareSkill,
    prices: [{ billingModel: "per_call", unitAmountCents: 2, currency: "USD" }],
  };
  const planned = [{ skill, count: 2 }];

  it("says what they cost at most where they are invoked", () => {
    const question = casesQuestion(planned, "live", english);
    assert.match(question.message, /invoking/);
    assert.equal(question.detail, "2 invocations, at most $0.04.");
    assert.equal(question.agree, "Invoke All");
  });

  it("says that they count though they are not billed where they run in a project", () => {
    const question = casesQuestion(planned, "testRun", english);
    assert.match(question.message, /project/);
    assert.match(question.detail, /^2 test runs, not billed\. .*rate limit\.$/);
    assert.equal(question.agree, "Run All");
  });
});
