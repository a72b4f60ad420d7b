import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { findBlock } from "../../../src/localRegistry/runtime/projectPolicy";
import { burstLimited } from "../../../src/localRegistry/skills/burstLimited";
import { draftWriter } from "../../../src/localRegistry/skills/draftWriter";
import { marketData } from "../../../src/localRegistry/skills/marketData";
import { redactPii } from "../../../src/localRegistry/skills/redactPii";
import { vaultRotate } from "../../../src/localRegistry/skills/vaultRotate";

const fresh = { callsInWindow: 1, spentCents: 0 };

describe("the demo project's policy", () => {
  it("lets a call pass until its budget would be passed", () => {
    const [release] = redactPii.releases;
    assert.equal(findBlock(redactPii, release, { ...fresh, spentCents: 998 }), undefined);
    const block = findBlock(redactPii, release, { ...fresh, spentCents: 999 });
    assert.equal(block?.code, "budget_exceeded");
    assert.deepEqual(block?.budget, { ok: false, limitCents: 1000, usedCents: 999 });
  });

  it("lets calls pass up to the limit of a minute", () => {
    const [release] = burstLimited.releases;
    const code = (callsInWindow: number) =>
      findBlock(burstLimited, release, { ...fresh, callsInWindow })?.code;
    assert.deepEqual([1, 3, 4].map(code), [undefined, undefined, "rate_limit_exceeded"]);
  });

  it("looks at the state before the permissions, and at those before payment and rate", () => {
    const worst = { ...marketData, limits: { callsPerMinute: 0, monthlyBudgetCents: 0 } };
    const codes = [
      findBlock({ ...worst, verificationStatus: "submitted" }, draftWriter.releases[0], fresh),
      findBlock(worst, vaultRotate.releases[0], fresh),
      findBlock(worst, marketData.releases[0], fresh),
      findBlock({ ...worst, limits: { monthlyBudgetCents: 0 } }, marketData.releases[0], fresh),
      findBlock(marketData, marketData.releases[0], fresh),
    ];
    assert.deepEqual(
      codes.map((block) => block?.code),
      [
        "skill_not_verified",
        "permission_level_exceeded",
        "rate_limit_exceeded",
        "budget_exceeded",
        "subscription_required",
      ],
    );
  });
});
