import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  inputKind,
  itemsOfList,
  notOnePayload,
  payloadOfRecord,
} from "../../../../../src/core/invocation/run/inputKind";

const kindOf = (name: string, head: string | Buffer) =>
  inputKind(name, Buffer.from(head as string), true, { type: "object" });

describe("the format of a file with payloads", () => {
  for (const [name, head, kind] of [
    ["a.jsonl", '{"a":1}\n{"a":2}\n', "lines"],
    ["a.jsonl", "[1]\n[2]\n", "lines"],
    ["a.jsonl", '"x"\n7\n', "lines"],
    ["a.jsonl", '{"a":', "lines"],
    ["a.jsonl", "", "lines"],
    ["a.json", '[{"a":1},{"a":2}]', "list"],
    ["a.json", '[\n  {"a":1}\n]', "list"],
    ["a.csv", "name,age\nAda,36\n", "table"],
    ["a.csv", '\uFEFF"first name";age\n', "table"],
    ["a.tsv", "name\tage\n", "table"],
    ["a.csv", "name\nAda\n", "table"],
    ["a.jsonl", "Hello, wide world!\n", "lines"],
  ] as const) {
    it(`is ${kind} for ${name} with ${JSON.stringify(head)}`, () => {
      assert.equal(kindOf(name, head).kind, kind);
    });
  }

  for (const [head, words] of [
    ['{\n  "a": 1\n}', /one JSON object over several lines/],
    ['{"a":1},\n{"a":2}', /comma after each line/],
    ['\u001e{"a":1}\n', /RFC 7464/],
    [Buffer.from('\uFEFF{"a":1}', "utf16le"), /UTF-16/],
    [Buffer.from([0x1f, 0x8b, 8]), /gzip/],
    [Buffer.from("PK\u0003\u0004"), /Excel/],
    [Buffer.from("%PDF-1.7\n\u0000"), /not UTF-8 text/],
    [Buffer.from('{"a":1}', "utf16le"), /not UTF-8 text\. Save/],
    ["<a>1</a>\n", /XML or HTML/],
    ["---\na: 1\n", /YAML/],
  ] as const) {
    it(`is named in a sentence that matches ${words}`, () => {
      const found = kindOf("a.jsonl", head as string);
      assert.ok(found.kind === "other");
      assert.match(found.message, words);
    });
  }
});

describe("a text for one payload", () => {
  for (const [text, words, schema] of [
    ['{"a":1}\n{"a":2}\n', /several JSON values\. Write/],
    ['{"a":1}{"a":2}', /several JSON values/],
    ['{\n "a": 1\n}\n{\n "a": 2\n}\n', /several JSON values/],
    ['{"a":1},\n{"a":2}', /several JSON values/],
    ["[1]\n[2]", /several JSON values/, { type: "array" }],
    ['[{"a":1}]', /looks like a JSON list/],
    ['\u001e{"a":1}\n', /RFC 7464/],
    ["name,age\nAda,36\n", /looks like CSV/],
    ["<a>1</a>", /looks like XML/],
    ["a\u0000", /not UTF-8 text/],
    ["[1]", undefined],
    ['{"a":1}', undefined],
    ['\uFEFF{"a":1}', undefined],
    ['[{"a":1}]', undefined, { type: "array" }],
    ['[{"a":1}]', undefined, {}],
    ['{"a":1} // {"a":2}', undefined],
    ['{"a":1', undefined],
    ['{"a":1}\n"b"', undefined],
    ['{"a" {"b":1}', undefined],
    ["Hello,\nwide world", undefined],
    ["", undefined],
  ] as const) {
    it(`${words === undefined ? "may be" : "is not"} ${JSON.stringify(text)} for ${JSON.stringify(schema)}`, () => {
      const found = notOnePayload("a.json", text, (schema ?? { type: "object" }) as never);
      if (words === undefined) assert.equal(found, undefined);
      else assert.match(found?.message ?? "", words);
    });
  }

  it("says where the second value starts", () => {
    const found = notOnePayload("a.json", '{"a":1},\n{"a":2}', { type: "object" });
    assert.equal(found?.start, 9);
  });
});

describe("a list in a single line", () => {
  for (const [schema, kind] of [
    [{ type: "object" }, "list"],
    [{ type: "array" }, "lines"],
    [{}, "lines"],
    [undefined, "lines"],
  ] as const) {
    it(`is ${kind} for payloads by ${JSON.stringify(schema)}`, () => {
      const head = Buffer.from('[{"a":1}]');
      assert.equal(inputKind("a.json", head, true, schema).kind, kind);
    });
  }
});

describe("a record of a table", () => {
  const schema = {
    type: "object",
    required: ["name", "note"],
    properties: {
      name: { type: "string" },
      note: { type: "string" },
      age: { type: "integer" },
      isNew: { type: ["boolean", "null"] },
      tags: { type: "array" },
      zip: { type: ["string", "integer", "null"] },
    },
  };
  const write = payloadOfRecord(schema);
  for (const [names, cells, payload] of [
    [["name", "age"], ["007", "36"], '{"name":"007","age":36}'],
    [["age"], ["12345678901234567890"], '{"age":12345678901234567890}'],
    [["age"], ["old"], '{"age":"old"}'],
    [["zip"], ["12345"], '{"zip":"12345"}'],
    [["zip"], ["Null"], '{"zip":"Null"}'],
    [["isNew"], ["TRUE"], '{"isNew":true}'],
    [["tags"], ['["a","b"]'], '{"tags":["a","b"]}'],
    [["name", "note", "age"], ["", "", ""], '{"name":"","note":""}'],
    [["other", 'a"b'], ["1", ""], '{"other":"1"}'],
  ] as const) {
    it(`is ${payload}`, () => assert.equal(write(names, cells), payload));
  }
});

describe("the items of a JSON list", () => {
  it("keep their own text", () => {
    const text = '\uFEFF[ {"a": 1.0}, [2, [3]], "x" ,4\n]';
    const items = itemsOfList(text)?.map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(items, ['{"a": 1.0}', "[2, [3]]", '"x"', "4"]);
    assert.deepEqual(itemsOfList("[]"), []);
    assert.equal(itemsOfList("[1,"), undefined);
    assert.equal(itemsOfList("{}"), undefined);
  });
});
