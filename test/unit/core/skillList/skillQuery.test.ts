import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import {
  filterRowLabel,
  isRestricted,
  queryText,
  unrestrictedQuery,
} from "../../../../src/core/skillList/listLabels";
import {
  filterNote,
  filterValues,
  readSkillFilters,
} from "../../../../src/core/skillList/skillFilters";
import { english } from "../../../../src/core/text/language";

describe("the description of a query", () => {
  it("is empty for all skills", () => {
    assert.equal(queryText(unrestrictedQuery, english), "");
    assert.equal(isRestricted(unrestrictedQuery), false);
    assert.equal(isRestricted({ text: "", filters: { task: [] } }), false);
  });

  it("names text and filters in their order", () => {
    const query = {
      text: "csv",
      filters: {
        permissionProfile: ["low"],
        verification: ["verified", "submitted"],
        task: ["data"],
      },
    };
    assert.equal(
      queryText(query, english),
      "“csv” · data · verified or submitted · low permissions",
    );
    assert.equal(isRestricted(query), true);
  });

  it("labels price, publisher and tags", () => {
    const filters = {
      tags: ["csv", "text"],
      billingModel: ["free", "per_call"],
      publisher: ["Plainworks"],
    };
    const words = queryText({ text: "", filters }, english);
    assert.equal(words, "free or per invocation · by Plainworks · #csv #text");
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
    [{ task: ["x".repeat(202)] }, undefined],
    [{ task: Array.from({ length: 101 }, () => "a") }, undefined],
    [{ other: "x" }, {}],
  ];
  for (const [given, read] of cases) {
    it(`${JSON.stringify(given)?.slice(0, 60)} are read as ${JSON.stringify(read)}`, () => {
      assert.deepEqual(readSkillFilters(given), read);
    });
  }

  it("are not read from a prototype", () => {
    assert.deepEqual(readSkillFilters(Object.create({ task: "data" })), {});
  });
});

describe("the values a filter offers", () => {
  const row = { description: "", version: "1.0.0", numbers: {} };
  const skills: readonly SkillSummary[] = [
    { ...row, slug: "a", displayName: "A", task: "data", tags: ["csv", "text"] },
    { ...row, slug: "b", displayName: "B", task: "sports", tags: ["csv", "csv"] },
  ];
  const publisher = { name: "Plainworks", slug: "plainworks" };

  it("are the registry's, counted, with the active ones marked", () => {
    const facets = { runtime: [{ value: "http", count: 3 }] };
    assert.deepEqual(filterValues("runtime", { skills, facets }, { runtime: ["mcp"] }), {
      values: [
        { value: "http", count: 3, active: false },
        { value: "mcp", active: true },
      ],
    });
  });

  it("are the well-known ones if nothing is loaded", () => {
    const { values, countedOver } = filterValues("permissionProfile", undefined, {});
    assert.deepEqual(
      values.map(({ value }) => value),
      ["low", "medium", "high"],
    );
    assert.equal(countedOver, undefined);
  });

  it("are counted over the loaded skills, with a note, if the registry does not count", () => {
    assert.deepEqual(filterValues("tags", { skills }, {}), {
      values: [
        { value: "csv", count: 2, active: false },
        { value: "text", count: 1, active: false },
      ],
      countedOver: 2,
    });
  });

  it("start with the registry's values", () => {
    const { values } = filterValues("task", { skills }, {});
    assert.deepEqual(
      values.slice(0, 2).map(({ value, count }) => [value, count]),
      [
        ["data", 1],
        ["sports", 1],
      ],
    );
    assert.equal(values.filter(({ value }) => value === "data").length, 1);
    assert.equal(values.at(-1)?.value, "ui");
  });

  it("are only loaded and active ones if all skills are loaded", () => {
    const whole = { skills, isWhole: true };
    const valuesOf = (name: "task" | "runtime", active: object) =>
      filterValues(name, whole, active).values.map(({ value }) => value);
    assert.deepEqual(valuesOf("task", { task: ["hr"] }), ["data", "sports", "hr"]);
  });

  it("leave out values that the registry counts as 0, or that no skill has if all are loaded", () => {
    const counts = { csv: 1, gone: 0, stale: 2 };
    const tags = Object.entries(counts).map(([value, count]) => ({ value, count }));
    const tagged = [{ ...row, slug: "c", displayName: "C", tags: ["CSV"] }];
    const valuesOf = (isWhole: boolean) =>
      filterValues("tags", { skills: tagged, facets: { tags }, isWhole }, {}).values.map(
        ({ value }) => value,
      );
    assert.deepEqual(valuesOf(true), ["csv"]);
    assert.deepEqual(valuesOf(false), ["csv", "stale"]);
  });

  it("are the well-known ones if rows lack the value, even if all skills are loaded", () => {
    const [first] = skills;
    const untold = { ...row, slug: "c", displayName: "C", tags: [] };
    const whole = { skills: [...(first ? [first] : []), untold], isWhole: true };
    const valuesOf = (name: "task" | "runtime") =>
      filterValues(name, whole, {}).values.map(({ value }) => value);
    assert.deepEqual(valuesOf("runtime"), ["http", "mcp", "local"]);
    assert.deepEqual(valuesOf("task").slice(0, 3), ["data", "automation", "content"]);
  });

  it("name a publisher once, though its slug works as well", () => {
    const published = skills.map((skill) => ({ ...skill, publisher }));
    const { values } = filterValues("publisher", { skills: published }, {});
    assert.deepEqual(values, [{ value: "Plainworks", count: 2, active: false }]);
  });

  it("are a hundred at most", () => {
    const many = Array.from({ length: 300 }, (_, index) => `tag${index}`);
    const tagged = skills.map((skill) => ({ ...skill, tags: many }));
    assert.equal(filterValues("tags", { skills: tagged }, { tags: ["mine"] }).values.length, 101);
  });
});

describe("the note on a filter's values", () => {
  for (const [name, countedOver, heading] of [
    ["task", undefined, ""],
    ["task", 7, "Counts of 7 loaded skills"],
    ["tags", undefined, "All tags must match"],
    ["tags", 7, "All tags must match · Counts of 7 loaded skills"],
  ] as const) {
    it(`is “${heading}”`, () => {
      const values = { values: [], ...(countedOver !== undefined && { countedOver }) };
      assert.equal(filterNote(name, values, english), heading);
    });
  }
});

describe("the row of a filter's value", () => {
  for (const [name, value, label] of [
    ["task", "data", "Task: data"],
    ["runtime", "http", "Runs as: HTTP"],
    ["runtime", "local", "Runs as: local"],
    ["publisher", "Tidy Tables", "Publisher: Tidy Tables"],
    ["verification", "verified", "verified"],
    ["permissionProfile", "low", "low permissions"],
    ["billingModel", "per_call", "per invocation"],
    ["tags", "csv", "#csv"],
  ] as const) {
    it(`is “${label}”`, () => assert.equal(filterRowLabel(name, value, english), label));
  }
});
