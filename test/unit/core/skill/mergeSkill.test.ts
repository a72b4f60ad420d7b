import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { mergeSkill, type OwnDetail } from "../../../../src/core/skill/mergeSkill";
import { statedLevel, withPermissions } from "../../../../src/core/skill/permissions";
import type { SkillPart, SkillSummary } from "../../../../src/core/skill/skill";
import { fullSkill } from "../../../fixtures/skillDetail";

const bare: SkillSummary = {
  slug: "abc",
  displayName: "abc",
  description: "",
  tags: [],
  version: "",
  numbers: {},
};

const own: OwnDetail = {
  summary: bare,
  manifest: {},
  inputSchema: undefined,
  outputSchema: undefined,
  permissions: undefined,
  runtime: undefined,
  versions: [],
  examples: [],
};

const row: SkillSummary = {
  ...bare,
  displayName: "Row",
  description: "From the row",
  tags: ["row"],
  version: "9.0.0",
  verificationStatus: "verified",
  permissionLevel: "low",
  numbers: { installs: 5, calls: 7 },
};

const nothing = { row: undefined, prices: undefined, feedback: undefined, publisher: undefined };

describe("mergeSkill", () => {
  it("adds the row's facts to those of the skill's own route", () => {
    const { summary } = mergeSkill({ ...nothing, own, row });
    assert.deepEqual(summary, row);
  });

  it("prefers the facts of the skill's own route", () => {
    const said: SkillSummary = {
      slug: "abc",
      displayName: "Own",
      description: "Its own",
      tags: ["own"],
      version: "1.0.0",
      verificationStatus: "deprecated",
      publisher: { name: "Own Works" },
      numbers: { installs: 6 },
    };
    const permissions = {
      network: false,
      browser: false,
      filesystem: "write" as const,
      secretCount: 0,
      secretNames: [],
    };
    const { summary } = mergeSkill({
      ...nothing,
      own: { ...own, summary: said, permissions },
      row: { ...row, publisher: { name: "Row Works" } },
      publisher: { name: "List Works", skillSlugs: ["abc"] },
    });
    assert.deepEqual(summary, {
      ...said,
      // By the manifest's permissions, since the row may be of another version.
      permissionLevel: "high",
      isLevelDerived: true,
      permissions,
      numbers: { installs: 6, calls: 7 },
    });
  });

  it("uses the publisher from the registry's list", () => {
    const merged = mergeSkill({ ...nothing, own, publisher: { name: "Right" } });
    assert.equal(merged.summary.publisher?.name, "Right");
  });

  it("uses the higher of the stated level and the permissions' level", () => {
    const permissions = {
      network: true,
      browser: false,
      filesystem: "none" as const,
      secretCount: 0,
      secretNames: [],
    };
    const cases: readonly (readonly [stated: string, level: string, understated?: string])[] = [
      ["low", "medium", "low"],
      ["medium", "medium"],
      ["high", "high"],
      ["green", "medium", "green"],
    ];
    for (const [stated, level, understated] of cases) {
      const summary = { ...bare, permissionLevel: stated };
      const merged = mergeSkill({ ...nothing, own: { ...own, summary, permissions } });
      assert.equal(merged.summary.permissionLevel, level);
      assert.equal(merged.summary.understatedLevel, understated);
      assert.equal(statedLevel(merged.summary), stated);
    }
  });

  it("uses a row's permissions only for the row's own version", () => {
    const permissions = {
      network: false,
      browser: false,
      filesystem: "none" as const,
      secretCount: 0,
      secretNames: [],
    };
    const listed = withPermissions(row, permissions);
    for (const [version, expected] of [
      ["9.0.0", permissions],
      ["1.0.0", undefined],
    ] as const) {
      const asked = { ...own, summary: { ...bare, version } };
      const merged = mergeSkill({ ...nothing, own: asked, row: listed });
      assert.deepEqual(merged.summary.permissions, expected);
    }
  });

  it("names the parts whose source did not respond, if no other source has them", () => {
    const unanswered: readonly SkillPart[] = ["listing", "prices", "feedback", "publisher"];
    assert.deepEqual(mergeSkill({ ...nothing, own, unanswered }).unanswered, unanswered);
    assert.equal(mergeSkill({ ...nothing, own }).unanswered, undefined);
    const summary = { ...bare, verificationStatus: "verified", publisher: { name: "Own Works" } };
    const telling = { ...own, summary, prices: [], feedback: { entries: [] } };
    assert.equal(mergeSkill({ ...nothing, own: telling, unanswered }).unanswered, undefined);
  });

  it("prefers prices and feedback of the detail", () => {
    const inside = { ...own, prices: [{ billingModel: "free" }], feedback: { entries: [] } };
    const merged = mergeSkill({
      ...nothing,
      own: inside,
      prices: [{ billingModel: "per_call" }],
      feedback: { entries: [{ text: "x" }] },
    });
    assert.deepEqual(merged.prices, [{ billingModel: "free" }]);
    assert.deepEqual(merged.feedback, { entries: [] });
  });
});

describe("mergeSkill with a long detail and row", () => {
  const { permissionLevel: _, permissions: __, ...summary } = fullSkill.summary;
  const row: SkillSummary = { ...summary, permissionLevel: "low" };
  const none = { prices: undefined, feedback: undefined, publisher: undefined };

  describe("about permission levels", () => {
    const { prices: _prices, feedback: _feedback, ...rest } = fullSkill;
    const cases: [string, SkillSummary, SkillSummary | undefined, boolean, string | undefined][] = [
      ["from the skill's own route", { ...summary, permissionLevel: "high" }, row, true, "high"],
      ["from the list, for the same version", summary, row, true, "low"],
      ["of no source, for another version", { ...summary, version: "1.0.0" }, row, true, undefined],
      ["from the list, if the skill's route has no permissions", summary, row, false, "low"],
      [
        "of no source for another version, if the skill's route has no permissions",
        { ...summary, version: "1" },
        row,
        false,
        undefined,
      ],
      [
        "of no source, if it was derived from permissions",
        summary,
        { ...row, isLevelDerived: true },
        true,
        undefined,
      ],
      ["of no source, if nobody states it", summary, undefined, true, undefined],
    ];
    for (const [what, own, listed, says, expected] of cases) {
      it(`has the stated level ${what}`, () => {
        const permissions = says ? fullSkill.permissions : undefined;
        const merged = mergeSkill({
          own: { ...rest, permissions, summary: own },
          row: listed,
          ...none,
        });
        assert.equal(statedLevel(merged.summary), expected);
      });
    }
  });

  describe("about reviews", () => {
    const { prices: _p, feedback: _f, ...own } = fullSkill;
    const cases: [string, own: string, latest: string | undefined, row: string, string][] = [
      ["the latest version's", "2.1.0", "2.1.0", "", "approved, latest 2.1.0"],
      [
        "none of an older version, according to its own route",
        "2.0.0",
        "2.1.0",
        "2.0.0",
        "none, latest 2.1.0",
      ],
      [
        "none of an older version, according to the list",
        "2.0.0",
        undefined,
        "2.1.0",
        "none, latest 2.1.0",
      ],
      [
        "none of an older version, according to its versions",
        "2.0.0",
        undefined,
        "",
        "none, latest 2.1.0",
      ],
    ];
    for (const [what, version, latestVersion, listed, expected] of cases) {
      it(`keeps ${what}`, () => {
        const merged = mergeSkill({
          own: {
            ...own,
            ...(latestVersion !== undefined && { latestVersion }),
            summary: { ...summary, version },
          },
          row: listed === "" ? undefined : { ...row, version: listed },
          ...none,
        });
        const said = `${merged.reviewState ?? "none"}, latest ${merged.latestVersion}`;
        assert.equal(said, expected);
        assert.equal(merged.reviewedAt === undefined, merged.reviewState === undefined);
      });
    }
  });
});
