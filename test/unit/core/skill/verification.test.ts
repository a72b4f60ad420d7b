import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  registryReviewText,
  trustSigns,
  verificationOfOther,
  verificationText,
} from "../../../../src/core/skill/verification";
import { english } from "../../../../src/core/text/language";

describe("verificationText", () => {
  const cases: [string | undefined, string, string][] = [
    ["verified", "Verified", "good"],
    ["submitted", "Submitted", "caution"],
    ["draft", "Draft", "caution"],
    ["deprecated", "Deprecated", "caution"],
    ["rejected", "Rejected", "bad"],
    ["suspended", "Suspended", "bad"],
    ["Preview", "Preview", "neutral"],
    ["__proto__", "__proto__", "neutral"],
    ["", "Verification not provided", "neutral"],
    [undefined, "Verification not provided", "neutral"],
  ];
  for (const [status, word, tone] of cases) {
    it(`describes ${status || JSON.stringify(status)}`, () => {
      const words = verificationText(status, english);
      assert.deepEqual([words.word, words.tone], [word, tone]);
      // The words of these two say all that there is.
      const isComplete = ["Verified", "Verification not provided"].includes(word);
      assert.equal(words.advice === "", isComplete);
    });
  }

  it("uses the reader's language", () => {
    const german = { locale: "de", t: () => "Geprüft" };
    assert.equal(verificationText("verified", german).word, "Geprüft");
  });
});

describe("reviewText", () => {
  const cases: [string | undefined, string][] = [
    ["queued", "Waiting for review"],
    ["in_review", "Being reviewed"],
    ["approved", "Approved"],
    ["rejected", "Rejected"],
    ["blocked", "Blocked"],
    ["Restricted", "Restricted"],
    [undefined, ""],
  ];
  for (const [state, expected] of cases) {
    it(`names ${state}`, () => assert.equal(registryReviewText(state, english), expected));
  }
});

describe("the icons of facts about trust", () => {
  it("are a shield only for a verified skill", () => {
    const signs = Object.values(trustSigns).flatMap((facts) => Object.entries(facts));
    const shields = signs.filter(([, { sign }]) => sign === "shield");
    assert.deepEqual(
      shields.map(([fact]) => fact),
      ["verified"],
    );
  });

  it("never show what is not known as good", () => {
    const facts = [
      verificationText(undefined, english),
      verificationText("galactic", english),
      verificationOfOther({ version: "1.1.0", other: "2.0.0", status: "verified" }, english),
      trustSigns.callability.unknown,
      trustSigns.review.unknown,
    ];
    for (const { sign, tone } of facts) assert.deepEqual([sign, tone], ["unknown", "neutral"]);
  });

  it("keep the tone of a reason against the skill, for another version too", () => {
    const { tone, word, advice } = verificationOfOther(
      { version: "1.1.0", other: "2.0.0", status: "suspended" },
      english,
    );
    assert.deepEqual([tone, word, advice], ["bad", "Unknown for 1.1.0", "2.0.0 is suspended."]);
  });
});
