import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import {
  bestMatch,
  enterInSearch,
  listText,
  type SearchState,
  searchNotes,
  skillNamedBy,
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

describe("the highlighted skill in a list that can also choose the typed text", () => {
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
