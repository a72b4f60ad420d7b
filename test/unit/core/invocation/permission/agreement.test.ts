import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import {
  agreementMs,
  changeSinceAgreed,
  holdAgreement,
} from "../../../../../src/core/invocation/permission/agreement";
import type { SkillDetail } from "../../../../../src/core/skill/skill";
import { english } from "../../../../../src/core/text/language";
import { fullSkill } from "../../../../fixtures/skillDetail";

describe("an agreement to many invocations", () => {
  const next = { skillSlug: "text-stats", version: "1.0.0", inputText: "{}" };

  it("is asked for again each time it is five minutes old, and no sooner", async () => {
    let [now, asked] = [1000, 0];
    const objection = holdAgreement(
      1000,
      () => now,
      async (invocation) => {
        assert.equal(invocation, next);
        asked += 1;
        return undefined;
      },
    );
    for (const [time, times] of [
      [1000 + agreementMs - 1, 0],
      [1000 + agreementMs, 1],
      [1000 + 2 * agreementMs - 1, 1],
      [1000 + 2 * agreementMs, 2],
    ] as const) {
      now = time;
      assert.equal(await objection(next), undefined);
      assert.equal(asked, times);
    }
  });

  it("is asked for once more where the answer took as long", async () => {
    let [now, asked] = [agreementMs, 0];
    const objection = holdAgreement(
      0,
      () => now,
      async () => {
        asked += 1;
        if (asked === 1) now += agreementMs;
        return undefined;
      },
    );
    assert.equal(await objection(next), undefined);
    assert.equal(asked, 2);
  });

  it("is over with the first objection", async () => {
    let now = agreementMs;
    const answers = ["It changed.", undefined];
    const objection = holdAgreement(
      0,
      () => now,
      async () => answers.shift(),
    );
    assert.equal(await objection(next), "It changed.");
    now += agreementMs;
    assert.equal(await objection(next), "It changed.");
  });
});

describe("a skill that was agreed to, read again", () => {
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
    it(`says ${expected === undefined ? "nothing" : "why"} where it ${name}`, () => {
      const said = changeSinceAgreed(fullSkill, { ok: true, value }, english);
      if (expected === undefined) assert.equal(said, undefined);
      else assert.match(said ?? "", expected);
      assert.ok(said === undefined || said.startsWith(slug), said);
    });
  }
});
