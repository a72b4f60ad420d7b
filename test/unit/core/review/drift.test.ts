import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SkillAtRegistry } from "../../../../src/core/review/skillStanding";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { reviewedSkill } from "./reviewedSkill";
import { atRegistry, check, first, none, nothing, reviewed } from "./standings";

describe("the standing of a skill", () => {
  const drifts: readonly (readonly [
    what: string,
    now: SkillAtRegistry,
    kinds: readonly string[],
    text: string,
  ])[] = [
    [
      "the same version with another schema",
      atRegistry({ inputSchema: { type: "object" }, outputSchema: true }),
      ["contract-changed"],
      "text-stats@1.0.0 has a different contract than the one reviewed, under the same version: Input: text: no longer described; Output: no longer: object.",
    ],
    [
      "more permissions under the same version",
      atRegistry({ permissions: { ...none, network: true, filesystem: "write" } }),
      ["contract-changed", "permissions-raised"],
      "text-stats@1.0.0 has more permissions than were reviewed: writes files on the machine it runs on; connects to other services over the network.",
    ],
    [
      "permissions that are no longer provided",
      atRegistry({ permissions: undefined }, { version: "1.1.0" }),
      ["permissions-raised", "version-unreviewed"],
      "text-stats@1.1.0: the registry no longer provides its permissions. Assume full access.",
    ],
    [
      "a lower verification",
      atRegistry({}, { verificationStatus: "suspended" }),
      ["verification-lowered"],
      "text-stats@1.0.0 is now “Suspended” at the registry; it was “Verified” when reviewed.",
    ],
    [
      "another publisher",
      atRegistry({}, { publisher: { name: "Night Shift", slug: "night-shift" } }),
      ["publisher-changed"],
      "The publisher of text-stats@1.0.0 is now night-shift; it was plainworks when reviewed.",
    ],
    [
      "another price",
      atRegistry({ prices: [{ billingModel: "per_call", unitAmountCents: 5, currency: "USD" }] }),
      ["price-changed"],
      "New price of text-stats@1.0.0: $0.05 per invocation. When reviewed: $0.02 per invocation.",
    ],
    [
      "a new version with the same contract",
      atRegistry({}, { version: "1.0.1" }),
      ["version-unreviewed"],
      "text-stats@1.0.1 is not reviewed for safe-to-try. Its contract is the same as in 1.0.0: review the changes since then.",
    ],
    [
      "a new version with another contract",
      atRegistry({ inputSchema: true }, { version: "2.0.0" }),
      ["version-unreviewed"],
      "text-stats@2.0.0 is not reviewed for safe-to-try. Review what changed since 1.0.0: Input: text: no longer described; Input: no longer: object.",
    ],
    [
      "a new version that requires a new property",
      atRegistry(
        {
          inputSchema: {
            ...(reviewedSkill().inputSchema as object),
            properties: {
              ...((reviewedSkill().inputSchema as { properties?: object }).properties ?? {}),
              priority: { type: "string" },
            },
            required: ["text", "priority"],
          },
        },
        { version: "2.0.0" },
      ),
      ["version-unreviewed"],
      "text-stats@2.0.0 is not reviewed for safe-to-try. Review what changed since 1.0.0: Input: text: now required; Input: priority: new, required: string.",
    ],
  ];
  for (const [what, now, kinds, text] of drifts) {
    it(`has drifted with ${what}`, () => {
      const found = check(first, now);
      assert.deepEqual(found.kinds, kinds);
      assert.ok(found.texts.includes(text), found.texts.join("\n"));
      assert.equal(found.name, "drifted");
    });
  }

  /** Returns the skill of a registry that leaves out a fact. */
  const without = (left: "publisher" | "verificationStatus") => {
    const { [left]: _, ...summary } = reviewedSkill().summary;
    return atRegistry({ summary: summary as SkillDetail["summary"] });
  };

  it("is unknown if the registry no longer returns the reviewed publisher, since the contract has another hash", () => {
    const found = check(first, without("publisher"));
    assert.deepEqual(found, {
      name: "unknown",
      kinds: [],
      texts: [],
      notKnown: [
        "text-stats@1.0.0 could not be compared with its review: the registry no longer returns its publisher.",
      ],
    });
  });

  it("is unknown for another reason if the registry's list of publishers may only leave it out", () => {
    const silent = without("publisher");
    const unlisted = [
      "The publisher of text-stats@1.0.0 is not known: the registry lists only some skills of each publisher. Otherwise its contract is as reviewed.",
    ];
    const found = (now: SkillAtRegistry) => check(first, now);
    const lists = [["other", "plainworks"], "any"] as const;
    for (const cutOffPublishers of lists) {
      const { name, notKnown } = found({ ...silent, cutOffPublishers });
      assert.deepEqual([name, notKnown], ["unknown", unlisted]);
    }
    const isLost = ({ notKnown }: ReturnType<typeof found>) =>
      /no longer returns its publisher/.test(notKnown.join());
    assert.ok(isLost(found({ ...silent, cutOffPublishers: ["other"] })));
    // Anything else that is new or unknown makes it a difference of another weight.
    const { summary } = reviewedSkill();
    const { publisher: _, ...unnamed } = summary;
    const dearer = atRegistry({
      summary: unnamed,
      prices: [{ billingModel: "per_call", unitAmountCents: 3, currency: "USD" }],
    });
    assert.ok(isLost(found({ ...dearer, cutOffPublishers: "any" })));
    const other = atRegistry({ summary: unnamed, outputSchema: { type: "string" } });
    assert.ok(isLost(found({ ...other, cutOffPublishers: "any" })));
    const deprecated = { ...silent, verification: "deprecated" };
    const reviewedSo = reviewed(nothing, atRegistry({}, { verificationStatus: "deprecated" }));
    assert.deepEqual(check(reviewedSo, deprecated).notKnown, unlisted);
  });

  it("has drifted with a publisher that the registry returns only now, since nobody reviewed it", () => {
    const found = check(reviewed(nothing, without("publisher")), atRegistry());
    assert.deepEqual(found.texts, [
      "The publisher of text-stats@1.0.0 is now plainworks; it was unknown when reviewed.",
    ]);
  });

  it("compares amounts and currencies of prices that only one side has", () => {
    const stated = { billingModel: "per_call", unitAmountCents: 2, currency: "USD" };
    const silent = atRegistry({ prices: [{ billingModel: "per_call" }] });
    const noCurrency = atRegistry({ prices: [{ billingModel: "per_call", unitAmountCents: 2 }] });
    const whole = atRegistry({ prices: [stated] });
    for (const partly of [silent, noCurrency]) {
      const lost = check(reviewed(nothing, whole), partly);
      assert.deepEqual([lost.name, lost.kinds], ["unknown", []]);
      const appeared = check(reviewed(nothing, partly), whole);
      assert.deepEqual([appeared.name, appeared.kinds], ["drifted", ["price-changed"]]);
    }
  });

  it("has drift if the registry suspended, rejected or removed the skill", () => {
    const unattested = reviewed(nothing, without("verificationStatus"));
    const suspended = atRegistry({}, { verificationStatus: "suspended" });
    assert.deepEqual(check(unattested, suspended).texts, [
      "text-stats@1.0.0 is “Suspended” at the registry, so it cannot be invoked.",
    ]);
    const current = { ok: false as const, failure: { kind: "notFound" as const } };
    const gone = check(first, atRegistry(), { current });
    assert.deepEqual([gone.name, gone.kinds, gone.notKnown], ["drifted", ["not-offered"], []]);
    // The name of a skill that was never reviewed may be misspelled.
    assert.deepEqual(check(nothing, atRegistry(), { current }).kinds, []);
  });

  it("has all drift, the worst first", () => {
    const now = atRegistry(
      {
        permissions: { ...none, secretCount: 1 },
        prices: [{ billingModel: "free" }],
        runtime: { type: "local" },
      },
      { verificationStatus: "rejected", publisher: { name: "X" } },
    );
    assert.deepEqual(check(reviewed(nothing, atRegistry(), { until: "2026-11-21" }), now).kinds, [
      "contract-changed",
      "permissions-raised",
      "verification-lowered",
      "publisher-changed",
      "price-changed",
      "expired",
    ]);
  });

  it("treats a price that the registry no longer returns as unknown, not as changed", () => {
    const found = check(first, atRegistry({ prices: [] }));
    assert.deepEqual([found.name, found.kinds], ["unknown", []]);
    assert.match(JSON.stringify(found.notKnown), /prices|price/);
  });

  it("has no drift with fewer permissions or a better verification", () => {
    const before = atRegistry(
      { permissions: { ...none, network: true } },
      { verificationStatus: "submitted" },
    );
    const next = atRegistry({}, { version: "1.1.0" });
    assert.equal(check(reviewed(reviewed(nothing, before), next), next).name, "reviewed");
  });
});
