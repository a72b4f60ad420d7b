import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { ReviewFiles } from "../../../../src/core/review/coverage";
import { notKnownText } from "../../../../src/core/review/driftText";
import type { ReviewPolicy } from "../../../../src/core/review/files/reviewFiles";
import { firstPolicy } from "../../../../src/core/review/newReview";
import { type SkillAtRegistry, skillStanding } from "../../../../src/core/review/skillStanding";
import { readContract } from "../../../../src/core/skill/compare/contract";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { english } from "../../../../src/core/text/language";
import { reviewedSkill } from "./reviewedSkill";
import {
  atRegistry,
  check,
  digest,
  first,
  none,
  nothing,
  registry,
  reviewed,
  today,
} from "./standings";

describe("the standing of a skill", () => {
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
