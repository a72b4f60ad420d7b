import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  activeRestrictions,
  restrictionLabels,
  withoutRestriction,
} from "../../../../src/core/skillList/skillFilters";
import {
  listingText,
  plainListing,
  readFilterSets,
  readListing,
  readSetName,
  type SkillListing,
  withoutSet,
  withSet,
  writeFilterSets,
  writeListing,
} from "../../../../src/core/skillList/skillListing";
import { english } from "../../../../src/core/text/language";

const listing: SkillListing = {
  query: { text: "csv", filters: { task: ["data", "dev"], billingModel: ["per_call"] } },
  arrangement: { order: "name", grouping: "publisher" },
};

/** Returns a value as storage does: a copy of plain data. */
const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("the arrangement of the Skills view", () => {
  it("survives a restart", () => {
    assert.deepEqual(readListing(stored(writeListing(listing))), listing);
  });

  for (const value of [undefined, null, 5, "x", [], {}, { text: 5, filters: 5, order: "x" }]) {
    it(`shows everything if ${JSON.stringify(value)} was stored`, () => {
      assert.deepEqual(readListing(value), plainListing);
    });
  }

  it("is described in words", () => {
    const words = "“csv” · data or dev · per invocation · by name · grouped by publisher";
    assert.equal(listingText(listing, english), words);
    assert.equal(listingText(plainListing, english), "");
  });

  it("has restrictions that can be removed one by one", () => {
    const parts = activeRestrictions(listing.query);
    assert.deepEqual(
      parts.map((part) => Object.values(restrictionLabels(part, english)).join(": ")),
      ["Search: “csv”", "Task: data", "Task: dev", "Price: per invocation"],
    );
    const left = parts.slice(1).reduce(withoutRestriction, listing.query);
    assert.deepEqual(left, { text: "csv", filters: {} });
    const [, task] = parts;
    assert.ok(task !== undefined);
    assert.deepEqual(withoutRestriction(listing.query, task).filters.task, ["dev"]);
  });
});

describe("filter sets", () => {
  const set = { name: "ready", listing };

  it("survive a restart", () => {
    assert.deepEqual(readFilterSets(stored(writeFilterSets([set]))), [set]);
  });

  it("are stored once per name, and removed by it", () => {
    const newer = { name: "ready", listing: plainListing };
    assert.deepEqual(withSet(withSet([], set), newer), [newer]);
    assert.deepEqual(withoutSet([set, { ...set, name: "other" }], "ready")[0]?.name, "other");
  });

  it("are fifty at most", () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ ...set, name: `set ${index}` }));
    const kept = many.reduce<readonly (typeof set)[]>(withSet, []);
    assert.equal(kept.length, 50);
    assert.equal(kept[0]?.name, "set 10");
  });

  it("are left out if unreadable", () => {
    const read = readFilterSets([{ name: "", listing }, { name: 5 }, "x", null, { name: "plain" }]);
    assert.deepEqual(read, [{ name: "plain", listing: plainListing }]);
    assert.deepEqual(readFilterSets("x"), []);
  });

  it("have a name of one line", () => {
    assert.equal(readSetName("  ready \n to use "), "ready to use");
    assert.equal(readSetName("   "), undefined);
    assert.equal(readSetName("x".repeat(500))?.length, 60);
  });
});
