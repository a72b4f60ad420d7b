import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { durationText, english, languageOf, timeFormats } from "../../../../src/core/text/language";

const time = new Date(2026, 10, 9, 13, 5, 7).getTime();
const german = languageOf("de", { Open: "Öffnen" });

describe("times", () => {
  for (const [language, moment, timeOfDay] of [
    [english, "Nov 9, 2026, 1:05:07 PM", "1:05:07 PM"],
    [german, "09.11.2026, 13:05:07", "13:05:07"],
  ] as const) {
    it(`are said in ${language.locale}`, () => {
      const formats = timeFormats(language);
      // Versions of the locale data differ in the kind of space before PM.
      assert.equal(formats.moment(time).replaceAll(/\s/g, " "), moment);
      assert.equal(formats.timeOfDay(time).replaceAll(/\s/g, " "), timeOfDay);
    });
  }
});

describe("durationText", () => {
  for (const [milliseconds, expected, language] of [
    [0, "0 ms", english],
    [999.4, "999 ms", english],
    [999.6, "1.0 s", english],
    [10_016, "10.0 s", english],
    [61_000, "61.0 s", english],
    [1234, "1,2 s", german],
  ] as const) {
    it(`says ${expected}`, () => assert.equal(durationText(milliseconds, language), expected));
  }
});
