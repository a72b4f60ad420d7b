import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { credentialsInShared, sharedTextProblem } from "../../../../src/core/payload/sharedText";
import { english } from "../../../../src/core/text/language";

const cases: readonly (readonly [text: string, found: readonly string[]])[] = [
  ["https://u:p@run.example.com", ["https://u:p@"]],
  ["See https://user:long-password@run.example.com", ["https://user:long-password@"]],
  ["https://run.example.com/?api_key=abcdef123456&x=1", ["?api_key=abcdef123456"]],
  ["https://run.example.com/?a=1&Access-Token=abcdef123456#b", ["&Access-Token=abcdef123456"]],
  ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", ["ghp_abcdefghijklmnopqrstuvwxyz0123456789"]],
  ["https://run.example.com/?api_key=YOUR_API_KEY", []],
  ["https://run.example.com/?api_key={{subject_key}}", []],
  ["https://run.example.com/?token=short", []],
  ["https://run.example.com/?key=abcdef123456", []],
  ["https://{{user}}:{{password}}@run.example.com", []],
  ["Write to a@example.com or https://example.com:8080/@user", []],
];

describe("a text that others will read", () => {
  for (const [text, expected] of cases) {
    it(`${expected.length === 0 ? "has no credential" : "has a credential"}: ${text}`, () => {
      const found = credentialsInShared(text).map(({ start, end }) => text.slice(start, end));
      assert.deepEqual(found, expected);
      assert.equal(sharedTextProblem(text, english) === "", expected.length === 0);
    });
  }
});
