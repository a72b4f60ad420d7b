import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { english, l10nText, languageOf, localize } from "../../../../src/core/text/language";

const german = languageOf("de", {
  "At {place}: {count} items.": "Bei {place}: {count} Elemente.",
  "the schema root": "seiner Wurzel",
});

describe("a localizable text", () => {
  const nested = l10nText("At {place}: {count} items.", {
    place: l10nText("the schema root"),
    count: 12000,
  });

  it("is translated, with the texts and numbers in it", () => {
    assert.equal(localize(nested, english), "At the schema root: 12,000 items.");
    assert.equal(localize(nested, german), "Bei seiner Wurzel: 12.000 Elemente.");
  });

  it("never interprets a value", () => {
    const hostile = l10nText("At {place}: {count} items.", {
      place: "{count} $& its root",
      count: 1,
    });
    assert.equal(localize(hostile, german), "Bei {count} $& its root: 1 Elemente.");
  });

  it("without values is its text", () => {
    assert.equal(localize(l10nText("Not in German"), german), "Not in German");
  });
});
