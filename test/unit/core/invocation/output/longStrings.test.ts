import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { longStrings, outputTextAt } from "../../../../../src/core/invocation/output/outputParts";
import type { JsonValue } from "../../../../../src/core/json/jsonValue";

const long = "word ".repeat(30);

/** Output and schema in; out: pointer and file name of each text. */
const cases: [what: string, output: JsonValue, expected: string[], schema?: JsonValue][] = [
  ["short strings", { a: "one", b: 2, c: [true, null] }, []],
  ["a trailing line end", { a: "one\n" }, []],
  ["the output itself", long, [" text.txt"]],
  ["one property", { n: 1, note: long }, ["/note note.txt"]],
  ["lines", { note: "a\nb c" }, ["/note note.txt"]],
  ["down to the third level", { a: { b: { c: long } } }, ["/a/b/c c.txt"]],
  ["no further", { a: { b: { c: { d: long } } } }, []],
  ["items", [long, long], ["/0 text.txt", "/1 text.txt"]],
  ["escaped names", { "a/b~c ../x": long }, ["/a~1b~0c ..~1x a-b-c-x.txt"]],
  ["SQL by its name", { sql: `${long}` }, ["/sql sql.sql"]],
  ["SQL by its text", { out: "SELECT a,\n b\nFROM c" }, ["/out out.sql"]],
  [
    "SQL below a comment",
    { out: "-- Orders\n/* all\nof them */\nselect a\nfrom b" },
    ["/out out.sql"],
  ],
  ["a list below a rule", { out: "-- Orders\nupdated today" }, ["/out out.txt"]],
  ["CSV by its text", { out: "a,b\n1,2\n3,4\n" }, ["/out out.csv"]],
  [
    "CSV with separators in quotes",
    { out: 'a,b\n"1, or ""one""",2\n3,"4\n4"\n' },
    ["/out out.csv"],
  ],
  ["TSV by its text", { out: "a\tb\n1\t2" }, ["/out out.tsv"]],
  ["Markdown by its text", { out: "# Title\n\nWords" }, ["/out out.md"]],
  ["HTML by its text", { out: "<!doctype html>\n<p>x" }, ["/out out.html"]],
  ["a patch by its text", { out: "--- a\n+++ b\n@@ -1 +1 @@" }, ["/out out.diff"]],
  ["XML stays text: extensions fetch what it names", { xml: "<a>\n</a>" }, ["/xml xml.txt"]],
  [
    "JSON stays text: the editor fetches its schema",
    { out: '{\n"$schema":"x"}' },
    ["/out out.txt"],
  ],
  ["a media type beside it", { body: long, contentType: "text/csv" }, ["/body body.csv"]],
  ["plain text beside it", { sql: long, media_type: "text/plain" }, ["/sql sql.txt"]],
  [
    "a media type in the schema",
    { rows: [{ x: long }] },
    ["/rows/0/x x.md"],
    {
      properties: { rows: { items: { properties: { x: { contentMediaType: "text/markdown" } } } } },
    },
  ],
  ["a hostile schema", { a: long }, ["/a a.txt"], { properties: [1], items: null }],
];

describe("the long texts of an output", () => {
  for (const [what, output, expected, schema] of cases) {
    it(`are ${expected.length === 0 ? "none" : expected.join(" and ").trim()}: ${what}`, () => {
      const json = JSON.stringify(output);
      const found = longStrings(json, schema);
      assert.deepEqual(
        found.map(({ pointer, fileName }) => `${pointer} ${fileName}`),
        expected,
      );
      for (const { pointer, length } of found) {
        assert.equal(outputTextAt(json, pointer)?.length, length);
      }
    });
  }

  it("are at most twenty, and none for invalid JSON or slow parsing", () => {
    assert.equal(
      longStrings(
        JSON.stringify(Object.fromEntries([...Array(50).keys()].map((n) => [`p${n}`, long]))),
      ).length,
      20,
    );
    assert.deepEqual(longStrings("{ broken"), []);
    assert.deepEqual(longStrings(JSON.stringify("x".repeat(5_000_001))), []);
  });

  it("are found only by their own pointers", () => {
    const json = '{"a":{"b":"c"},"__proto__":{"d":"e"}}';
    assert.equal(outputTextAt(json, "/a/b"), "c");
    assert.equal(outputTextAt(json, "/__proto__/d"), "e");
    for (const pointer of ["/constructor/name", "/toString", "/a", "", "/a/b/length", "a/b"]) {
      assert.equal(outputTextAt(json, pointer), undefined, pointer);
    }
  });
});
