import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import {
  jsonFileEnding,
  jsonFileEndingOf,
} from "../../../../../src/core/schema/read/jsonFileEnding";

const standard = "http://json-schema.org/draft-07/schema#";
const elsewhere = "https://elsewhere.example/schema.json";

describe("jsonFileEnding", () => {
  it("keeps the editor's JSON support from fetching schemas", () => {
    assert.equal(jsonFileEnding({ $schema: elsewhere }), "jsonl");
    assert.equal(jsonFileEnding({ $schema: "./beside.json" }), "jsonl");
    assert.equal(jsonFileEnding({ $schema: 5 }), "jsonl");
  });

  it("keeps the JSON support for everything else", () => {
    for (const value of [undefined, null, [], "x", {}, { a: { $schema: elsewhere } }]) {
      assert.equal(jsonFileEnding(value), "json");
    }
    assert.equal(jsonFileEnding({ $schema: standard }), "json");
  });
});

describe("jsonFileEndingOf", () => {
  const texts: [string, "json" | "jsonl"][] = [
    ['{"a": 1}', "json"],
    ["", "json"],
    [`{"$schema": "${elsewhere}"}`, "jsonl"],
    [`{"\\u0024sch\\u0065ma": "${elsewhere}"}`, "jsonl"],
    [`{"$schema": "${elsewhere}", `, "jsonl"],
    [`{"$schema": "${elsewhere}", "$schema": "${standard}"}`, "jsonl"],
    [`[{"$schema": "${elsewhere}"}]`, "json"],
  ];
  for (const [text, ending] of texts) {
    it(`is ${ending} for ${text.trim() || "nothing"}`, () =>
      assert.equal(jsonFileEndingOf(text), ending));
  }

  it("does not parse a long text, and assumes a schema if it mentions one", () => {
    const long = (text: string) => JSON.stringify([text, "x".repeat(200_000)]);
    assert.equal(jsonFileEndingOf(long("a schema")), "jsonl");
    assert.equal(jsonFileEndingOf(long("\u0000")), "jsonl");
    assert.equal(jsonFileEndingOf(long("nothing of it")), "json");
  });
});
