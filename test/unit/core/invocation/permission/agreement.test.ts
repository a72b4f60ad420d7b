import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { changeSinceAgreed } from "../../../../../src/core/invocation/permission/agreement";
import type { SkillDetail } from "../../../../../src/core/skill/skill";
import { english } from "../../../../../src/core/text/language";
import { fullSkill } from "../../../../fixtures/skillDetail";

describe("a skill after an agreement", () => {
  const withStatus = (verificationStatus: string): SkillDetail => ({
    ...fullSkill,
    summary: { ...fullSkill.summary, verificationStatus },
  });
  const { slug } = fullSkill.summary;
  const { billingModel: _, ...unbilled } = fullSkill.summary;
  const { publisher: __, ...anonymous } = fullSkill.summary;
  const unpublished: Partial<SkillDetail> = { summary: anonymous, unanswered: ["publisher"] };
  const unpriced: SkillDetail = { ...fullSkill, summary: unbilled, prices: [] };
  const readings: readonly (readonly [string, SkillDetail, RegExp | undefined])[] = [
    ["is as it was", fullSkill, undefined],
    ["is deprecated", withStatus("deprecated"), undefined],
    ["is suspended", withStatus("suspended"), / was not invoked: .+ \(skill_not_allowed\)$/],
    ["is a draft again", withStatus("draft"), / was not invoked: .+ \(skill_not_verified\)$/],
    [
      "is another version",
      { ...fullSkill, summary: { ...fullSkill.summary, version: "99.0.0" } },
      / was not invoked: it changed at the registry after it was agreed to\. Version 99\.0\.0 instead of /,
    ],
    [
      "runs elsewhere",
      { ...fullSkill, runtime: { type: "http", entry: "https://evil.example/run" } },
      / after it was agreed to\. .*Where it runs: evil\.example \(was: /,
    ],
    ["has a publisher that did not arrive", { ...fullSkill, ...unpublished }, undefined],
    ["has no price anymore", unpriced, / Price: not provided \(was: .+, not compared\./],
  ];
  for (const [name, value, expected] of readings) {
    it(`gives ${expected === undefined ? "no" : "a"} reason to ask again if it ${name}`, () => {
      const said = changeSinceAgreed(fullSkill, { ok: true, value }, english);
      if (expected === undefined) assert.equal(said, undefined);
      else assert.match(said ?? "", expected);
      assert.ok(said === undefined || said.startsWith(slug), said);
    });
  }
});
