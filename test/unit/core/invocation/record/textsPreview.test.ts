import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { textsContain, textsPreview } from "../../../../../src/core/invocation/record/textsPreview";

describe("What went in and came out", () => {
  const cases: readonly [input: string | undefined, output: string | undefined, string][] = [
    [
      '{"text": "Good\\nmorning"}',
      '{"words": 2, "lines": [1, 2]}',
      "Good morning → words 2, lines 1, 2",
    ],
    ['{"a": {"b": null}}', undefined, "null"],
    ["{}", "[]", "→"],
    ["not JSON", '"x"', "not JSON → x"],
    [undefined, undefined, ""],
    [`{"a": "${"x".repeat(50)}"}`, undefined, `${"x".repeat(39)}…`],
    [`["${"x".repeat(30_000)}"]`, undefined, `["${"x".repeat(37)}…`],
    ["[".repeat(5_000) + "]".repeat(5_000), undefined, `${"[".repeat(39)}…`],
  ];
  for (const [inputText, outputText, expected] of cases) {
    it(`is told of ${inputText?.slice(0, 40)} and ${outputText}`, () => {
      const texts = {
        ...(inputText !== undefined && { inputText }),
        ...(outputText !== undefined && { outputText }),
      };
      assert.equal(textsPreview(texts), expected);
    });
  }

  it("is searched whatever the case", () => {
    assert.equal(textsContain({ inputText: "Good Morning" }, "good m"), true);
    assert.equal(textsContain({ inputText: "a", outputText: "B" }, "b"), true);
    assert.equal(textsContain({}, "b"), false);
  });
});
