import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { describeCallability } from "../../../../src/core/invocation/permission/callability";
import { invocationFacts } from "../../../../src/core/payload/invocationFacts";
import { english } from "../../../../src/core/text/language";
import { fullSkill, fixtureNow as now } from "../../../fixtures/skillDetail";

const { billingModel: _billingModel, ...unpriced } = fullSkill.summary;

describe("invocationFacts", () => {
  it("The price is shown, with the reason why the skill probably cannot run", () => {
    const advice = describeCallability(fullSkill, { hasKey: false, invocations: [], now }, english);
    const { price, obstacle } = invocationFacts(fullSkill, advice, english);
    assert.match(price, /\$/);
    assert.equal(obstacle, "No Project Key is kept for this registry. Set one first.");
  });

  it("Nothing is shown without a known price or obstacle", () => {
    const skill = { ...fullSkill, prices: undefined, summary: unpriced };
    const advice = describeCallability(skill, { hasKey: true, invocations: [], now }, english);
    assert.deepEqual(invocationFacts(skill, advice, english), { price: "", obstacle: "" });
  });
});
