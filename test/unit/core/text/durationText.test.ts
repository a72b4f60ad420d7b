import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { durationText, english, languageOf } from "../../../../src/core/text/language";

const german = languageOf("de", { Open: "Öffnen" });

describe("durationText", () => {
  for (const [milliseconds, expected, language] of [
    [0, "0 ms", english],
    [999.4, "999 ms", english],
    [999.6, "1.0 s", english],
    [10_016, "10.0 s", english],
    [61_000, "61.0 s", english],
    [1234, "1,2 s", german],
  ] as const) {
    it(`returns ${expected}`, () => assert.equal(durationText(milliseconds, language), expected));
  }
});
