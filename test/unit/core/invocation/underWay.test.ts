import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { mostUnderWay, type UnderWayFacts } from "../../../../src/core/invocation/underWay";
import { budgetText, leftOfBudget } from "../../../../src/core/project/budget";
import type { InstalledSkill } from "../../../../src/core/project/project";
import { english } from "../../../../src/core/text/language";

const priced: UnderWayFacts = {
  price: { kind: "amount", cents: 25, currency: "USD" },
  billedCents: undefined,
  leftCents: undefined,
  hasEnded: false,
  hasLimit: false,
  isChosen: false,
};
const free: Partial<UnderWayFacts> = { price: { kind: "free" } };
const unknown: Partial<UnderWayFacts> = { price: { kind: "unknown" } };
const all = Number.POSITIVE_INFINITY;

describe("how many invocations are under way beside each other", () => {
  const cases: readonly (readonly [string, Partial<UnderWayFacts>, number])[] = [
    ["one has a price and nothing is known of a budget", {}, 1],
    ["one has a price and a person chose", { isChosen: true }, all],
    ["two fit what is left of the budget", { leftCents: 50 }, 2],
    ["two fit, whatever a person chose", { leftCents: 74, isChosen: true }, 2],
    ["none fits any more, so that the registry decides about each", { leftCents: -5 }, 1],
    ["there is no budget", { leftCents: all }, all],
    ["it is free", free, all],
    ["it is listed as free and was billed", { ...free, billedCents: 25 }, 1],
    ["it is billed more than listed", { billedCents: 50, leftCents: 100 }, 2],
    ["it is billed less than listed", { billedCents: 1, leftCents: 100 }, 4],
    ["its price is not known", { ...unknown, leftCents: 1000 }, 1],
    ["its price is not known and there is no budget", { ...unknown, leftCents: all }, 1],
    ["its price is known by what it was billed", { ...unknown, billedCents: 10, leftCents: 30 }, 3],
    ["there is a limit and none has ended", { ...free, hasLimit: true, isChosen: true }, 1],
    ["there is a limit and one has ended", { ...free, hasLimit: true, hasEnded: true }, all],
  ];
  for (const [name, facts, most] of cases) {
    it(`are ${most} where ${name}`, () =>
      assert.equal(mostUnderWay({ ...priced, ...facts }), most));
  }
});

describe("the project's budget for a skill", () => {
  const skill = (facts: Partial<InstalledSkill>): InstalledSkill => ({
    ...{ slug: "a", name: "A", version: "1.0.0", status: "installed" },
    ...facts,
  });
  const policy = { monthlyBudgetCents: 50 };
  const cases: readonly (readonly [string, InstalledSkill | undefined, number | undefined])[] = [
    ["has left what was not spent", skill({ policy, usage: { cents: 20 } }), 30],
    ["has no end where it is 0", skill({ policy: { monthlyBudgetCents: 0 } }), all],
    ["is not known without what was spent", skill({ policy }), undefined],
    ["is not known without a policy", skill({ usage: { cents: 0 } }), undefined],
    [
      "is not known where the policy is missing",
      skill({ policy, usage: { cents: 0 }, isPolicyMissing: true }),
      undefined,
    ],
    ["is not known of a skill that is not installed", undefined, undefined],
  ];
  for (const [name, installed, left] of cases) {
    it(name, () => assert.equal(leftOfBudget(installed), left));
  }
  it("is told with what was spent", () => {
    const usage = { cents: 20, currency: "USD" };
    const text = budgetText(skill({ policy, usage }), english);
    assert.equal(text, "budget $0.50 a month, $0.20 spent in all");
    assert.equal(budgetText(skill({ usage }), english), "");
  });
});
