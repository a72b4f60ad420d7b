import assert from "node:assert/strict";
import { transformSync } from "esbuild";
import { describe, it } from "mocha";
import { textsIn } from "../../../scripts/packaging/pageTexts.mjs";

describe("the texts whose translations a page gets", () => {
  const texts = [
    "Plain",
    "“{name}” and more…",
    'He said "no"',
    "It's",
    'Both "it\'s"',
    "Two\nlines",
    "A `tick`",
    "Back\\slash",
  ];
  for (const text of texts) {
    it(`are found in a script as esbuild writes it: ${JSON.stringify(text)}`, () => {
      for (const minify of [true, false]) {
        const { code } = transformSync(`say(${JSON.stringify(text)})`, { minify });
        assert.deepEqual(textsIn(code, [...texts, "Pla"]), [text], code);
      }
    });
  }
});
