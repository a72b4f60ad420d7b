import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { filterValues } from "../../../src/core/filterValues";
import { readSkillFilters } from "../../../src/core/skillFilterInput";
import { isRestricted, queryWords, unrestrictedQuery } from "../../../src/core/skillQueryWords";

describe("the words of a query", () => {
  it("are empty for all skills", () => {
    assert.equal(queryWords(unrestrictedQuery), "");
    assert.equal(isRestricted(unrestrictedQuery), false);
    assert.equal(isRestricted({ text: "", filters: { task: [] } }), false);
  });

  it("name text and filters in their order", () => {
    const query = {
      text: "csv",
      filters: {
        permissionProfile: ["low"],
        verification: ["verified", "submitted"],
        task: ["data"],
      },
    };
    assert.equal(queryWords(query), "“csv” · data · verified or submitted · low power");
    assert.equal(isRestricted(query), true);
  });
});

describe("filters passed to a command", () => {
  const cases: readonly (readonly [given: unknown, read: unknown])[] = [
    [{ task: "data" }, { task: ["data"] }],
    [{ task: ["data", " dev "] }, { task: ["data", "dev"] }],
    [{ task: "" }, {}],
    [{}, {}],
    [undefined, undefined],
    ["data", undefined],
    [["data"], undefined],
    [{ task: 5 }, undefined],
    [{ task: ["x".repeat(65)] }, undefined],
    [{ task: Array.from({ length: 21 }, () => "a") }, undefined],
    [{ other: "x" }, {}],
  ];
  for (const [given, read] of cases) {
    it(`${JSON.stringify(given)?.slice(0, 60)} are read as ${JSON.stringify(read)}`, () => {
      assert.deepEqual(readSkillFilters(given), read);
    });
  }

  it("are not taken from a prototype", () => {
    assert.deepEqual(readSkillFilters(Object.create({ task: "data" })), {});
  });
});

describe("the values a filter offers", () => {
  it("are the registry's, counted, with the active ones marked", () => {
    const facets = { runtime: [{ value: "http", count: 3 }] };
    assert.deepEqual(filterValues("runtime", facets, { runtime: ["mcp"] }), [
      { value: "http", count: 3, active: false },
      { value: "mcp", active: true },
    ]);
  });

  it("are the known ones where the registry does not count", () => {
    const values = filterValues("permissionProfile", undefined, {}).map(({ value }) => value);
    assert.deepEqual(values, ["low", "medium", "high"]);
  });
});
