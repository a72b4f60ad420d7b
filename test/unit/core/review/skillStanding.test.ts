import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "mocha";
import { readContract } from "../../../../src/core/review/contract";
import type { ReviewFiles } from "../../../../src/core/review/coverage";
import { driftText, notKnownText } from "../../../../src/core/review/driftText";
import { contractKey, readContractFile } from "../../../../src/core/review/files/contractFiles";
import {
  type ReviewPolicy,
  readReviews,
  type VersionReview,
} from "../../../../src/core/review/files/reviewFiles";
import { firstPolicy, newReview, reviewFileTexts } from "../../../../src/core/review/newReview";
import {
  type CheckedSkill,
  type SkillAtRegistry,
  skillStanding,
} from "../../../../src/core/review/skillStanding";
import { standingName } from "../../../../src/core/review/standing";
import type { Permissions } from "../../../../src/core/skill/permissions";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { runSync } from "../../../../src/core/text/chunked";
import { english } from "../../../../src/core/text/language";
import { reviewedSkill } from "./reviewedSkill";

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
const today = "2026-11-22";
const none: Permissions = {
  network: false,
  browser: false,
  filesystem: "none",
  secretCount: 0,
  secretNames: [],
};

function atRegistry(
  changes: Partial<SkillDetail> = {},
  summary: Partial<SkillDetail["summary"]> = {},
): SkillAtRegistry {
  const skill = reviewedSkill(changes, summary);
  const { version, verificationStatus: verification } = skill.summary;
  return { version, verification, contract: readContract(skill, digest) };
}

const registry = "https://registry.example";
const nothing: ReviewFiles = { policy: firstPolicy(), reviews: [], contracts: new Map() };

/** Adds a review like the command, and reads its files again. */
function reviewed(
  files: ReviewFiles,
  skill: SkillAtRegistry = atRegistry(),
  more: { until?: string; criteria?: string[]; isWhole?: boolean; registry?: string } = {},
): ReviewFiles {
  const made = newReview(files, {
    slug: "text-stats",
    registry: more.registry ?? registry,
    skill,
    criteria: more.criteria ?? ["safe-to-try"],
    who: "Ann <ann@example.com>",
    when: "2026-01-01T00:00:00Z",
    isWhole: more.isWhole ?? false,
    until: more.until,
  });
  assert.ok(made);
  const contracts = new Map(files.contracts);
  const texts = reviewFileTexts(files, made);
  const [path, text] = texts.contract;
  const read = readContractFile(path.slice("contracts/".length), text, digest, english);
  assert.ok(read.ok, JSON.stringify(read));
  contracts.set(contractKey(read.value), read.value);
  const reviews = runSync(readReviews(texts.reviews, english));
  assert.ok(reviews.ok, JSON.stringify(reviews));
  return { ...files, reviews: reviews.value, contracts };
}

function check(files: ReviewFiles, skill: SkillAtRegistry, more: Partial<CheckedSkill> = {}) {
  const checked = {
    slug: "text-stats",
    registry,
    usedVersions: [""],
    current: { ok: true as const, value: skill },
    others: [],
    ...more,
  };
  const standing = skillStanding(files, checked, today);
  return {
    name: standingName(standing),
    kinds: standing.drift.map(({ kind }) => kind),
    texts: standing.drift.map((drift) => driftText("text-stats", drift, english)),
    notKnown: standing.notKnown.map((one) => notKnownText("text-stats", one, english)),
  };
}

describe("the standing of a skill", () => {
  const first = reviewed(nothing);

  it("is reviewed if the registry still returns the reviewed contract", () => {
    assert.deepEqual(check(first, atRegistry()), {
      name: "reviewed",
      kinds: [],
      texts: [],
      notKnown: [],
    });
  });

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

  describe("with a trusted publisher and a skill of an unknown one", () => {
    const criteria = ["safe-to-try"];
    const trust = { criteria, reason: "r", from: "2026-01-01", until: "2026-12-31" };
    const trusting = (
      ...entries: Partial<NonNullable<ReviewPolicy["trustedPublishers"]>[number]>[]
    ): ReviewFiles => ({
      ...nothing,
      policy: {
        ...firstPolicy(),
        trustedPublishers: entries.map((one) => ({ publisher: "plainworks", ...trust, ...one })),
      },
    });
    const unknown = atRegistry({ unanswered: ["publisher"] });
    const withoutAnswer = (part: string) =>
      `The contract of text-stats@1.0.0 cannot be hashed: the registry did not return its ${part}.`;

    it("is unknown, since the publisher may be the trusted one", () => {
      assert.deepEqual(check(trusting({}), unknown), {
        name: "unknown",
        kinds: [],
        texts: [],
        notKnown: [withoutAnswer("publisher")],
      });
      const both = atRegistry({ unanswered: ["prices", "publisher"], prices: undefined });
      assert.deepEqual(check(trusting({}), both).notKnown, [
        withoutAnswer("publisher"),
        withoutAnswer("price"),
      ]);
    });

    const useless: readonly (readonly [what: string, files: ReviewFiles])[] = [
      ["at another registry", trusting({ registry: "https://other.example" })],
      ["that is over", trusting({ until: "2026-11-21" })],
      ["that has not begun", trusting({ from: "2026-11-23" })],
      ["for something else", trusting({ criteria: ["other"] })],
    ];
    for (const [what, files] of useless) {
      it(`is unreviewed with trust ${what}`, () => {
        assert.deepEqual(check(files, unknown).kinds, ["unreviewed"]);
      });
    }

    it("is unreviewed if no publisher is trusted for all required criteria", () => {
      const two = trusting({}, { publisher: "night-shift", criteria: ["read"] });
      const requiring = { ...two.policy, require: ["safe-to-try", "read"] };
      assert.deepEqual(check({ ...two, policy: requiring }, unknown).kinds, ["unreviewed"]);
      const one = trusting({}, { criteria: ["read"] });
      const policy = { ...one.policy, require: ["safe-to-try", "read"] };
      assert.deepEqual(check({ ...one, policy }, unknown).kinds, []);
    });

    it("is still unreviewed with a known, untrusted publisher, and keeps every violation", () => {
      const named = { ...unknown, publisher: "night-shift" };
      assert.deepEqual(check(trusting({}), named).kinds, ["unreviewed"]);
      // A skill that is not listed with a publisher does not have another publisher.
      assert.deepEqual(check(trusting({}), { ...unknown, publisher: null }).kinds, []);
      const violation = {
        kind: "violation" as const,
        skill: "text-stats",
        who: "Bo",
        when: "2026-02-01T00:00:00Z",
        notes: "It logs inputs.",
      };
      const files = { ...trusting({}), reviews: [violation] };
      assert.deepEqual(check(files, unknown).kinds, ["violation"]);
    });

    it("is judged by the current version if the registry does not return the used one", () => {
      const named = { usedVersions: ["0.9.0"] };
      const found = check(trusting({}), atRegistry(), named);
      assert.deepEqual([found.name, found.kinds, found.notKnown.length], ["unknown", [], 1]);
      const other = atRegistry({}, { publisher: { name: "Night Shift", slug: "night-shift" } });
      assert.deepEqual(check(trusting({}), other, named).kinds, ["unreviewed"]);
    });

    it("is unknown for a named version while the registry does not respond", () => {
      const failure = { kind: "timeout" as const, seconds: 30 };
      const down = { usedVersions: ["1.0.0"], current: { ok: false as const, failure } };
      const found = check(trusting({}), unknown, down);
      assert.deepEqual([found.name, found.kinds, found.notKnown.length], ["unknown", [], 1]);
      assert.deepEqual(check(nothing, unknown, down).kinds, ["unreviewed"]);
    });
  });

  it("is unknown if the registry does not respond, and never reviewed", () => {
    const failure = { kind: "timeout" as const, seconds: 30 };
    const found = check(first, atRegistry(), { current: { ok: false, failure } });
    assert.deepEqual([found.name, found.kinds], ["unknown", []]);
    assert.deepEqual(found.notKnown, [
      "text-stats could not be compared with its review. The registry did not respond within 30 s.",
    ]);
    const partly = check(first, atRegistry({ unanswered: ["prices"], prices: undefined }));
    assert.deepEqual(partly.notKnown, [
      "The contract of text-stats@1.0.0 cannot be hashed: the registry did not return its price.",
    ]);
    assert.equal(partly.name, "unknown");
    assert.equal(check(first, atRegistry(), { usedVersions: ["0.1.0"] }).notKnown.length, 1);
  });
});

describe("a skill that a Project Key shows only in part", () => {
  /** The skill as a Project Key lists it: schemas, level and kind of runtime. */
  const listed = (
    changes: Partial<SkillDetail> = {},
    summary: Partial<SkillDetail["summary"]> = {},
  ): SkillAtRegistry => {
    const {
      permissions: _,
      runtime: __,
      ...skill
    } = reviewedSkill(changes, {
      permissionLevel: "low",
      runtimeType: "http",
      ...summary,
    });
    const partial = { ...skill, permissions: undefined, runtime: undefined } as const;
    const contract = readContract({ ...partial, isManifestUnknown: true }, digest);
    return { version: skill.summary.version, verification: "verified", contract };
  };
  const standingOf = (skill: SkillAtRegistry) =>
    skillStanding(
      reviewed(nothing),
      {
        slug: "text-stats",
        registry,
        usedVersions: [skill.version],
        current: { ok: true, value: skill },
        others: [],
      },
      today,
    );
  const inputSchema = { type: "object", properties: { text: { type: "number" } } };
  const cases: readonly (readonly [
    what: string,
    skill: SkillAtRegistry,
    drift: readonly string[],
    unknown: readonly string[],
  ])[] = [
    ["is as reviewed if the shown part is", listed(), [], []],
    [
      "is as reviewed even if its version is spelled differently",
      listed({}, { version: "v1.0.0" }),
      [],
      [],
    ],
    ["has changed with another input schema", listed({ inputSchema }), ["contract-changed"], []],
    [
      "has changed with another kind of runtime",
      listed({}, { runtimeType: "mcp" }),
      ["contract-changed"],
      [],
    ],
    [
      "has another price",
      listed({ prices: [{ billingModel: "per_call", unitAmountCents: 5, currency: "USD" }] }),
      ["price-changed"],
      [],
    ],
    [
      "is not fully known with another permission level",
      listed({}, { permissionLevel: "high" }),
      [],
      ["manifest"],
    ],
    [
      "is not fully known without a permission level",
      listed({}, { permissionLevel: "" }),
      [],
      ["manifest"],
    ],
    ["is not fully known without a runtime", listed({}, { runtimeType: "" }), [], ["manifest"]],
  ];
  for (const [what, skill, drift, unknown] of cases) {
    it(what, () => {
      const standing = standingOf(skill);
      const parts = standing.notKnown.map((one) => (one.kind === "contract" ? one.part : one.kind));
      const kinds = standing.drift.map(({ kind }) => kind);
      assert.deepEqual([kinds, parts.filter((part) => part !== "prices")], [drift, unknown]);
    });
  }

  it("mentions the user token if a part is unknown", () => {
    const [notKnown] = standingOf(listed({}, { permissionLevel: "high" })).notKnown;
    assert.match(notKnown ? notKnownText("text-stats", notKnown, english) : "", /USER_TOKEN/);
  });

  it("has more permissions if a reviewed version has an unknown one", () => {
    const permissions = { ...none, others: ["camera"] };
    const standing = standingOf(atRegistry({ permissions }));
    assert.deepEqual(
      [standing.drift.map(({ kind }) => kind), standing.notKnown],
      [["permissions-raised"], []],
    );
  });
});
