import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { listNotes, type NotedList } from "../../../../src/core/skillList/listNotes";
import { startList } from "../../../../src/core/skillList/skillList";
import { plainArrangement } from "../../../../src/core/skillList/skillOrder";
import { english } from "../../../../src/core/text/language";

const row = { description: "", tags: [], version: "", numbers: {} };
const skills = ["a", "b"].map((slug) => ({ ...row, slug, displayName: slug }));
const now = new Date(2026, 10, 20, 10, 30).getTime();
const failure = { kind: "errorAnswer", status: 500 } as const;

function notes(page: object, more: Partial<NotedList> = {}): readonly string[] {
  const list = startList({ skills, ignoredFilters: [], ...page });
  return listNotes(
    { list, arrangement: plainArrangement, filters: {}, leftOut: 0, now, ...more },
    english,
  );
}

describe("the notes above a list", () => {
  const byAdoption = { ...plainArrangement, order: "adoption" } as const;
  const byName = { ...plainArrangement, order: "name" } as const;
  const cases: readonly (readonly [what: string, said: readonly string[], expected: RegExp[]])[] = [
    ["nothing of a whole list", notes({}), []],
    ["nothing of a list that goes on", notes({ nextCursor: "1" }), []],
    [
      "what the editor's own filter leaves out",
      notes({}, { leftOut: 2 }),
      [/^Left out because their permissions amount to more .*: 2\.$/],
    ],
    ["that more exist", notes({ isCutOff: true }), [/^Showing 2\. More exist: narrow/]],
    [
      "which filters were ignored",
      notes({ ignoredFilters: ["task", "runtime"] }),
      [/^Filters applied locally, .* did not apply them: Task, Runs as\.$/],
    ],
    [
      "which filters cannot be checked",
      notes({}, { filters: { billingModel: ["free"], tags: ["x"], task: [] } }),
      [/^Filters that could not be verified, .*: Price\.$/],
    ],
    [
      "that the text was ignored",
      notes({ ignoredText: true }),
      [/search text was applied locally/],
    ],
    [
      "that the editor applies a publisher filter",
      notes({ ignoredFilters: ["publisher"] }),
      [/publisher locally/],
    ],
    [
      "what is sorted by name",
      notes({ nextCursor: "1" }, { arrangement: byName }),
      [/among 2 loaded skills/],
    ],
    ["nothing of a whole list by name", notes({}, { arrangement: byName }), []],
    [
      "first since when the list is stale",
      notes({ isCutOff: true }, { problem: { kind: "stale", since: now, failure } }),
      [/^List from 10:30\sAM; refresh failed: .*HTTP 500/, /^Showing 2/],
    ],
    [
      "the day of a list of another day",
      notes({}, { problem: { kind: "stale", since: now - 86_400_000, failure } }),
      [/^List from Nov 19, 2026, 10:30\sAM; refresh failed/],
    ],
    [
      "that the registry ignored an order, and by what the editor sorts",
      notes({ ignoredSort: true, nextCursor: "1" }, { arrangement: byAdoption }),
      [/did not apply the order “Adoption”\. 2 loaded skills are sorted locally by installs\.$/],
    ],
    ["nothing of an order that was followed", notes({}, { arrangement: byAdoption }), []],
    [
      "why more could not be loaded",
      notes({ nextCursor: "1" }, { problem: { kind: "interrupted", since: 0, failure } }),
      [/^Loading more failed: .*HTTP 500/],
    ],
  ];
  for (const [what, said, expected] of cases) {
    it(`say ${what}`, () => {
      assert.equal(said.length, expected.length, said.join("\n"));
      expected.forEach((pattern, index) => {
        assert.match(said[index] ?? "", pattern);
      });
    });
  }
});
