import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { listNotes, type NotedList } from "../../../../src/core/skillList/listNotes";
import { plainArrangement } from "../../../../src/core/skillList/order/skillArrangement";
import { startList } from "../../../../src/core/skillList/skillList";
import { english } from "../../../../src/core/text/language";

const row = { description: "", tags: [], version: "", numbers: {} };
const skills = ["a", "b"].map((slug) => ({ ...row, slug, displayName: slug }));
const now = new Date(2026, 10, 20, 10, 30).getTime();
const failure = { kind: "errorAnswer", status: 500 } as const;

function notes(page: object, more: Partial<NotedList> = {}): readonly string[] {
  const list = startList({ skills, ignoredFilters: [], ...page });
  return listNotes(
    { list, arrangement: plainArrangement, filters: {}, hidden: 0, leftOut: 0, now, ...more },
    english,
  );
}

describe("what is said above a list", () => {
  const byAdoption = { ...plainArrangement, order: "adoption" } as const;
  const byName = { ...plainArrangement, order: "name" } as const;
  const cases: readonly (readonly [what: string, said: readonly string[], expected: RegExp[]])[] = [
    ["nothing of a whole list", notes({}), []],
    ["nothing of a list that goes on", notes({ nextCursor: "1" }), []],
    [
      "what a filter leaves out here",
      notes({}, { leftOut: 2 }),
      [/^2 left out: the permissions amount to more/],
    ],
    ["that more exist", notes({ isCutOff: true }), [/^2 shown, more exist: narrow/]],
    [
      "which filters were ignored",
      notes({ ignoredFilters: ["task", "runtime"] }),
      [/^Filter Task, Runtime was applied locally, because the registry did not apply it\.$/],
    ],
    [
      "which filters nobody can check",
      notes({}, { filters: { billingModel: ["free"], tags: ["x"], task: [] } }),
      [/^The filter Price cannot be checked: not every row says/],
    ],
    ["that the text was ignored", notes({ ignoredText: true }), [/ignored the search text/]],
    [
      "that a publisher is found here",
      notes({ ignoredFilters: ["publisher"] }),
      [/publisher locally/],
    ],
    [
      "what is sorted by name",
      notes({ nextCursor: "1" }, { arrangement: byName }),
      [/among the 2/],
    ],
    ["nothing of a whole list by name", notes({}, { arrangement: byName }), []],
    ["what is hidden", notes({}, { hidden: 1 }), [/^1 skill is hidden\.$/]],
    [
      "since when it is stale, first of all",
      notes({ isCutOff: true }, { problem: { kind: "stale", since: now, failure } }),
      [/^List of 10:30\sAM, not refreshed since: .*HTTP 500/, /^2 shown/],
    ],
    [
      "the day of a list of another day",
      notes({}, { problem: { kind: "stale", since: now - 86_400_000, failure } }),
      [/^List of Nov 19, 2026, 10:30\sAM, not refreshed/],
    ],
    [
      "that an order was ignored, and what is sorted here by what",
      notes({ sorting: "ignored", nextCursor: "1" }, { arrangement: byAdoption }),
      [/ignored the order “Adoption”; the 2 loaded are sorted here by installs\.$/],
    ],
    [
      "that an order cannot be checked",
      notes({ sorting: "unchecked" }, { arrangement: byAdoption }),
      [/^The order “Adoption” cannot be checked/],
    ],
    ["nothing of an order that was followed", notes({}, { arrangement: byAdoption }), []],
    [
      "why it could not be continued",
      notes({ nextCursor: "1" }, { problem: { kind: "interrupted", since: 0, failure } }),
      [/^More could not be loaded: .*HTTP 500/],
    ],
  ];
  for (const [what, said, expected] of cases) {
    it(`tells ${what}`, () => {
      assert.equal(said.length, expected.length, said.join("\n"));
      expected.forEach((pattern, index) => {
        assert.match(said[index] ?? "", pattern);
      });
    });
  }
});
