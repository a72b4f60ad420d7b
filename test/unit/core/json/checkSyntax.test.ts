import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { checkSyntax } from "../../../../src/core/json/checkSyntax";
import { propertyRuns } from "../../../fixtures/propertyRuns";

describe("checkSyntax", () => {
  it("closes at most a hundred brackets", () => {
    const repairs = [100, 101].map(
      (count) => checkSyntax("[".repeat(count), 1).findings[0]?.repair,
    );
    assert.deepEqual(repairs, [{ start: 100, end: 100, text: "]".repeat(100) }, undefined]);
  });

  const cases: [text: string, found: string[]][] = [
    ['{"a":1,}', ["trailingComma ,"]],
    ["[1,2, ]", ["trailingComma ,"]],
    ['{"a":1 "b":2}', ['syntax "b"']],
    ["[1 2]", ["syntax 2"]],
    ["{a:1}", ["syntax a"]],
    ["{'a':1}", ["syntax 'a'"]],
    ['{"a" 1}', ["syntax 1"]],
    ['{"a":}', ["syntax }"]],
    ['{"a":1,,}', ["syntax ,"]],
    ['{"a":[1,2}', ["syntax }"]],
    ['{"a":1', ["syntax 1"]],
    ['{"a":"x', ['syntax "x', "syntax x"]],
    ['{"a":"\\q","b":"\\u12"}', ["syntax \\q", "syntax \\u"]],
    ['{"a":"x\ty"}', ["syntax \t"]],
    [
      "[01,.5,1.,+1,0x1,NaN,True]",
      ["01", ".5", "1.", "+1", "0x1", "NaN", "True"].map((text) => `syntax ${text}`),
    ],
    ['{"a":"x\ny\r\n: z","b":1}', ["syntax \n"]],
    ['{"a":"x\n"b":1}', ['syntax "x', 'syntax "b"']],
    ["{“a”: „b“}", ["syntax “a”", "syntax „b“"]],
    ['{"a"=1; "b" => [2; 3]};', ["syntax ;", "syntax ;", "syntax ;", "syntax =", "syntax =>"]],
    ['"a": 1, "b": {}', ['syntax "a"']],
    ["a: [1,]", ["syntax a"]],
    ["{} {}", ["syntax {"]],
    ["}", ["syntax }"]],
    ["// a\n{ /* b */ }", ["comment // a", "comment /* b */"]],
    ["[1, /* a */ ]", ["trailingComma ,", "comment /* a */"]],
    ["/* a", ["syntax /* a"]],
    ["\ufeff{}", ["byteOrderMark \ufeff"]],
    ["", ["empty "]],
    [" \n", ["empty  \n"]],
    ["// only\n", ["comment // only", "empty // only\n"]],
    ["{}", []],
  ];
  for (const [text, expected] of cases) {
    it(`finds ${expected.length} in ${JSON.stringify(text)}`, () => {
      const found = checkSyntax(text, 20).findings;
      const shown = found.map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
      assert.deepEqual(shown.sort(), expected.toSorted());
    });
  }

  it("reports several places of one text", () => {
    const text = '{"a": tru, "b" 1, c: 2}';
    const starts = checkSyntax(text, 20).findings.map(({ start }) => start);
    assert.deepEqual(starts, [6, 15, 18]);
  });

  it("stops at the limit", () => {
    assert.equal(checkSyntax("x ".repeat(1000), 5).findings.length, 5);
    assert.deepEqual(count(checkSyntax("// x\n".repeat(1000), 5)), [6, 995]);
  });

  it("handles deep texts without recursion", () => {
    assert.equal(checkSyntax("[".repeat(100_000), 20).findings.length, 1);
  });

  it("keeps every offset if only comments and trailing commas are left out", () => {
    const text = '\ufeff{"a": 1, // one\n "b": [2,], }';
    const { readable } = checkSyntax(text, 20);
    assert.equal(readable?.length, text.length);
    assert.equal(readable?.indexOf('"b"'), text.indexOf('"b"'));
    assert.deepEqual(JSON.parse(readable ?? ""), { a: 1, b: [2] });
  });

  it("reports an error exactly if JSON.parse throws, inside the text", () => {
    const pieces = ["{", "}", "[", "]", ",", ":", '"a"', '"\\n"', "-0.5e3", "true", "null", " "];
    const odd = [
      "\n",
      "// c\n",
      "/* d */",
      '"',
      "'",
      "\\",
      "x",
      "01",
      "/",
      "\t",
      "é",
      "\ufeff",
      ".",
    ];
    const texts = fc.array(fc.constantFrom(...pieces, ...odd), { maxLength: 14 });
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join("");
        const { findings, readable } = checkSyntax(text, 20);
        assert.equal(findings.length === 0, isJson(text));
        if (readable !== undefined) assert.ok(isJson(readable) && readable.length === text.length);
        for (const { start, end } of findings) {
          assert.ok(start >= 0 && end <= text.length && (start < end || text === ""));
        }
      }),
      { numRuns: propertyRuns(5000) },
    );
  });
});

function count({ findings, hidden }: { findings: unknown[]; hidden: number }): number[] {
  return [findings.length, hidden];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
