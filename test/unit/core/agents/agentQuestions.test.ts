import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { withAgreementAbout } from "../../../../src/core/agents/agentAgreements";
import { agentOverviewText } from "../../../../src/core/agents/agentOverview";
import { allowQuestion } from "../../../../src/core/agents/agentQuestions";
import type { CallabilityFacts } from "../../../../src/core/skill/description/callabilityFacts";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { english } from "../../../../src/core/text/language";
import { agreedNow, refusedWith } from "../../../fixtures/agentFacts";
import { fixtureNow, fullSkill } from "../../../fixtures/skillDetail";

const nothing: CallabilityFacts = { hasKey: true, invocations: [], now: fixtureNow };
const target = { origin: "https://registry.example", isBuiltIn: false };
const withStatus = (verificationStatus: string): Partial<SkillDetail> => ({
  summary: { ...fullSkill.summary, verificationStatus },
});
const listed = (installStatus: string): CallabilityFacts => ({
  ...nothing,
  policy: {
    kind: "listed",
    at: fixtureNow,
    listed: { installStatus, approvalState: "approved", version: fullSkill.summary.version },
  },
});

describe("the question whether agents may invoke a skill", () => {
  const detailOf = (change: Partial<SkillDetail>, known = nothing) => {
    const skill = { ...fullSkill, ...change };
    return allowQuestion(skill, agreedNow(), target, known, english).detail.join("\n");
  };
  it("names a Project Key only if there is one", () => {
    const named = / with your Project Key\./;
    assert.match(detailOf({}, { ...nothing, hasKey: true }), named);
    assert.doesNotMatch(detailOf({}, { ...nothing, hasKey: undefined }), named);
  });

  const never = /cannot be invoked now|not executed|Only a project with a subscription/;

  it("has no warning for a skill that can run", () => {
    assert.doesNotMatch(detailOf({}), never);
    assert.doesNotMatch(detailOf({}, { ...nothing, hasKey: false }), never);
  });
  const cases: readonly (readonly [string, Partial<SkillDetail>, RegExp, CallabilityFacts?])[] = [
    ["is an MCP server", { runtime: { type: "mcp" } }, /not executed/],
    ["is a local program", { runtime: { type: "local" } }, /not executed/],
    ["is only submitted", withStatus("submitted"), /cannot be invoked now/],
    ["is suspended at the registry", withStatus("suspended"), /cannot be invoked now/],
    ["is suspended in the project", {}, /cannot be invoked now/, listed("suspended")],
    [
      "is billed by subscription",
      { prices: [{ billingModel: "subscription", unitAmountCents: 900, currency: "USD" }] },
      /Only a project with a subscription/,
    ],
  ];
  for (const [name, change, said, known] of cases) {
    it(`warns about a skill that ${name}`, () => {
      assert.match(detailOf(change, known), said);
    });
  }

  it("names the reason if a skill cannot be a tool of its own, as the overview does", () => {
    const alternatives = { ...fullSkill, inputSchema: { type: "object", oneOf: [{}] } };
    const { contract: _, ...long } = agreedNow();
    for (const [agreement, reason] of [
      [agreedNow(), undefined],
      [agreedNow(alternatives), "its input schema has oneOf at its root"],
      [long, "its contract is too long"],
    ] as const) {
      const { detail } = allowQuestion(fullSkill, agreement, target, nothing, english);
      const line = `No tool of its own, only invoke_skill: ${reason}.`;
      assert.equal(detail.includes(line), reason !== undefined);
      const overview = refusedWith([]);
      const settings = withAgreementAbout(overview.settings, agreement);
      const text = agentOverviewText({ ...overview, settings }, english);
      assert.equal(text.includes(line), reason !== undefined);
      assert.equal(text.includes("No tool of its own"), reason !== undefined);
    }
  });
});
