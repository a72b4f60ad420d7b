import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { dateText, numberLabels } from "../../../../../src/core/skill/description/numberLabels";
import { english } from "../../../../../src/core/text/language";
import { localNoon } from "../../../../fixtures/localNoon";

const now = localNoon("2026-11-20");
const day = 86_400_000;

describe("numberLabels", () => {
  it("labels every number, in a fixed order", () => {
    const rows = numberLabels(
      {
        feedbackCount: 1,
        averageRating: 4.55,
        averageLatencyMs: 84.4,
        successRate: 0.9934,
        calls: 183402,
        installs: 1,
      },
      english,
    );
    assert.deepEqual(
      rows.map(({ label, value }) => `${label}: ${value}`),
      [
        "Installs: 1",
        "Invocations: 183,402",
        "Success rate: 99.3%",
        "Typical time: 84 ms",
        "Rating: 4.6 of 5",
      ],
    );
    assert.equal(rows[4]?.meaning, "From 1 rating");
  });

  it("leaves out missing and invalid numbers", () => {
    assert.deepEqual(numberLabels({}, english), []);
    assert.deepEqual(
      numberLabels({ calls: Number.NaN, installs: Number.POSITIVE_INFINITY }, english),
      [],
    );
  });
});

describe("dateText", () => {
  const cases: [number, RegExp][] = [
    [now, /^Nov 20, 2026 \(today\)$/],
    [now - 3 * day, /\(3 days ago\)$/],
    [now - 90 * day, /\(3 months ago\)$/],
    [now - 400 * day, /\(last year\)$/],
    [now + 2 * day, /\(in 2 days\)$/],
  ];
  for (const [time, expected] of cases) {
    it(`returns ${expected.source}`, () => assert.match(dateText(time, now, english), expected));
  }

  it("is empty for an invalid time", () => {
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
      assert.equal(dateText(time, now, english), "");
    }
  });
});
