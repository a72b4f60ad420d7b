import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../../src/core/json/jsonValue";
import { readContainer, removeMember } from "../../../../../src/core/payload/fixes/textEdit";
import { checkedText } from "./checkedText";
import { fixesOf } from "./fixesOf";

const names = (count: number) => Array.from({ length: count }, (_, at) => `name${at}`);
const titlesOf = (text: string, schema: JsonValue) => Object.keys(fixesOf(text, schema));

describe("the number of fixes", () => {
  it("is at most three renames of an unknown property", () => {
    const required = ["alpha", "bravo", "charlie", "delta", "echo"];
    const titles = titlesOf('{"zz":1}', { required, additionalProperties: false });
    assert.equal(titles.filter((title) => title.includes("Rename to")).length, 3);
  });

  it("is at most three texts in the required form", () => {
    const examples = ["a-1", "b-2", "c-3", "d-4", "e-5"];
    const titles = titlesOf('"x"', { type: "string", pattern: "^[a-e]-[0-9]$", examples });
    assert.equal(titles.filter((title) => title.includes("Change to")).length, 3);
  });

  it("is none for a long text in the wrong form, which is hardly a typing mistake", () => {
    const form = (length: number) =>
      titlesOf(JSON.stringify(` ${"x".repeat(length)}`), { type: "string", pattern: "^x+$" });
    assert.equal(form(999).length, 1);
    assert.equal(form(1000).length, 0);
  });

  it("is none for a list whose comparison would take long", () => {
    const list = (length: number) => `["${"x".repeat(length - 8)}",1,1]`;
    const [added, removed] = [{ minItems: 4, items: { const: 1 } }, { uniqueItems: true }];
    for (const schema of [added, removed]) {
      const counts = [20_000, 20_010].map((length) => titlesOf(list(length), schema).length);
      assert.deepEqual(counts, [1, 0]);
    }
  });

  it("includes up to fifty added items", () => {
    const added = (minItems: number) => titlesOf("[]", { minItems, items: { const: 1 } });
    assert.deepEqual([added(50), added(51)], [["* Add 50 items"], []]);
  });
});

describe("the tokens that are read for a fix", () => {
  const list = (items: number) => `[${"1,".repeat(items - 1)}1]`;

  it("are at most 100,000 of an object or array, whose end is unknown beyond", () => {
    const closes = [49_999, 50_000, 50_001].map((items) => {
      const { close, members } = readContainer(list(items), 0) ?? {};
      return [close === undefined, members?.length];
    });
    assert.deepEqual(closes, [
      [false, 49_999],
      [false, 50_000],
      [true, 50_000],
    ]);
  });

  it("are at most 100,000 of a property that is removed", () => {
    const isRemoved = (items: number) => removeMember(`{"a":${list(items)}}`, 1) !== undefined;
    assert.deepEqual([isRemoved(49_998), isRemoved(49_999)], [true, false]);
  });
});

describe("the allowed values that a problem lists", () => {
  it("are at most a hundred, with their number", () => {
    const [problem] = checkedText('"x"', { enum: names(150) }).problems;
    assert.ok(problem?.data?.kind === "allowedValues");
    assert.deepEqual([problem.data.values.length, problem.data.total], [100, 150]);
  });
});
