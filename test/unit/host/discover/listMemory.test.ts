import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { plainListing, type SkillListing } from "../../../../src/core/skillList/skillListing";
import { ListMemory } from "../../../../src/host/discover/listMemory";

/** Returns a memento that stores text, so that only plain data comes back. */
function memento() {
  const kept = new Map<string, string>();
  return {
    get: (key: string): unknown => {
      const text = kept.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    update: async (key: string, value: unknown) => {
      kept.set(key, JSON.stringify(value));
    },
  };
}

const listing: SkillListing = {
  query: { text: "csv", filters: { tags: ["a", "b"] } },
  arrangement: { order: "recent", grouping: "task" },
};
const skill = { slug: "text-stats", name: "Text statistics" };

describe("the stored state of the Skills view", () => {
  it("survives a restart: the arrangement with the workspace, the rest with the user", async () => {
    const workspace = memento();
    const user = memento();
    const before = new ListMemory(workspace, user);
    await before.listing.set(listing);
    await before.filterSets.set([{ name: "mine", listing }]);
    await before.setMark("https://a", "favorites", [skill], true);

    const after = new ListMemory(workspace, user);
    assert.deepEqual(after.listing.get(), listing);
    assert.deepEqual(after.filterSets.get(), [{ name: "mine", listing }]);
    assert.deepEqual(after.marks("https://a").favorites, [skill]);

    const elsewhere = new ListMemory(memento(), user);
    assert.deepEqual(elsewhere.listing.get(), plainListing);
    assert.equal(elsewhere.filterSets.get().length, 1);
  });

  it("separates the marks of each registry", async () => {
    const memory = new ListMemory(memento(), memento());
    await memory.setMark("https://a", "hidden", [skill], true);
    assert.deepEqual(memory.marks("https://b").hidden, []);
    assert.deepEqual(memory.marks("").hidden, []);
  });

  it("merges marks from other windows", async () => {
    const user = memento();
    const [one, other] = [new ListMemory(memento(), user), new ListMemory(memento(), user)];
    await one.setMark("", "favorites", [skill], true);
    await other.setMark("", "favorites", [{ slug: "csv-profile", name: "CSV" }], true);
    assert.equal(one.marks("").favorites.length, 2);
  });
});
