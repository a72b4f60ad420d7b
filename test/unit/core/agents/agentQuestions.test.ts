import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { noAgentSettings, withAgreementAbout } from "../../../../src/core/agents/agentAgreements";
import { agentOverviewText } from "../../../../src/core/agents/agentOverview";
import { allowQuestion } from "../../../../src/core/agents/agentQuestions";
import type { CallabilityFacts } from "../../../../src/core/invocation/permission/callabilityFacts";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { english, l10nText } from "../../../../src/core/text/language";
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
    return allowQuestion(skill, agreedNow(), target, noAgentSettings, known, english).detail.join(
      "\n",
    );
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

  it("shows in the overview what is wrong with the input schema of an allowed skill", () => {
    const agreement = agreedNow();
    const overview = refusedWith([]);
    const settings = withAgreementAbout(overview.settings, agreement);
    const message = l10nText(
      "No value fits this schema. Change the parts that exclude each other.",
    );
    const mistakes = new Map([[agreement, [{ pointer: "/properties/a", message }]]]);
    const text = agentOverviewText({ ...overview, settings, mistakes }, english);
    assert.match(text, /csv-profile about its input schema at \/properties\/a: No value fits this/);
  });

  it("names the reason if a skill cannot be a tool of its own, as the overview does", () => {
    const alternatives = { ...fullSkill, inputSchema: { type: "object", oneOf: [{}] } };
    const { contract: _, ...long } = agreedNow();
    const overview = refusedWith([]);
    const others = Array.from({ length: 20 }, (_, index) =>
      agreedNow(undefined, { skill: `skill-${index}` }),
    ).reduce(withAgreementAbout, overview.settings);
    const tooMany = "all allowed skills together are too much for a list of tools";
    for (const [agreement, reason, before] of [
      [agreedNow(), undefined, overview.settings],
      [agreedNow(), tooMany, others],
      [agreedNow(undefined, { registry: "built-in" }), undefined, others],
      [agreedNow(alternatives), "its input schema has oneOf at its root", overview.settings],
      [long, "its contract is too long", overview.settings],
    ] as const) {
      const { detail } = allowQuestion(fullSkill, agreement, target, before, nothing, english);
      const line = `No tool of its own, only invoke_skill: ${reason}.`;
      assert.equal(detail.includes(line), reason !== undefined);
      const settings = withAgreementAbout(before, agreement);
      const all = agentOverviewText({ ...overview, settings }, english).split("\n");
      const [row = ""] = all.filter((text) => text.includes(`${agreement.skill}@`)).slice(-1);
      assert.equal(row.includes(line), reason !== undefined, row);
      assert.equal(row.includes("No tool of its own"), reason !== undefined);
    }
  });
});
