import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import {
  areDifferent,
  bestMatch,
  checkedAfter,
  enterInSearch,
  listText,
  type SearchState,
  searchNotes,
  skillNamedBy,
  stableRows,
} from "../../../../src/core/skillList/skillPicker";
import { english } from "../../../../src/core/text/language";

const skill = (slug: string, displayName: string) => ({ slug, displayName }) as SkillSummary;

describe("Enter in a list that searches while typing", () => {
  const now = { typed: "csv", shownText: "csv", offersText: false, isOnSkill: true };
  const cases: [what: string, moment: SearchState, effect: string][] = [
    ["takes the highlighted skill", now, "skill"],
    ["takes nothing on a note", { ...now, isOnSkill: false }, "nothing"],
    ["takes no row of an earlier text", { ...now, shownText: "cs" }, "nothingYet"],
    ["takes nothing before there are rows", { ...now, shownText: undefined }, "nothingYet"],
    ["takes the skill even if the text could be taken", { ...now, offersText: true }, "skill"],
    [
      "waits even if the text could be taken",
      { ...now, offersText: true, shownText: "cs" },
      "nothingYet",
    ],
    ["takes the text on its row", { ...now, offersText: true, isOnSkill: false }, "text"],
  ];
  for (const [what, moment, effect] of cases) {
    it(what, () => assert.equal(enterInSearch(moment), effect));
  }

  const [csv, other] = [skill("csv-profile", "CSV profile"), skill("json-to-csv", "JSON to CSV")];
  const meant: [what: string, skills: SkillSummary[], typed: string, slug: string | undefined][] = [
    ["the skill with that slug", [other, csv], "csv-profile", "csv-profile"],
    ["the skill with that name", [other, csv], "CSV Profile", "csv-profile"],
    ["the only skill", [csv], "profile", "csv-profile"],
    ["none of several skills", [csv, other], "csv", undefined],
    ["none without a text", [csv], "", undefined],
    [
      "none of two skills with that name",
      [csv, { ...other, displayName: "CSV profile" }],
      "csv profile",
      undefined,
    ],
  ];
  for (const [what, skills, typed, slug] of meant) {
    it(`resolves the typed text to ${what}`, () =>
      assert.equal(skillNamedBy(skills, typed)?.slug, slug));
  }
});

describe("the highlighted skill where the typed text can be chosen too", () => {
  const rows = [
    skill("json-to-csv", "JSON to CSV"),
    skill("csv-profile", "CSV profile"),
    skill("tables", "CSV"),
  ];
  const cases: [typed: string, slug: string | undefined][] = [
    ["csv", "tables"],
    ["CSV p", "csv-profile"],
    ["csv-profile", "csv-profile"],
    ["to", "json-to-csv"],
    ["comma separated", undefined],
    ["", undefined],
  ];
  for (const [typed, slug] of cases) {
    it(`is ${slug ?? "none"} for “${typed}”`, () => {
      assert.equal(bestMatch(rows, typed)?.slug, slug);
    });
  }
});

describe("rows that stay in their places", () => {
  const row = (slug: string, label = slug) => ({ slug, label, alwaysShow: true });

  it("keep their positions over every response, and stay visible while they are checked", () => {
    const first = stableRows([], [row("a"), row("b"), row("c")], []);
    const second = stableRows(first, [row("d"), row("b", "B")], [row("c")]);
    assert.deepEqual(second, [
      { ...row("a"), alwaysShow: false },
      row("b", "B"),
      row("c"),
      row("d"),
    ]);
    const third = stableRows(second, [row("a")], []);
    assert.deepEqual(
      third.map(({ slug, alwaysShow }) => [slug, alwaysShow]),
      [
        ["a", true],
        ["b", false],
        ["c", false],
        ["d", false],
      ],
    );
  });
});

describe("The checked rows after an event of the editor", () => {
  const rows = (slugs: string) => slugs.split(" ").flatMap((slug) => (slug ? [{ slug }] : []));
  const cases: [what: string, checked: string, before: string, now: string, after: string][] = [
    ["include another one that is checked", "a b", "a b", "a b c", "a b c"],
    ["are all the shown ones", "a", "a", "a b c d", "a b c d"],
    ["no longer include an unchecked one", "a b", "a b", "a", "a"],
    ["are none after the only one was unchecked", "a", "a", "", ""],
    ["are none after all were unchecked", "a b c", "a b c", "", ""],
  ];
  for (const [what, checked, before, now, after] of cases) {
    it(what, () => {
      assert.equal(namesAfter(checked, { before, now, sent: [] }), after);
    });
  }

  const filling: [what: string, checked: string, before: string, now: string, after: string][] = [
    ["are the same if new rows drop all check marks", "a b", "a", "", "a b"],
    ["are the same if new rows get the check marks sent with them", "a b", "", "a", "a b"],
    ["include another one that is checked before the rows arrive", "a", "a", "a b", "a b"],
    ["include another one that is checked on rows without the last", "a b", "a", "a c", "a b c"],
    ["no longer include the unchecked one of several", "a b c", "a b c", "a b", "a b"],
  ];
  for (const [what, checked, before, now, after] of filling) {
    it(`${what}, while rows with one check mark are being sent`, () => {
      assert.equal(namesAfter(checked, { before, now, sent: ["a"] }), after);
    });
  }

  function namesAfter(
    checked: string,
    { before, now, sent }: { before: string; now: string; sent: string[] },
  ): string {
    const report = { before: rows(before), now: rows(now), sent: sent.map(rows) };
    const after = checkedAfter(rows(checked), report);
    return after.map(({ slug }) => slug).join(" ");
  }

  it("differ from a list of other rows, but not from the same rows in another order", () => {
    assert.equal(areDifferent(rows("a b"), rows("b a")), false);
    assert.equal(areDifferent(rows("a b"), rows("a c")), true);
    assert.equal(areDifferent(rows("a"), rows("a b")), true);
  });
});

describe("the row that takes the typed text", () => {
  for (const [text, isFiltered, label] of [
    ["", false, "List all skills in the Skills view"],
    ["", true, "List all skills that pass the filters in the Skills view"],
    ["csv", false, "List “csv” in the Skills view"],
    ["csv", true, "List “csv” in the Skills view, with its filters"],
  ] as const) {
    it(`is “${label}”`, () => assert.equal(listText(text, isFiltered, english), label));
  }
});

describe("the notes below a search", () => {
  const found = { skills: [skill("a", "A")], ignoredFilters: [] };
  const none = { ...found, skills: [] };
  const more = "Showing 1. More exist: type more to narrow the search.";
  const local = "The search text was applied locally, because the registry did not apply it.";
  for (const [what, page, notes] of [
    ["nothing if the list is complete", found, []],
    ["that no skill matches", none, ["No skill matches."]],
    ["that more exist", { ...found, nextCursor: "c" }, [more]],
    ["that more exist if the registry truncated the list", { ...found, isCutOff: true }, [more]],
    ["that the search was local", { ...found, ignoredText: true }, [local]],
  ] as const) {
    it(`say ${what}`, () => assert.deepEqual(searchNotes(page, english), notes));
  }
});
