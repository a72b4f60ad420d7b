import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InstalledSkill, ProjectUpdate } from "../../../../src/core/project/project";
import {
  actionText,
  handledQuestion,
  ignoreQuestion,
  openUpdates,
  readScheduleDay,
  readVersionsBySkill,
  scheduleProblem,
  type VersionsBySkill,
} from "../../../../src/core/project/updateInbox";
import { english } from "../../../../src/core/text/language";
import { localNoon } from "../../../fixtures/localNoon";

const skill = (changes: Partial<InstalledSkill> = {}): InstalledSkill => ({
  slug: "abc",
  name: "Abc",
  version: "1.0.0",
  status: "installed",
  ...changes,
});
const row = (id: string, changes: Partial<ProjectUpdate>): ProjectUpdate => ({
  id,
  skillSlug: "abc",
  skillName: "Abc",
  eventType: "new_version",
  title: "",
  currentVersion: "1.0.0",
  ...changes,
});
const ready = (id: string, targetVersion: string, changes: Partial<ProjectUpdate> = {}) =>
  row(id, { targetVersion, adoptionState: "ready", ...changes });
const event = (id: string, title: string, severity?: string) =>
  row(id, {
    eventType: "incident",
    title,
    adoptionState: "not_version_update",
    ...(severity && { severity }),
  });

/** Returns the open updates as `version: ids` or `title: ids`. */
function linesOf(
  updates: readonly ProjectUpdate[],
  skills: readonly InstalledSkill[] = [skill()],
  ignored: VersionsBySkill = {},
): readonly string[] {
  return openUpdates({ skills, updates }, ignored).map(({ skillSlug, targetVersion, title, ids }) =>
    `${skillSlug} ${targetVersion ?? title}: ${ids.join(" ")}`.trim(),
  );
}

describe("the updates of a project", () => {
  const cases: readonly [what: string, lines: readonly string[], ...Parameters<typeof linesOf>][] =
    [
      [
        "are one for each skill and version, the newest first",
        ["abc 1.2.0: 3", "abc 1.1.0: 1 2", "def 1.1.0: 4"],
        [
          ready("1", "1.1.0"),
          ready("2", "1.1.0"),
          ready("3", "1.2.0"),
          ready("4", "1.1.0", { skillSlug: "def" }),
        ],
        [skill(), skill({ slug: "def" })],
      ],
      ["leave out the pinned version", [], [ready("1", "1.0.0")]],
      ["leave out an older version, even if it is ready", [], [ready("1", "0.9.0")]],
      [
        "depend on the pinned version, not on the one in the row",
        [],
        [ready("1", "1.1.0", { currentVersion: "1.0.0" })],
        [skill({ version: "1.1.0" })],
      ],
      [
        "leave out versions that cannot be adopted",
        [],
        ["awaiting_review", "missing_version", "removed_install", "new_word"].map((adoptionState) =>
          ready("1", "1.1.0", { adoptionState }),
        ),
      ],
      [
        "depend on the version's review if the registry states no adoption state",
        ["abc 1.2.0: 2", "abc 1.1.0: 1"],
        [
          row("1", { targetVersion: "1.1.0" }),
          row("2", { targetVersion: "1.2.0", targetReviewStatus: "approved" }),
          row("3", { targetVersion: "1.3.0", targetReviewStatus: "queued" }),
        ],
      ],
      [
        "leave out versions whose review failed",
        [],
        [
          row("1", { eventType: "deprecated", targetReviewStatus: "rejected" }),
          ready("2", "1.1.0", { targetReviewStatus: "blocked" }),
        ],
      ],
      [
        "leave out removed skills, and versions of skills that are not installed",
        ["other It is slow.: 3"],
        [
          ready("1", "1.1.0"),
          ready("2", "1.1.0", { skillSlug: "other" }),
          { ...event("3", "It is slow."), skillSlug: "other" },
        ],
        [skill({ status: "removed" })],
      ],
      [
        "include a version that is only offered publicly, as after a rollback",
        ["abc 1.1.0:"],
        [],
        [skill({ offeredVersion: "1.1.0" })],
      ],
      [
        "name a version once that is offered publicly and in the inbox",
        ["abc 1.1.0: 1"],
        [ready("1", "1.1.0")],
        [skill({ offeredVersion: "1.1.0" })],
      ],
      [
        "leave out a public version that is older or pinned",
        [],
        [],
        [skill({ offeredVersion: "1.0.0" }), skill({ slug: "def", offeredVersion: "0.9.0" })],
      ],
      [
        "leave out an ignored version, but not a newer one",
        ["abc 1.2.0: 1"],
        [ready("1", "1.2.0")],
        [skill({ offeredVersion: "1.1.0" })],
        { abc: ["1.1.0"] },
      ],
      [
        "start with the events by title, the most severe first",
        ["abc Down: 3", "abc Slow: 1 4", "abc Note: 2", "abc 1.1.0: 5"],
        [
          event("1", "Slow", "medium"),
          event("2", "Note"),
          event("3", "Down", "critical"),
          event("4", "Slow", "medium"),
          ready("5", "1.1.0"),
        ],
      ],
    ];
  for (const [what, lines, ...given] of cases) {
    it(what, () => assert.deepEqual(linesOf(...given), lines));
  }

  it("name the installed version", () => {
    const [update] = openUpdates({ skills: [skill({ offeredVersion: "2.0.0" })], updates: [] });
    assert.equal(update?.currentVersion, "1.0.0");
  });
});

describe("a decision about an update", () => {
  const project = { slug: "demo", name: "Demo" };
  const [update] = openUpdates({
    skills: [skill()],
    updates: [{ ...event("1", "It is down.", "high"), body: "Since noon." }],
  });

  it("is asked with all facts of an event", () => {
    assert.deepEqual(handledQuestion(update ?? assert.fail(), project, english), {
      message: "Mark this as handled in Demo?",
      detail: [
        "Abc · incident · high severity",
        "It is down.",
        "Since noon.",
        "It leaves the update inbox for everybody. The installed version stays.",
      ],
      agree: "Mark Handled",
    });
  });

  it("describes for whom an update is ignored", () => {
    const [offered] = openUpdates({ skills: [skill({ offeredVersion: "2.0.0" })], updates: [] });
    const last = (one = update) =>
      ignoreQuestion(one ?? assert.fail(), project, english).detail.at(-1);
    assert.equal(last(), "It leaves the update inbox for everybody.");
    assert.equal(last(offered), "It is no longer shown in this workspace.");
  });

  it("is shown in its row", () => {
    const scheduledFor = localNoon("2026-12-24");
    const text = (changes: object) =>
      actionText({ ...(update ?? assert.fail()), ...changes }, english);
    assert.equal(text({ actionStatus: "open" }), "");
    assert.equal(text({ actionStatus: "acknowledged" }), "acknowledged");
    assert.match(text({ actionStatus: "scheduled", scheduledFor }), /^scheduled for Dec 24, 2026/);
  });

  const now = Date.parse("2026-11-22T10:00:00Z");
  const days: readonly [text: string, problem: RegExp | undefined][] = [
    ["2026-11-22", undefined],
    [" 2027-01-01 ", undefined],
    ["2026-11-21", /today or a later day/],
    ["2026-02-30", /YYYY-MM-DD/],
    ["tomorrow", /YYYY-MM-DD/],
    ["", /YYYY-MM-DD/],
  ];
  for (const [text, problem] of days) {
    it(`can${problem ? "not" : ""} be scheduled for ${JSON.stringify(text)}`, () => {
      if (problem === undefined) assert.equal(scheduleProblem(text, now, english), "");
      else assert.match(scheduleProblem(text, now, english), problem);
    });
  }

  it("is scheduled for noon UTC, which is the same day in nearly every time zone", () => {
    assert.equal(readScheduleDay("2026-12-24"), Date.parse("2026-12-24T12:00:00Z"));
  });
});

describe("stored versions", () => {
  it("are read as they were stored, and nothing else", () => {
    const stored = { abc: ["1.0.0", 2], def: "1.0.0", ghi: null };
    assert.deepEqual(readVersionsBySkill(stored), { abc: ["1.0.0"] });
    for (const kept of [undefined, null, [["1.0.0"]], "text"]) {
      assert.deepEqual(readVersionsBySkill(kept), {});
    }
  });
});
