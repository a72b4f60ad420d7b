import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { english } from "../../../../src/core/text/language";
import { languageOf } from "../../../../src/core/text/languageOf";
import { spoken, wording } from "../../../../src/core/text/wording";

const german = languageOf("de", {
  "At {place}: {count} items.": "Bei {place}: {count} Elemente.",
  "its root": "seiner Wurzel",
});

describe("a wording", () => {
  const nested = wording("At {place}: {count} items.", {
    place: wording("its root"),
    count: 12000,
  });

  it("is said in the reader's language, the wordings and numbers in it as well", () => {
    assert.equal(spoken(nested, english), "At its root: 12,000 items.");
    assert.equal(spoken(nested, german), "Bei seiner Wurzel: 12.000 Elemente.");
  });

  it("takes a value for a value, whatever stands in it", () => {
    const hostile = wording("At {place}: {count} items.", {
      place: "{count} $& its root",
      count: 1,
    });
    assert.equal(spoken(hostile, german), "Bei {count} $& its root: 1 Elemente.");
  });

  it("without values is its text", () => {
    assert.equal(spoken(wording("Not in German"), german), "Not in German");
  });
});
