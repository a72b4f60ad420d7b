import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { WindowTarget } from "../../../../src/core/invocation/record/invocationLabels";
import { caseCost, casesQuestion, mayCostMore } from "../../../../src/core/suite/caseCost";
import { english } from "../../../../src/core/text/language";
import { bareSkill } from "../../../fixtures/skillDetail";

describe("The question before cases are sent", () => {
  const skill = {
    ...bareSkill,
    prices: [{ billingModel: "per_call", unitAmountCents: 2, currency: "USD" }],
  };
  const planned = [{ skill, count: 2 }];

  const target = { registry: "https://a.example", environment: "staging" };

  it("says where they go, as the question about one invocation does", () => {
    const lineFor = (to: WindowTarget) => casesQuestion(planned, "live", to, english).detail[1];
    assert.equal(lineFor(target), "Sent to: staging, https://a.example.");
    const builtIn = { registry: "built-in", environment: undefined };
    assert.equal(lineFor(builtIn), "Sent to: the built-in registry, on this machine.");
    const [, run] = casesQuestion(planned, "testRun", target, english).detail;
    assert.match(run ?? "", /^Sent to: staging, https:\/\/a\.example, with your sign-in/);
  });

  it("gives their maximum cost if they are invoked", () => {
    const question = casesQuestion(planned, "live", target, english);
    assert.match(question.message, /invoking/);
    assert.equal(question.detail[0], "2 invocations, at most $0.04.");
    assert.equal(question.agree, "Invoke All");
  });

  it("reports that they count without being billed if they run in a project", () => {
    const question = casesQuestion(planned, "testRun", target, english);
    assert.match(question.message, /project/);
    assert.match(question.detail[0] ?? "", /^2 test runs, not billed\. .*rate limit\.$/);
    assert.equal(question.agree, "Run All");
  });
});

describe("Cases with a cost limit", () => {
  const inCurrency = (currency: string, count: number) => ({
    skill: { ...bareSkill, prices: [{ billingModel: "per_call", unitAmountCents: 2, currency }] },
    count,
  });

  it("stay under it in one currency, and never in several", () => {
    const one = caseCost([inCurrency("USD", 2), inCurrency("usd", 1)]);
    assert.equal(mayCostMore(one, 6), false);
    assert.equal(mayCostMore(one, 5), true);
    const both = caseCost([inCurrency("USD", 2), inCurrency("EUR", 3)]);
    assert.equal(mayCostMore(both, 1000), true);
  });

  it("are refused if a price has no amount", () => {
    const { skill } = inCurrency("USD", 1);
    const unpriced = { ...skill, prices: [{ billingModel: "per_call" }] };
    assert.equal(mayCostMore(caseCost([{ skill: unpriced, count: 1 }]), 100), true);
    assert.equal(mayCostMore(caseCost([{ skill: unpriced, count: 0 }]), 0), false);
  });
});
