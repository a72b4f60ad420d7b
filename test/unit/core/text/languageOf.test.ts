import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { languageOf } from "../../../../src/core/text/language";

const texts = { "by {name}": "von {name}", Yes: "Ja" };

describe("languageOf", () => {
  it("returns texts in the reader's language and fills in values once", () => {
    const { t } = languageOf("de", texts);
    assert.equal(t("Yes"), "Ja");
    assert.equal(t("by {name}", { name: "{name} {x}" }), "von {name} {x}");
  });

  it("returns a missing text in English, also if every object has the name", () => {
    const { t } = languageOf("de", texts);
    assert.equal(t("No"), "No");
    assert.equal(t("constructor"), "constructor");
  });

  const locales: [string, Record<string, string>, string][] = [
    ["de", texts, "de"],
    ["pt-br", texts, "pt-BR"],
    ["fr", {}, "en"],
    ["en", {}, "en"],
    ["en-gb", {}, "en-GB"],
    ["not a locale", texts, "en"],
  ];
  for (const [locale, given, expected] of locales) {
    const count = Object.keys(given).length;
    it(`writes dates for ${locale} with ${count} texts as in ${expected}`, () =>
      assert.equal(languageOf(locale, given).locale, expected));
  }
});
