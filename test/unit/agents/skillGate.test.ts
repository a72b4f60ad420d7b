import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { changesSinceAllowed } from "../../../src/agents/skillGate";
import {
  noAgentSettings,
  readAgentSettings,
  withAgreementAbout,
} from "../../../src/core/agents/agentAgreements";
import type { SkillDetail } from "../../../src/core/skill/skill";
import { english } from "../../../src/core/text/language";
import { agreedNow } from "../../fixtures/agentFacts";
import { fullSkill } from "../../fixtures/skillDetail";

const longSkill: SkillDetail = {
  ...fullSkill,
  inputSchema: { description: "x".repeat(200_000) },
};

describe("what changed since a person allowed it", () => {
  for (const [name, skill] of Object.entries({ short: fullSkill, long: longSkill })) {
    const written = JSON.stringify(withAgreementAbout(noAgentSettings, agreedNow(skill)));
    const agreement = readAgentSettings(JSON.parse(written))?.skills[0];
    const now = (entry: string | undefined, args: readonly string[] = []) => {
      const type = skill.runtime?.type ?? "";
      const runtime = { type, args, ...(entry !== undefined && { entry }) };
      return changesSinceAllowed({ ...skill, runtime }, agreement, english);
    };
    const { entry = "" } = skill.runtime ?? {};

    it(`is nothing for a ${name} contract where the skill is the same or its address has another query`, () => {
      assert.deepEqual(now(entry), []);
      assert.deepEqual(now(`${entry}?sig=2`), []);
    });
    it(`is where it runs for a ${name} contract where the path is another one`, () => {
      const [change, ...others] = now(`${entry}/other`);
      assert.match(change ?? "", /^Where it runs: .*profile\/other \(was: /);
      assert.deepEqual(others, []);
    });
  }

  it("is kept in an agreement about a long contract as its address alone", () => {
    const { contract, entry } = agreedNow(longSkill);
    assert.deepEqual([contract, entry], [undefined, fullSkill.runtime?.entry]);
  });
});
