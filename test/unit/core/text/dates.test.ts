import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  dayText,
  localDay,
  momentText,
  timeFormats,
  utcDay,
} from "../../../../src/core/text/dates";
import { english, languageOf } from "../../../../src/core/text/language";

describe("the day of a time", () => {
  for (const [time, day] of [
    ["2026-11-20T00:00:00Z", "2026-11-20"],
    ["2026-11-20T23:59:59.999Z", "2026-11-20"],
    ["2026-11-20T23:30:00-01:00", "2026-11-21"],
  ] as const) {
    it(`is computed in UTC: ${time}`, () => assert.equal(utcDay(Date.parse(time)), day));
  }

  for (const [time, day] of [
    [new Date(2026, 0, 2, 0, 0), "2026-01-02"],
    [new Date(2026, 0, 2, 23, 59), "2026-01-02"],
    [new Date(2026, 11, 31, 12), "2026-12-31"],
  ] as const) {
    it(`is local to the user: ${day} at ${time.toTimeString().slice(0, 5)}`, () =>
      assert.equal(localDay(time.getTime()), day));
  }
});

const time = new Date(2026, 10, 9, 13, 5, 7).getTime();
const german = languageOf("de", { Open: "Öffnen" });

describe("times", () => {
  for (const [language, day, minute, second, timeOfDay] of [
    [english, "Nov 9, 2026", "Nov 9, 2026, 1:05 PM", "Nov 9, 2026, 1:05:07 PM", "1:05:07 PM"],
    [german, "09.11.2026", "09.11.2026, 13:05", "09.11.2026, 13:05:07", "13:05:07"],
  ] as const) {
    it(`are formatted for ${language.locale}`, () => {
      const formats = timeFormats(language);
      const texts = [
        dayText(time, language),
        momentText(time, language),
        formats.moment(time),
        formats.timeOfDay(time),
      ];
      // Versions of the locale data differ in the kind of space before PM.
      const plain = texts.map((text) => text.replaceAll(/\s/g, " "));
      assert.deepEqual(plain, [day, minute, second, timeOfDay]);
    });
  }

  it("have a date only for another day", () => {
    const { moment, timeBeside, timeOfDay } = timeFormats(english);
    assert.equal(timeBeside(time, new Date(2026, 10, 9, 23, 59).getTime()), timeOfDay(time));
    assert.equal(timeBeside(time, new Date(2026, 10, 10, 0, 0).getTime()), moment(time));
  });

  it("are empty if missing", () => {
    assert.deepEqual(
      [undefined, 9e15].map((none) => dayText(none, english)),
      ["", ""],
    );
    assert.equal(momentText(undefined, english), "");
  });
});
