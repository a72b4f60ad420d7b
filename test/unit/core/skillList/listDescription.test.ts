import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { listDescription } from "../../../../src/core/skillList/listNotes";
import { plainListing, type SkillListing } from "../../../../src/core/skillList/skillListing";
import { english } from "../../../../src/core/text/language";

const filtered: SkillListing = {
  ...plainListing,
  query: { text: "csv", filters: { verification: ["verified"] } },
};

describe("what stands beside the title of the Skills view", () => {
  const cases = [
    ["nothing before a registry is known", { listing: plainListing }, ""],
    ["whose all skills are", { listing: plainListing, registryName: "a.example" }, "a.example"],
    [
      "whose they are, before what restricts the list",
      { listing: filtered, registryName: "a.example" },
      "a.example · “csv” · verified",
    ],
    [
      "whose they are, where a message says the rest",
      { listing: filtered, registryName: "a.example", hasMessage: true },
      "a.example",
    ],
  ] as const;
  for (const [name, described, expected] of cases) {
    it(`is ${name}`, () => assert.equal(listDescription(described, english), expected));
  }
});
