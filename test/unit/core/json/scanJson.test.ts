import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { RequestedRange, scanJson } from "../../../../src/core/json/scanJson";

describe("scanJson", () => {
  const places: [text: string, path: (string | number)[], value: string, key?: string][] = [
    ["1", [], "1"],
    [' {"a": [1, {"b": "x"}]} ', ["a", 1, "b"], '"x"', '"b"'],
    ['{"a": {"b": 1}, "c": [ ]}', ["a"], '{"b": 1}', '"a"'],
    ['{"a": {"b": 1}, "c": [ ]}', ["c"], "[ ]", '"c"'],
    ['{"\\u0061": true}', ["a"], "true", '"\\u0061"'],
    ['{"a\\"b": null}', ['a"b'], "null", '"a\\"b"'],
    ['{"__proto__": {"a": -1.5e3}}', ["__proto__", "a"], "-1.5e3", '"a"'],
    ['{"a": 1, "a": 2}', ["a"], "2", '"a"'],
    [
      '[[1, 2], [3, "a long text with an escaped \\\\ and \\" in it"]]',
      [1, 1],
      '"a long text with an escaped \\\\ and \\" in it"',
    ],
    ['{"é😀": {"ü": "\ud83d ü"}, "a": 1}', ["é😀", "ü"], '"\ud83d ü"', '"ü"'],
    [`["${"x".repeat(40)}\\\\", 7]`, [1], "7"],
  ];
  for (const [text, path, value, key] of places) {
    it(`finds ${JSON.stringify(path)} in ${text.trim()}`, () => {
      const root = new RequestedRange();
      const wanted = path.reduce<RequestedRange>((place, step) => place.below(step), root);
      scanJson(text, root, 10);
      assert.equal(text.slice(wanted.value?.start, wanted.value?.end), value);
      const found = wanted.key && text.slice(wanted.key.start, wanted.key.end);
      assert.equal(found, key);
    });
  }

  it("finds every value of any JSON at the position that a parser finds", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: "grapheme" }),
        fc.constantFrom(0, 2),
        (written, indent) => {
          const text = JSON.stringify(written, null, indent);
          // Compared with the text, since JSON.stringify writes no -0.
          const value = JSON.parse(text);
          for (const known of [undefined, value]) {
            const root = new RequestedRange();
            const wanted = wantEverything(value, root);
            scanJson(text, root, 10, known);
            for (const { place, part } of wanted) {
              assert.deepEqual(JSON.parse(text.slice(place.value?.start, place.value?.end)), part);
            }
          }
        },
      ),
    );
  });

  const duplicates: [text: string, found: string[]][] = [
    ['{"a":1,"b":2}', []],
    ['{"a":1,"a":2}', ["a 7 1"]],
    ['{"a":1,"\\u0061":2}', ["a 7 1"]],
    ['{"a":{"b":1},"c":{"b":2,"b":3}}', ["b 24 18"]],
    ['[{"a":1},{"a":2}]', []],
    ['{"a":{"a":1}}', []],
    ['{"a":1,"b":{"c":1},"a":2}', ["a 19 1"]],
    ['{"a":{"b":1},"a":{"b":2,"c":3}}', ["a 13 1"]],
    ['{"":1,"":2}', [" 6 1"]],
    ['{"__proto__":1,"__proto__":2}', ["__proto__ 15 1"]],
  ];
  for (const [text, expected] of duplicates) {
    it(`finds ${expected.length} repeated keys in ${text}`, () => {
      const everything = new RequestedRange();
      wantEverything(JSON.parse(text), everything);
      for (const wanted of [new RequestedRange(), everything]) {
        for (const value of [undefined, JSON.parse(text)]) {
          const found = scanJson(text, wanted, 10, value).duplicateKeys.map(
            ({ name, range, firstStart }) => `${name} ${range.start} ${firstStart}`,
          );
          assert.deepEqual(found, expected);
        }
      }
    });
  }

  it("finds a repeated key among thousands, also with equal hashes", () => {
    const names = Array.from({ length: 5000 }, (_, index) => `"key${index}":0`);
    // The hashes of "Aa" and "BB" are the same.
    const text = `{${names.join(",")},"AaAa":1,"BBBB":2,"AaBB":3,"key4000":4}`;
    const { duplicateKeys } = scanJson(text, new RequestedRange(), 10);
    assert.deepEqual(
      duplicateKeys.map(({ name }) => name),
      ["key4000"],
    );
  });

  it("compares the keys themselves if all have one hash", () => {
    let names = [""];
    for (let length = 0; length < 12; length += 1)
      names = names.flatMap((name) => [`${name}Aa`, `${name}BB`]);
    const last = names.at(-1);
    const text = `{${[...names, last].map((name) => `"${name}":1`).join()}}`;
    const { duplicateKeys, hidden } = scanJson(text, new RequestedRange(), 10);
    assert.deepEqual(
      duplicateKeys.map(({ name }) => name),
      [last],
    );
    assert.equal(hidden, 0);
    assert.equal(duplicateKeys[0]?.firstStart, text.indexOf(`"${last}"`));
    assert.equal(scanJson(text, new RequestedRange(), 0).hidden, 1, "counted as surely as listed");
  });

  it("lists at most the requested number and counts the rest", () => {
    const scan = scanJson(`{${'"a":1,'.repeat(100)}"a":1}`, new RequestedRange(), 10);
    assert.deepEqual([scan.duplicateKeys.length, scan.hidden], [10, 90]);
  });

  const numbers: [text: string, readAs: string[]][] = [
    ["9007199254740993", ["9007199254740992"]],
    ["9007199254740992", []],
    ["-9007199254740993", ["-9007199254740992"]],
    ["12345678901234567890", ["12345678901234567000"]],
    ["1e400", ["infinity"]],
    ["-1E400", ["minus infinity"]],
    ["1e-400", ["0"]],
    ["1e5", []],
    ["1E+05", []],
    ["1.50", []],
    ["0.1", []],
    ["0.10000000000000000000", []],
    ["0.1000000000000000055511151231257827", ["0.1"]],
    ["3.141592653589793", []],
    ["3.14159265358979323846", ["3.141592653589793"]],
    ["1000000000000000000000", []],
    ["100000000000000000000000000000000000000000000000000", []],
    ["-0", []],
    ["0e999", []],
    ['{"9007199254740993":"9007199254740993"}', []],
  ];
  for (const [text, expected] of numbers) {
    it(`explains how ${text} is read`, () => {
      const { lossyNumbers } = scanJson(text, new RequestedRange(), 10);
      assert.deepEqual(
        lossyNumbers.map(({ readAs }) => readAs),
        expected,
      );
    });
  }

  it("handles deep texts without recursion", () => {
    const text = "[".repeat(100_000) + "]".repeat(100_000);
    assert.equal(scanJson(text, new RequestedRange(), 10).hidden, 0);
  });
});

function wantEverything(
  part: unknown,
  place: RequestedRange,
): { place: RequestedRange; part: unknown }[] {
  const below = Array.isArray(part)
    ? part.map((item, index) => wantEverything(item, place.below(index)))
    : typeof part === "object" && part !== null
      ? Object.entries(part).map(([key, item]) => wantEverything(item, place.below(key)))
      : [];
  return [{ place, part }, ...below.flat()];
}
