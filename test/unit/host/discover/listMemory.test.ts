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
    await before.setFavorites("https://a", [skill], true);

    const after = new ListMemory(workspace, user);
    assert.deepEqual(after.listing.get(), listing);
    assert.deepEqual(after.filterSets.get(), [{ name: "mine", listing }]);
    assert.deepEqual(after.favorites("https://a"), [skill]);

    const elsewhere = new ListMemory(memento(), user);
    assert.deepEqual(elsewhere.listing.get(), plainListing);
    assert.equal(elsewhere.filterSets.get().length, 1);
  });

  it("separates the favorites of each registry", async () => {
    const memory = new ListMemory(memento(), memento());
    await memory.setFavorites("https://a", [skill], true);
    assert.deepEqual(memory.favorites("https://b"), []);
    assert.deepEqual(memory.favorites(""), []);
  });

  it("merges favorites from other windows", async () => {
    const user = memento();
    const [one, other] = [new ListMemory(memento(), user), new ListMemory(memento(), user)];
    await one.setFavorites("", [skill], true);
    await other.setFavorites("", [{ slug: "csv-profile", name: "CSV" }], true);
    assert.equal(one.favorites("").length, 2);
  });
});
