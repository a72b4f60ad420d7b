import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { english, languageOf, timeFormats } from "../../../../src/core/text/language";

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
