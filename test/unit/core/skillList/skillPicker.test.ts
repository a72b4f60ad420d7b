import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import {
  areDifferent,
  bestMatch,
  checkedAfter,
  enterInSearch,
  listText,
  type SearchMoment,
  searchNotes,
  skillNamedBy,
  stableRows,
} from "../../../../src/core/skillList/skillPicker";
import { english } from "../../../../src/core/text/language";

const skill = (slug: string, displayName: string) => ({ slug, displayName }) as SkillSummary;

describe("Enter in a list that searches while typing", () => {
  const now = { typed: "csv", answered: "csv", offersText: false, isOnSkill: true };
  const cases: [what: string, moment: SearchMoment, effect: string][] = [
    ["takes the skill it is on", now, "skill"],
    ["takes nothing on a note", { ...now, isOnSkill: false }, "nothing"],
    ["takes no row of another text", { ...now, answered: "cs" }, "nothingYet"],
    ["takes nothing before there are rows", { ...now, answered: undefined }, "nothingYet"],
    ["takes the skill also where a text could be", { ...now, offersText: true }, "skill"],
    [
      "waits also where a text could be",
      { ...now, offersText: true, answered: "cs" },
      "nothingYet",
    ],
    ["takes the text on its row", { ...now, offersText: true, isOnSkill: false }, "text"],
  ];
  for (const [what, moment, effect] of cases) {
    it(what, () => assert.equal(enterInSearch(moment), effect));
  }

  const [csv, other] = [skill("csv-profile", "CSV profile"), skill("json-to-csv", "JSON to CSV")];
  const meant: [what: string, skills: SkillSummary[], typed: string, slug: string | undefined][] = [
    ["the one of that slug", [other, csv], "csv-profile", "csv-profile"],
    ["the one of that name", [other, csv], "CSV Profile", "csv-profile"],
    ["the only one", [csv], "profile", "csv-profile"],
    ["none of several", [csv, other], "csv", undefined],
    ["none for no text", [csv], "", undefined],
    [
      "none of two with one name",
      [csv, { ...other, displayName: "CSV profile" }],
      "csv profile",
      undefined,
    ],
  ];
  for (const [what, skills, typed, slug] of meant) {
    it(`means ${what}`, () => assert.equal(skillNamedBy(skills, typed)?.slug, slug));
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

  it("keep their numbers over every response; checked rows stay visible", () => {
    const first = stableRows([], [row("a"), row("b"), row("c")], []);
    const second = stableRows(first, [row("d"), row("b", "B")], [row("c")]);
    assert.deepEqual(second, [
      { ...row("a"), alwaysShow: false, picked: false },
      { ...row("b", "B"), picked: false },
      { ...row("c"), picked: true },
      { ...row("d"), picked: false },
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

  it("stay checked if the response has them again, until they are unchecked", () => {
    const first = stableRows([], [row("a"), row("b")], []);
    const marked = stableRows(first, [row("a", "A")], first.slice(0, 1));
    assert.deepEqual(
      marked.map(({ label, picked }) => [label, picked]),
      [
        ["A", true],
        ["b", false],
      ],
    );
    const unmarked = stableRows(marked, [], []);
    assert.deepEqual(
      unmarked.map(({ picked }) => picked),
      [false, false],
    );
  });
});

describe("The checked rows after an event of the editor", () => {
  const rows = (slugs: string) => slugs.split(" ").flatMap((slug) => (slug ? [{ slug }] : []));
  const cases: [what: string, before: string, told: string, shown: string, after: string][] = [
    ["takes one more", "a b", "a b c", "a b c d", "a b c"],
    ["takes all that are shown", "a", "a b c d", "a b c d", "a b c d"],
    ["lets one go", "a b", "a", "a b c d", "a"],
    ["lets the only one go", "a", "", "a b", ""],
    ["lets all go that are shown", "a b c", "", "a b c", ""],
    ["keeps what a list that is filled lost", "a b", "", "a b c d", "a b"],
    ["keeps what was checked before there was a list", "a b", "", "", "a b"],
    ["keeps what a check of another row lost", "a b", "c", "a b c", "a b c"],
  ];
  for (const [what, before, told, shown, after] of cases) {
    it(what, () => {
      const checked = checkedAfter(rows(before), rows(told), rows(shown));
      assert.equal(checked.map(({ slug }) => slug).join(" "), after);
      const isTaken = told.split(" ").sort().join(" ") === after.split(" ").sort().join(" ");
      assert.equal(
        areDifferent(rows(told), checked),
        !isTaken,
        "marks are set only where they differ",
      );
    });
  }
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
    ["nothing where all is there", found, []],
    ["that none matches", none, ["No skill matches."]],
    ["that more exist", { ...found, nextCursor: "c" }, [more]],
    ["that more exist where the registry cut them off", { ...found, isCutOff: true }, [more]],
    ["that the search was local", { ...found, ignoredText: true }, [local]],
  ] as const) {
    it(`say ${what}`, () => assert.deepEqual(searchNotes(page, english), notes));
  }
});
