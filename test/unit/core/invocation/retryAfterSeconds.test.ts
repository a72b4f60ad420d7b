import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "mocha";
import {
  pauseSeconds,
  type RetryHeaders,
  retryAfterSeconds,
  waitText,
} from "../../../../src/core/invocation/rateLimit";
import { english, languageOf } from "../../../../src/core/text/language";

const now = Date.UTC(2026, 10, 20, 10, 0, 0);
const inTwoMinutes = "Fri, 20 Nov 2026 10:02:00 GMT";

describe("retryAfterSeconds", () => {
  const cases: readonly (readonly [string, RetryHeaders, number | undefined])[] = [
    ["nothing", {}, undefined],
    ["seconds", { "retry-after": "30" }, 30],
    ["seconds with spaces", { "retry-after": " 30 " }, 30],
    ["part of a second, rounded up", { "retry-after": "1.2" }, 2],
    ["zero", { "retry-after": "0" }, 0],
    ["negative", { "retry-after": "-5" }, 0],
    ["more than a day", { "retry-after": "1000000000" }, 86_400],
    ["garbage", { "retry-after": "soon" }, undefined],
    ["hexadecimal", { "retry-after": "0x10" }, undefined],
    ["infinite", { "retry-after": "1e999" }, undefined],
    ["a date", { "retry-after": inTwoMinutes }, 120],
    ["a date in the past", { "retry-after": "Fri, 20 Nov 2026 09:00:00 GMT" }, 0],
    ["a date far away", { "retry-after": "Fri, 20 Nov 2099 09:00:00 GMT" }, 86_400],
    ["an old form of date", { "retry-after": "Friday, 20-Nov-26 10:02:00 GMT" }, 120],
    ["the oldest form of date", { "retry-after": "Fri Nov 20 10:02:00 2026" }, 120],
    ["no real date", { "retry-after": "Fri, 99 Nov 2026 10:02:00 GMT" }, undefined],
    [
      "a date of a clock an hour ahead",
      { "retry-after": "Fri, 20 Nov 2026 11:02:00 GMT", date: "Fri, 20 Nov 2026 11:00:00 GMT" },
      120,
    ],
    ["a date beside a broken clock", { "retry-after": inTwoMinutes, date: "today" }, 120],
    ["the field of the draft", { ratelimit: '"default";r=0;t=45' }, 45],
    ["the field of older drafts", { ratelimit: "limit=10, remaining=0, reset=50" }, 50],
    ["the reset alone", { "ratelimit-reset": "20" }, 20],
    ["the reset of old", { "x-ratelimit-reset": "20" }, 20],
    ["the reset as a time", { "x-ratelimit-reset": String(now / 1000 + 90) }, 90],
    ["the longest of all", { "retry-after": "5", ratelimit: '"default";t=45' }, 45],
    ["the longest of two lines", { "retry-after": `5, ${inTwoMinutes}, 7` }, 120],
    ["milliseconds", { "retry-after-ms": "1500" }, 2],
    ["the milliseconds of Azure", { "x-ms-retry-after-ms": "90000", "retry-after": "1" }, 90],
    ["the time until the reset", { "x-ratelimit-reset-after": "12.5" }, 13],
    ["the reset as milliseconds since 1970", { "x-ratelimit-reset": String(now + 90_000) }, 90],
    ["the reset as a date", { "x-ratelimit-reset": inTwoMinutes }, 120],
    ["the reset as an ISO date", { "x-ratelimit-reset": "2026-11-20T10:00:30Z" }, 30],
    ["a duration", { "x-ratelimit-reset-requests": "6m0s" }, 360],
    ["a duration with parts of a second", { "retry-after": "1.5s" }, 2],
    ["a unit that nobody knows", { "retry-after": "6 fortnights" }, undefined],
    [
      "no reset of a limit with remaining calls",
      { "retry-after": "5", "x-ratelimit-reset": "3600", "x-ratelimit-remaining": "9" },
      5,
    ],
    ["the rest behind garbage", { "retry-after": "soon", ratelimit: '"default";t=45' }, 45],
    ["a limit without a time", { ratelimit: '"default";r=0' }, undefined],
    ["the limit that is used up", { ratelimit: '"day";r=9;t=3600, "burst";r=0;t=5' }, 5],
    ["the longest of two used up", { ratelimit: '"day";r=0;t=3600, "burst";r=0;t=5' }, 3600],
    ["a name that ends in t", { ratelimit: '"default";limit=9' }, undefined],
  ];
  for (const [name, headers, seconds] of cases) {
    it(`reads ${name}`, () => assert.equal(retryAfterSeconds(headers, now), seconds));
  }
});

describe("pauseSeconds", () => {
  const cases: readonly (readonly [string, RetryHeaders, number | undefined])[] = [
    ["nothing", {}, undefined],
    ["a last call", { ratelimit: '"default";r=0;t=45' }, 45],
    ["a last call by one of two limits", { ratelimit: '"day";r=9;t=3600, "burst";r=0;t=5' }, 5],
    ["a last call in older drafts", { ratelimit: "limit=10, remaining=0, reset=50" }, 50],
    ["a last call of old", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "20" }, 20],
    ["calls that are left", { ratelimit: '"default";r=1;t=45' }, undefined],
    ["calls left of old", { "ratelimit-remaining": "10", "ratelimit-reset": "20" }, undefined],
    ["a reset without what is left", { "x-ratelimit-reset": "20" }, undefined],
    ["garbage", { "ratelimit-remaining": "none", "ratelimit-reset": "20" }, undefined],
    ["a pause without end", { ratelimit: '"default";r=0;t=999999999' }, 86_400],
  ];
  for (const [name, headers, seconds] of cases) {
    it(`reads ${name}`, () => assert.equal(pauseSeconds(headers, now), seconds));
  }
});

describe("The text of a wait", () => {
  const german = languageOf("de", JSON.parse(readFileSync("l10n/bundle.l10n.de.json", "utf8")));
  const cases: readonly (readonly [seconds: number, text: string, german: string])[] = [
    [0, "1 second", "1 Sekunde"],
    [1, "1 second", "1 Sekunde"],
    [1.2, "2 seconds", "2 Sekunden"],
    [119, "119 seconds", "119 Sekunden"],
    [120, "2 minutes", "2 Minuten"],
    [121, "3 minutes", "3 Minuten"],
    [7140, "119 minutes", "119 Minuten"],
    [7200, "2 hours", "2 Stunden"],
    [86_400, "24 hours", "24 Stunden"],
  ];
  for (const [seconds, text, translated] of cases) {
    it(`is ${text} for ${seconds} s`, () => {
      assert.equal(waitText(seconds, english), text);
      assert.equal(waitText(seconds, german), translated);
    });
  }
});
