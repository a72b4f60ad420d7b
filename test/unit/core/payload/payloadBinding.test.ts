import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  bindingAfterMove,
  bindingTo,
  boundSkill,
  missingSkill,
  movedBindings,
  readRememberedBindings,
  rememberBinding,
} from "../../../../src/core/payload/payloadBinding";
import type { Result } from "../../../../src/core/registry/registryFailure";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { english } from "../../../../src/core/text/language";

describe("remembered bindings", () => {
  it("are read as they were written", () => {
    const kept = [
      ["file:///a.json", { slug: "text-stats", version: "1.0.0" }],
      ["file:///b.json", { slug: "json-diff" }],
      ["file:///acme.csv-clean.skill-input.json", { slug: "acme.csv-clean", version: "2.0.0" }],
      ["file:///d.json", { slug: "csv_clean" }],
      ["file:///e.json", { slug: "CSV-Clean" }],
      ["file:///c.skill-input.json", "unbound"],
    ] as const;
    assert.deepEqual([...readRememberedBindings(JSON.parse(JSON.stringify(kept)))], kept);
  });

  it("are at most 500, without the oldest", () => {
    const remembered = new Map();
    const names = Array.from({ length: 502 }, (_, at) => `file:///${at}.json`);
    for (const name of names) rememberBinding(remembered, name, { slug: "text-stats" });
    rememberBinding(remembered, "file:///2.json", "unbound");
    rememberBinding(remembered, "file:///new.json", { slug: "json-diff" });
    assert.deepEqual(
      [remembered.size, ...[...remembered.keys()].slice(0, 1)],
      [500, "file:///4.json"],
    );
    assert.equal(remembered.get("file:///2.json"), "unbound");
    rememberBinding(remembered, "file:///2.json", undefined);
    assert.equal(remembered.has("file:///2.json"), false);
  });

  const damaged: readonly unknown[] = [
    undefined,
    "text",
    [["file:///a.json"]],
    [[5, { slug: "text-stats" }]],
    [["file:///a.json", { slug: "../up" }]],
    [["file:///a.json", "bound"]],
    [null],
  ];
  for (const value of damaged) {
    it(`skip damaged entries: ${JSON.stringify(value)}`, () => {
      assert.equal(readRememberedBindings(value).size, 0);
    });
  }
});

describe("bindings after files move", () => {
  const remembered = readRememberedBindings([
    ["file:///w/a/one.json", { slug: "text-stats" }],
    ["file:///w/a/b/two.json", { slug: "json-diff" }],
    ["file:///w/ab/three.json", "unbound"],
  ]);
  const moves: [from: string, to: string, moved: string[]][] = [
    ["file:///w/a/one.json", "file:///w/new.json", ["file:///w/new.json"]],
    ["file:///w/a", "file:///w/z", ["file:///w/z/one.json", "file:///w/z/b/two.json"]],
    ["file:///w/none.json", "file:///w/z.json", []],
  ];
  for (const [from, to, moved] of moves) {
    it(`are ${moved.length} if ${from} becomes ${to}`, () => {
      const found = movedBindings(remembered, from, to);
      assert.deepEqual(
        found.map((one) => one.to),
        moved,
      );
      assert.ok(found.every((one) => remembered.get(one.from) === one.binding));
    });
  }
});

describe("a binding after a rename", () => {
  const pinned = { slug: "text-stats", version: "1.0.0" };
  const cases: readonly (readonly [from: string, to: string, isKept: boolean])[] = [
    ["text-stats.skill-input.json", "json-diff.skill-input.json", false],
    ["text-stats.skill-input.json", "text-stats.skill-input.json", true],
    ["text-stats.skill-input.json", "text-stats.2.skill-input.json", true],
    // Only the registry knows whether this is another skill or a label.
    ["text-stats.skill-input.json", "text-stats.large.skill-input.json", false],
    ["text-stats.skill-input.json", "mine.json", true],
    ["mine.json", "json-diff.skill-input.json", false],
    ["mine.json", "text-stats.skill-input.json", true],
    // A binding to another skill than the name's stays while the name means the same.
    ["json-diff.skill-input.json", "json-diff.2.skill-input.json", true],
    ["json-diff.skill-input.json", "text-stats.skill-input.json", true],
    ["json-diff.skill-input.json", "csv-profile.skill-input.json", false],
  ];
  for (const [from, to, isKept] of cases) {
    it(`${isKept ? "stays" : "follows the new name"}: ${from} to ${to}`, () => {
      const [before, after] = [`untitled:/w/${from}`, `file:///w/${to}`];
      assert.equal(bindingAfterMove(pinned, before, after), isKept ? pinned : undefined);
      assert.equal(bindingAfterMove("unbound", before, after), "unbound");
      const moved = movedBindings(new Map([[before, pinned]]), before, after);
      assert.deepEqual(
        moved.map(({ binding }) => binding),
        [isKept ? pinned : undefined],
      );
    });
  }
});

describe("a skill that a registry does not have", () => {
  const missing = { kind: "notFound", message: "" } as const;
  for (const [name, binding, isNamed, expected] of [
    ["is named with its version", { slug: "a-b", version: "1.0.0" }, false, "skill “a-b@1.0.0”."],
    [
      "is said to be the file's",
      { slug: "a-b" },
      true,
      "skill “a-b”, which this file is named after.",
    ],
  ] as const) {
    it(name, () => {
      const failure = missingSkill(missing, binding, isNamed, english);
      assert.deepEqual(failure, { ...missing, message: `This registry has no ${expected}` });
    });
  }

  it("is not named after another failure", () => {
    const failure = { kind: "timeout", seconds: 3 } as const;
    assert.equal(missingSkill(failure, { slug: "a-b" }, true, english), failure);
  });
});

describe("the skill that a payload is bound to", () => {
  const read = (version: string): Result<SkillDetail> => ({
    ok: true,
    value: { summary: { slug: "a", version } } as SkillDetail,
  });

  const cases: readonly (readonly [bound: string, given: string, isThat: boolean])[] = [
    ["1.0.0", "1.0.0", true],
    ["1.0.0", "2.0.0", false],
    ["1.0.0", "", true],
    ["", "2.0.0", true],
  ];
  for (const [bound, given, isThat] of cases) {
    it(`is ${isThat ? "" : "not "}one of version "${given}" if the payload is bound to "${bound}"`, () => {
      const [found, address] = [read(given), { slug: "a", version: bound }];
      for (const binding of [address, bindingTo(address)]) {
        const skill = boundSkill(found, binding, english);
        assert.equal(skill === found, isThat);
        if (!skill.ok) assert.equal(skill.failure.kind, "notFound");
      }
    });
  }

  it("is the failure if the skill could not be read", () => {
    const failed = { ok: false, failure: { kind: "cancelled" } } as const;
    assert.equal(boundSkill(failed, { slug: "a" }, english), failed);
  });
});
