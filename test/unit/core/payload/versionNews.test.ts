import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import {
  moreTitle,
  newsCountText,
  newsTitle,
  versionNews,
  versionNewsText,
} from "../../../../src/core/payload/versionNews";
import type { ChangeText } from "../../../../src/core/skill/compare/versionDifference";
import { isNewerVersion, isSameVersion } from "../../../../src/core/skill/isNewerVersion";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { english } from "../../../../src/core/text/language";
import { bareSkill } from "../../../fixtures/skillDetail";

describe("isNewerVersion", () => {
  // In the order of semver 2.0, section 11.
  const ordered = [
    "0.9.12",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1",
    "1.2.0",
    "1.10.0",
    "2.0.0",
    "10.0.0",
  ];
  for (const [index, version] of ordered.entries()) {
    it(`sorts ${version} after the earlier versions of the list and before the later ones`, () => {
      assert.deepEqual(
        ordered.filter((other) => isNewerVersion(version, other)),
        ordered.slice(0, index),
      );
    });
  }

  for (const [left, right] of [
    ["1.0.0+b", "1.0.0+a"],
    ["next", "1.0.0"],
    ["2.0.0", ""],
  ] as const) {
    it(`${left} is not newer than ${right || "none"}`, () =>
      assert.ok(!isNewerVersion(left, right)));
  }
});

describe("isSameVersion", () => {
  const cases: readonly (readonly [one: string, other: string, isSame: boolean])[] = [
    ["1.0.0", "1.0.0", true],
    ["v1.0.0", "1.0.0", true],
    ["1.0.0+5", "1.0.0", true],
    ["v1.0.0+5", "1.0.0+5", true],
    ["1.0.0+5", "1.0.0+6", false],
    ["1.0.0-rc.1", "1.0.0", false],
    ["1.0.0", "1.0.1", false],
    ["next", "next", true],
    ["next+1", "next", false],
    ["vnext", "next", false],
  ];
  for (const [one, other, isSame] of cases) {
    it(`treats ${one} and ${other} as ${isSame ? "one version" : "two versions"}`, () => {
      assert.deepEqual([isSameVersion(one, other), isSameVersion(other, one)], [isSame, isSame]);
    });
  }
});

describe("versionNews", () => {
  const of = (version: string, inputSchema: JsonValue) => {
    const summary = { ...bareSkill.summary, slug: "a-skill", version };
    return { ...bareSkill, inputSchema, summary };
  };
  const before = of("1.1.0", {
    required: ["text"],
    properties: { text: { type: "string" }, top: { maximum: 9 } },
  });
  const after = of("2.0.0", {
    required: ["csv"],
    properties: { csv: { type: "string" }, top: { maximum: 5 } },
  });

  it("lists additions, removals and stricter rules", () => {
    assert.equal(
      versionNewsText(versionNews("1.1.0", before, after, english) ?? assert.fail(), english),
      [
        "a-skill 2.0.0 is available; this file targets 1.1.0. Input schema changed:",
        "• Tightened top: 5 or less (was: 9 or less)",
        "• Added csv: new, required: string",
        "• Removed text: no longer described, possibly renamed to “csv”",
      ].join("\n"),
    );
  });

  it("reports an unchanged input schema", () => {
    const same = of("1.2.0", before.inputSchema ?? null);
    assert.match(
      versionNewsText(versionNews("1.1.0", before, same, english) ?? assert.fail(), english),
      /unchanged\.$/,
    );
  });

  it("reports that the old version is unavailable", () => {
    assert.equal(
      versionNewsText(versionNews("1.0.0", undefined, after, english) ?? assert.fail(), english),
      "a-skill 2.0.0 is available; this file targets 1.0.0. The registry does not return 1.0.0, so the two cannot be compared.",
    );
  });

  it("uses the version that a project runs, newer or older", () => {
    const text = (target: string, bound: SkillDetail, runs: SkillDetail) => {
      const { version } = runs.summary;
      const current = { ...runs, pinned: { version, project: "Team" } };
      const news = versionNews(target, bound, current, english);
      return news && versionNewsText(news, english).split("\n")[0];
    };
    assert.equal(
      text("2.0.0", after, before),
      "The project Team runs a-skill 1.1.0; this file targets 2.0.0. Input schema changed:",
    );
    assert.match(text("1.1.0", before, after) ?? "", /^The project Team runs a-skill 2\.0\.0; /);
    assert.equal(text("1.1.0", before, before), undefined);
  });

  it("lists at most twelve changes", () => {
    const change = { path: "a", text: "b" } as unknown as ChangeText;
    const news = { slug: "a", before: "1.0.0", after: "2.0.0", note: "" };
    const lines = (count: number) =>
      versionNewsText({ ...news, changes: Array(count).fill(change) }, english)
        .split("\n")
        .slice(1);
    assert.equal(lines(12).length, 12);
    assert.deepEqual(lines(14).slice(12), ["• and 2 more"]);
  });

  it("is empty for an older or the same version", () => {
    assert.equal(versionNews("2.0.0", after, before, english), undefined);
    assert.equal(versionNews("2.0.0", after, after, english), undefined);
  });
});

describe("the actions for news", () => {
  const news = { slug: "a", before: "1.0.0", after: "2.0.0", changes: [], note: "" };
  const inProject = { ...news, project: "shop" };

  it("name the version, and whether the project runs it", () => {
    assert.equal(newsTitle(news, english), "New version 2.0.0: what changed");
    assert.equal(newsTitle(inProject, english), "The project runs 2.0.0: what differs");
    assert.equal(moreTitle(news, english), "More… (new version 2.0.0)");
    assert.equal(moreTitle(inProject, english), "More… (the project runs 2.0.0)");
    assert.equal(moreTitle(undefined, english), "More…");
  });

  it("count the differences", () => {
    const change = {} as ChangeText;
    const countOf = (count: number) =>
      newsCountText({ ...news, changes: Array.from({ length: count }, () => change) }, english);
    assert.deepEqual([0, 1, 2].map(countOf), ["No differences", "1 difference", "2 differences"]);
  });
});
