import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { ReviewPolicy, VersionReview } from "../../../../src/core/review/files/reviewFiles";
import { firstPolicy } from "../../../../src/core/review/newReview";
import { atRegistry, check, first, nothing, registry, reviewed } from "./standings";

describe("the standing of a skill", () => {
  it("is reviewed if the registry still returns the reviewed contract", () => {
    assert.deepEqual(check(first, atRegistry()), {
      name: "reviewed",
      kinds: [],
      texts: [],
      notKnown: [],
    });
  });

  it("is unreviewed without a review, or without the required criteria", () => {
    const text = "text-stats@1.0.0 is not reviewed for safe-to-try. Review this version.";
    assert.deepEqual(check(nothing, atRegistry()), {
      name: "unreviewed",
      kinds: ["unreviewed"],
      texts: [text],
      notKnown: [],
    });
    const policy = { ...firstPolicy(), skills: { "text-stats": { require: ["customer-facing"] } } };
    assert.deepEqual(check({ ...first, policy }, atRegistry()).kinds, ["unreviewed"]);
    const forCustomers = reviewed({ ...nothing, policy }, atRegistry(), {
      criteria: ["customer-facing"],
    });
    assert.equal(check(forCustomers, atRegistry()).name, "reviewed");
    // The criterion customer-facing implies safe-to-try.
    assert.equal(check({ ...forCustomers, policy: firstPolicy() }, atRegistry()).name, "reviewed");
  });

  it("puts a violation first, for one version or all", () => {
    const violation = {
      kind: "violation" as const,
      skill: "text-stats",
      who: "Bo",
      when: "2026-02-01T00:00:00Z",
      notes: "It logs inputs.",
    };
    for (const version of [undefined, "1.0.0"]) {
      const entry = version === undefined ? violation : { ...violation, version };
      const found = check({ ...first, reviews: [...first.reviews, entry] }, atRegistry());
      assert.deepEqual(found.texts, [
        "text-stats@1.0.0 must not be used, according to Bo: It logs inputs.",
      ]);
    }
    const other = { ...violation, version: "0.9.0" };
    assert.equal(
      check({ ...first, reviews: [...first.reviews, other] }, atRegistry()).name,
      "reviewed",
    );
  });

  it("does not count reviews of another registry, and reports that", () => {
    const there = { registry: "https://other.example" };
    const found = check(first, atRegistry(), there);
    assert.deepEqual(found, {
      name: "unreviewed",
      kinds: ["other-registry"],
      texts: [
        "text-stats@1.0.0 is not reviewed at https://other.example, only 1.0.0 at https://registry.example. Review it here, or connect to that registry.",
      ],
      notKnown: [],
    });
    const both = reviewed(first, atRegistry({ permissions: undefined }), there);
    assert.equal(check(both, atRegistry({ permissions: undefined }), there).name, "reviewed");
    // Each registry has its own contract of the version, so a change at one is still fully known.
    assert.equal(check(both, atRegistry()).name, "reviewed");
    assert.match(
      check(both, atRegistry({ outputSchema: true })).texts.join(),
      /under the same version: Output: no longer: object\.$/,
    );
    assert.match(
      check(both, atRegistry({ permissions: undefined, outputSchema: true }), there).texts.join(),
      /under the same version: Output: no longer: object\.$/,
    );
    const violation = {
      kind: "violation" as const,
      skill: "text-stats",
      who: "Ann",
      when: "2026-01-02T00:00:00Z",
      notes: "Loses text.",
    };
    const harmful = { ...first, reviews: [...first.reviews, violation] };
    assert.deepEqual(check(harmful, atRegistry(), there).kinds, ["violation"]);
  });

  it("counts an exemption or trust at the registry it names, or at every registry if it names none", () => {
    const exemption = {
      skill: "text-stats",
      criteria: ["safe-to-try"],
      reason: "To try.",
      until: "2026-12-31",
    };
    const trust = { ...exemption, publisher: "plainworks", from: "2026-01-01" };
    const by = (policy: Partial<ReviewPolicy>) =>
      check({ ...nothing, policy: { ...firstPolicy(), ...policy } }, atRegistry()).name;
    for (const [named, name] of [
      [{}, "reviewed"],
      [{ registry }, "reviewed"],
      [{ registry: "https://other.example" }, "unreviewed"],
    ] as const) {
      assert.equal(by({ exemptions: [{ ...exemption, ...named }] }), name);
      assert.equal(by({ trustedPublishers: [{ ...trust, ...named }] }), name);
    }
  });

  it("counts steps between versions while all of them are valid", () => {
    const [second, third] = ["1.1.0", "1.2.0"].map((version) => atRegistry({}, { version }));
    assert.ok(second && third);
    const lasting = reviewed(reviewed(first, second), third);
    assert.deepEqual(
      lasting.reviews.map((review) => (review.kind === "step" ? review.from : undefined)),
      [undefined, "1.0.0", "1.1.0"],
    );
    assert.equal(check(lasting, third).name, "reviewed");
    const ending = reviewed(reviewed(first, second, { until: "2026-06-01" }), third);
    assert.deepEqual(check(ending, third).texts, [
      "The review of text-stats@1.2.0 expired after 2026-06-01. Review it again.",
    ]);
    // Reviews of whole versions need no steps.
    assert.equal(check(reviewed(ending, third, { isWhole: true }), third).name, "reviewed");
  });

  it("ignores steps that start nowhere, and circles of steps", () => {
    const step = (from: string, version: string): VersionReview => ({
      ...(first.reviews[0] as VersionReview),
      kind: "step",
      from,
      version,
    });
    const circle = { ...first, reviews: [step("2.0.0", "1.0.0"), step("1.0.0", "2.0.0")] };
    assert.deepEqual(check(circle, atRegistry()).kinds, ["unreviewed"]);
  });

  const days: readonly (readonly [until: string, name: string])[] = [
    ["2026-11-22", "reviewed"],
    ["2026-11-21", "drifted"],
  ];
  for (const [until, name] of days) {
    it(`counts a review, an exemption and trust until the end of ${until}`, () => {
      const criteria = ["safe-to-try"];
      const policies: readonly ReviewPolicy[] = [
        { ...firstPolicy(), exemptions: [{ skill: "text-stats", criteria, reason: "r", until }] },
        {
          ...firstPolicy(),
          trustedPublishers: [
            { publisher: "plainworks", criteria, reason: "r", from: "2026-01-01", until },
          ],
        },
      ];
      for (const policy of policies) {
        const found = check({ ...nothing, policy }, atRegistry());
        assert.equal(found.name, name, found.texts.join("\n"));
        assert.deepEqual(found.kinds, name === "reviewed" ? [] : ["expired"]);
      }
      assert.equal(check(reviewed(nothing, atRegistry(), { until }), atRegistry()).name, name);
    });
  }

  it("is exempt only for the named version, and trusted only for the named publisher", () => {
    const criteria = ["safe-to-try"];
    const exemptions = [
      { skill: "text-stats", version: "0.9.0", criteria, reason: "r", until: "2027-01-01" },
    ];
    const trustedPublishers = [
      { publisher: "night-shift", criteria, reason: "r", from: "2026-01-01", until: "2026-12-31" },
    ];
    const policy = { ...firstPolicy(), exemptions, trustedPublishers };
    assert.equal(check({ ...nothing, policy }, atRegistry()).name, "unreviewed");
  });

  it("is trusted for a publisher from the named day on", () => {
    const criteria = ["safe-to-try"];
    const trust = { publisher: "plainworks", criteria, reason: "r", until: "2027-06-01" };
    for (const [from, name] of [
      ["2000-01-01", "reviewed"],
      ["2027-01-01", "unreviewed"],
    ] as const) {
      const policy = { ...firstPolicy(), trustedPublishers: [{ ...trust, from }] };
      assert.equal(check({ ...nothing, policy }, atRegistry()).name, name);
    }
  });

  it("is that of the version in use, if the workspace names one", () => {
    const [current] = [atRegistry({ inputSchema: true }, { version: "2.0.0" })];
    const pinned = { usedVersions: ["1.0.0"], others: [atRegistry()] };
    assert.equal(check(first, current, pinned).name, "reviewed");
    const changed = { usedVersions: ["1.0.0"], others: [atRegistry({ inputSchema: true })] };
    assert.deepEqual(check(first, current, changed).kinds, ["contract-changed"]);
  });

  it("finds an earlier reviewed version that changed afterwards", () => {
    const next = atRegistry({}, { version: "1.1.0" });
    const files = reviewed(first, next);
    const others = [atRegistry({ outputSchema: true })];
    assert.deepEqual(check(files, next, { others }).kinds, ["contract-changed"]);
  });
});
