import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import {
  findPlaceholders,
  type ResolvedText,
  resolvePlaceholders,
  unfinishedPlaceholder,
  writtenRange,
} from "../../../../src/core/environment/placeholders";

const declared = new Set(["customer", "limit", "tags", "token", "quote", "unset"]);
const given = {
  values: new Map([
    ["customer", '"c-17"'],
    ["limit", "12345678901234567890.10"],
    ["tags", '["a", "b"]'],
    ["quote", '"a \\"b\\" \\u00e4"'],
  ]),
  secrets: new Map([["token", 's3"cret\\']]),
};

function resolved(text: string): ResolvedText {
  const resolution = resolvePlaceholders(text, declared, given);
  assert.equal(resolution.kind, "resolved");
  return resolution.kind === "resolved" ? resolution.value : assert.fail();
}

describe("a placeholder in a payload", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["a whole string becomes a text", '{"id": "{{customer}}"}', '{"id": "c-17"}'],
    [
      "a whole string becomes a number as it is spelled",
      '{"n":"{{limit}}"}',
      '{"n":12345678901234567890.10}',
    ],
    ["a whole string becomes a list", '["{{tags}}"]', '[["a", "b"]]'],
    ["text around it stays", '["to {{customer}}!"]', '["to c-17!"]'],
    ["a number inside a string is text", '["{{limit}} of"]', '["12345678901234567890.10 of"]'],
    ["a list inside a string is escaped", '["{{tags}} "]', '["[\\"a\\", \\"b\\"] "]'],
    ["escapes of a value are kept", '["<{{quote}}>"]', '["<a \\"b\\" \\u00e4>"]'],
    ["two of them in a string", '["{{customer}}{{customer}}"]', '["c-17c-17"]'],
    ["a secret is escaped", '["{{token}}","x{{token}}"]', '["s3\\"cret\\\\","xs3\\"cret\\\\"]'],
    ["a payload that is a string", '"{{customer}}"', '"c-17"'],
    ["layout stays", '{\n\t"a" : "{{customer}}" ,"b":1.0}', '{\n\t"a" : "c-17" ,"b":1.0}'],
  ];
  for (const [title, text, expected] of cases) {
    it(`is replaced: ${title}`, () => {
      assert.equal(resolved(text).text, expected);
    });
  }

  const plain: readonly (readonly [string, string])[] = [
    ["an undeclared name", '{"a":"{{other}}"}'],
    ["a property's name", '{"{{customer}}":1,"{{customer}}" /* */ :2}'],
    ["spaces in the braces", '["{{ customer }}"]'],
    ["one brace", '["{customer}"]'],
    ["braces written as escapes", '["\\u007b{customer}}"]'],
    ["text outside of strings", '{{customer}} // "{{customer'],
    ["a comment", '/* "{{customer}}" */ 1'],
    ["a name of an object's prototype", '["{{constructor}}","{{__proto__}}"]'],
  ];
  for (const [title, text] of plain) {
    it(`is plain text: ${title}`, () => {
      assert.equal(resolved(text).text, text);
    });
  }

  it("without a value is reported with its range, and nothing is resolved", () => {
    const text = '["{{customer}}","a {{unset}}"]';
    assert.deepEqual(resolvePlaceholders(text, declared, given), {
      kind: "missing",
      placeholders: [{ name: "unset", start: 19, end: 28 }],
    });
  });

  it("is not searched for if no names are declared", () => {
    assert.deepEqual(findPlaceholders('["{{customer}}"]', new Set()), []);
  });

  it("with a value that makes the payload too large is refused", () => {
    const large = {
      values: new Map([["customer", `"${"x".repeat(1_000_000)}"`]]),
      secrets: new Map(),
    };
    const text = `[${Array.from({ length: 40 }, () => '"{{customer}}"').join(",")}]`;
    assert.deepEqual(resolvePlaceholders(text, declared, large), { kind: "tooLarge" });
  });

  it("for a secret is shown as dots of a fixed length", () => {
    const { shown } = resolved('["{{token}}","for {{token}}","{{customer}}"]');
    assert.equal(shown, '["••••","for ••••","c-17"]');
  });

  it("does not change a text without declared names", () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (json, noise) => {
        const text = `${json}${noise}`;
        assert.equal(resolvePlaceholders(text, new Set(["customer"]), given).kind, "resolved");
        if (!text.includes("{{customer}}")) assert.equal(resolved(text).text, text);
      }),
    );
  });
});

describe("a range of a resolved payload", () => {
  //            0         1         2         3
  //            0123456789012345678901234567890123456789
  const text = '{"a":"{{customer}}","b":"x {{limit}}","c":1}';
  const value = resolved(text);
  const at = (part: string) => {
    const start = value.text.indexOf(part);
    return { start, end: start + part.length };
  };
  const written = (part: string) => {
    const { start, end } = writtenRange(value.replaced, at(part));
    return text.slice(start, end);
  };

  const cases: readonly (readonly [string, string])[] = [
    ['"a"', '"a"'],
    ['"c-17"', "{{customer}}"],
    ["c-1", "{{customer}}"],
    ['"b"', '"b"'],
    ["x ", "x "],
    ["345", "{{limit}}"],
    ['"x 12345678901234567890.10"', '"x {{limit}}"'],
    ['"c":1', '"c":1'],
  ];
  for (const [part, expected] of cases) {
    it(`${part} is ${expected} as written`, () => {
      assert.equal(written(part), expected);
    });
  }

  it("that covers everything maps to everything", () => {
    assert.deepEqual(writtenRange(value.replaced, { start: 0, end: value.text.length }), {
      start: 0,
      end: text.length,
    });
  });

  it("that is empty and inside a value maps to its placeholder", () => {
    const { start } = at("-17");
    const range = writtenRange(value.replaced, { start, end: start });
    assert.equal(text.slice(range.start, range.end), "{{customer}}");
  });
});

describe("A placeholder that is being typed", () => {
  const table: readonly (readonly [string, string | undefined])[] = [
    ['{"a":"{{|', "{{"],
    ['{"a":"x {{cus|', "{{cus"],
    ['{"a":"{{cus|tomer}}"}', "{{customer}}"],
    ['{"a":"{{cus|tomer and more"}', "{{customer"],
    ['{"a":"{{cus|}"}', "{{cus}"],
    ['{"a":"{{|"}', "{{"],
    ['{"{{cus|":1}', undefined],
    ["{{cus|", undefined],
    ['{"a": {{cus|', undefined],
    ['{"a":"{cus|"}', undefined],
    ['{"a":"{{cus|tomer}}","b":"{{c}}"}', "{{customer}}"],
    ['{"a":"{{cus}} |"}', undefined],
    ['{"a":"x\n{{cus|tomer}}"}', "{{customer}}"],
  ];
  for (const [typed, expected] of table) {
    it(`is ${expected ?? "none"} in ${typed.replace("\n", "⏎")}`, () => {
      const offset = typed.indexOf("|");
      const text = typed.replace("|", "");
      const range = unfinishedPlaceholder(text, offset);
      assert.equal(range && text.slice(range.start, range.end), expected);
    });
  }
});
