import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { textsContain, textsPreview } from "../../../../../src/core/invocation/record/textsPreview";
import { KeyRedactor } from "../../../../../src/core/registry/redactSecrets";

describe("The preview of input and output", () => {
  const cases: readonly [input: string | undefined, output: string | undefined, string][] = [
    [
      '{"text": "Good\\nmorning"}',
      '{"words": 2, "lines": [1, 2]}',
      "Good morning → words 2, lines 1, 2",
    ],
    ['{"a": {"b": null}}', undefined, "null"],
    ['{"id": 9007199254740993}', "[1e400, 1.50]", "9007199254740993 → 1e400, 1.5"],
    ["{}", "[]", "→"],
    ["not JSON", '"x"', "not JSON → x"],
    [undefined, undefined, ""],
    [`{"a": "${"x".repeat(50)}"}`, undefined, `${"x".repeat(39)}…`],
    [`["${"x".repeat(30_000)}"]`, undefined, `["${"x".repeat(37)}…`],
    ["[".repeat(5_000) + "]".repeat(5_000), undefined, `${"[".repeat(39)}…`],
  ];
  for (const [inputText, outputText, expected] of cases) {
    it(`of ${inputText?.slice(0, 40)} and ${outputText} is short`, () => {
      const texts = {
        ...(inputText !== undefined && { inputText }),
        ...(outputText !== undefined && { outputText }),
      };
      assert.equal(
        textsPreview(texts, (text) => text),
        expected,
      );
    });
  }

  const key = "sk_proj_0123456789abcdef0123456789abcdef";
  const redactor = new KeyRedactor(key);
  const withKey: readonly [kind: string, text: string, expected: string][] = [
    ["is truncated", `{"value": "token ${key}"}`, "token [Project Key]"],
    ["is escaped", `{"value": "token \\u0073${key.slice(1)}"}`, "token [Project Key]"],
    ["is in text that is not JSON", `Here is the token ${key}`, "Here is the token [Project Key]"],
    [
      "is truncated in a text of a megabyte",
      `["${" ".repeat(60)}${key}${" x".repeat(500_000)}"]`,
      '[" [Project Key] x x',
    ],
  ];
  for (const [kind, text, expected] of withKey) {
    it(`shows nothing of a key that ${kind}`, () => {
      const redact = (whole: string) => redactor.redact(whole);
      assert.equal(textsPreview({ inputText: text }, redact), expected);
      assert.equal(textsPreview({ outputText: text }, redact), `→ ${expected}`);
    });
  }

  it("is redacted by searching only the start of a text for keys", () => {
    let searched = 0;
    textsPreview({ inputText: "x".repeat(1_000_000) }, (text) => {
      searched += text.length;
      return text;
    });
    assert.equal(searched, 100_000);
  });

  it("is found by a search that ignores case", () => {
    assert.equal(textsContain({ inputText: "Good Morning" }, "good m"), true);
    assert.equal(textsContain({ inputText: "a", outputText: "B" }, "b"), true);
    assert.equal(textsContain({}, "b"), false);
  });
});
