import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { runSync } from "../../../../src/core/text/chunked";
import { JsonScanner, jsonMembers } from "../../../../src/registry/decode/jsonScanner";
import { propertyRuns } from "../../../fixtures/propertyRuns";

function endOf(text: string, start = 0): number {
  return runSync(new JsonScanner(Buffer.from(text)).endOfValue(start));
}

describe("JsonScanner", () => {
  it("finds the end of any JSON value", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom("", " ", ",1", "]", "}\n"), (text, behind) => {
        const isNumber = /\d$/.test(text) && /^[\d]/.test(behind);
        assert.equal(endOf(text + behind), isNumber ? -1 : Buffer.byteLength(text));
      }),
    );
  });

  it("finds the end with any white space", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(1, "\t", " \r\n"), (value, space) => {
        const text = JSON.stringify(value, null, space);
        assert.equal(endOf(text), Buffer.byteLength(text));
      }),
    );
  });

  it("accepts exactly what JSON.parse accepts", () => {
    const pieces = fc.constantFrom(
      ..."{}[],: \n-+.eE0123456789".split(""),
      '"a"',
      '"',
      "\\",
      "u00e9",
      "b",
      "q",
      "\u001f",
      "\u007f",
      "ä",
      '{"b":',
      "true",
      "false",
      "null",
      "nul",
      "1.5e-3",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const end = endOf(text, text.length - text.trimStart().length);
        const isWhole = end >= 0 && text.slice(end).trim() === "";
        assert.equal(isWhole, parses(text), text);
      }),
      { numRuns: propertyRuns(20_000) },
    );
  });

  const strings: readonly string[] = [
    "x".repeat(10_000),
    `${"x".repeat(255)}"${"y".repeat(600)}`,
    `${"x".repeat(254)}\\${"y".repeat(600)}`,
    `${"x".repeat(255)}\\"${"y".repeat(600)}\\`,
    `${"x".repeat(300)}\n`.repeat(50),
    '\\"'.repeat(2000),
    "ä€😀".repeat(500),
  ];
  for (const text of strings) {
    it(`finds the end of a long string: ${JSON.stringify(text.slice(0, 8))} ${text.length}`, () => {
      const json = JSON.stringify([text, text, { [text]: text }]);
      assert.equal(endOf(json), Buffer.byteLength(json));
      assert.equal(endOf(json.slice(0, -4)), -1);
    });
  }

  it("finds no end in long strings that have none", () => {
    assert.equal(endOf(`"${`${"x".repeat(300)}\\n`.repeat(20_000)}`), -1);
  });
});

describe("jsonMembers", () => {
  it("finds what JSON.parse finds", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        const bytes = Buffer.from(text);
        const members = runSync(jsonMembers(bytes, 0, new Set(Object.keys(value))));
        assert.equal(members.end, bytes.length);
        const found = [...members.spans].map(([name, { start, end }]) => [
          name,
          JSON.parse(bytes.toString("utf8", start, end)),
        ]);
        assert.deepEqual(Object.fromEntries(found), JSON.parse(text));
      }),
    );
  });

  it("pauses in the middle of a long string", () => {
    const text = JSON.stringify({ a: `${"x".repeat(999_999)}\\`, b: 1 });
    let steps = 0;
    const reading = jsonMembers(Buffer.from(text), 0, new Set("ab"));
    let step = reading.next();
    for (; !step.done; step = reading.next()) steps += 1;
    assert.deepEqual([...step.value.spans.keys()], ["a", "b"]);
    assert.ok(steps >= 9, `${steps} pauses`);
  });

  it("pauses among many members, and keeps the requested ones", () => {
    const many = Array.from({ length: 200_000 }, (_, at) => `"k${at}":0`).join(",");
    let steps = 0;
    const reading = jsonMembers(Buffer.from(`{"a":1,${many},"b":2}`), 0, new Set("ab"));
    let step = reading.next();
    for (; !step.done; step = reading.next()) steps += 1;
    assert.deepEqual([...step.value.spans.keys()], ["a", "b"]);
    assert.ok(steps >= 20, `${steps} pauses`);
  });

  it("keeps the members before a truncation", () => {
    const text = '{"a":1,"b":"x","c":[1,2],"d":12345}';
    const found = new Set<string>();
    for (let length = 0; length < text.length; length += 1) {
      const { spans, end } = runSync(
        jsonMembers(Buffer.from(text.slice(0, length)), 0, new Set("abcd")),
      );
      assert.equal(end, -1);
      found.add([...spans.keys()].join(""));
    }
    assert.deepEqual([...found], ["", "a", "ab", "abc"]);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
