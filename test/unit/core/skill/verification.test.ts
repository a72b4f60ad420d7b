import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { registryReviewText, verificationText } from "../../../../src/core/skill/verification";
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
      if (status !== "verified") assert.notEqual(words.advice, "");
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
