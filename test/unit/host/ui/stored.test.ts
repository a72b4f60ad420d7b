import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { StoredByName, StoredValue } from "../../../../src/host/ui/stored";
import { memento } from "../workspace/memorySecrets";

const readText = (kept: unknown) => (typeof kept === "string" ? kept : "");

describe("StoredValue", () => {
  it("is read each time, as a valid value of any stored data", async () => {
    const kept: Record<string, unknown> = {};
    const [here, there] = [0, 1].map(() => new StoredValue(memento(kept), "name", readText));
    await here?.set("text");
    assert.equal(there?.get(), "text");
    kept["name"] = { no: "text" };
    assert.equal(here?.get(), "");
  });

  it("stays in the window if it cannot be written", async () => {
    const value = new StoredValue(memento({}, true), "name", readText);
    await value.set("text");
    assert.equal(value.get(), "text");
  });
});

describe("StoredByName", () => {
  it("keeps the 20 names that were set last", async () => {
    const kept: Record<string, unknown> = { all: "damaged" };
    const values = new StoredByName(memento(kept), "all", readText);
    for (const name of Array.from({ length: 20 }, (_, index) => `n${index}`)) {
      await values.set(name, "text");
    }
    await values.set("n0", "again");
    await values.set("new", "text");
    assert.deepEqual(
      ["n0", "n1", "n2", "new"].map((name) => values.get(name)),
      ["again", "", "text", "text"],
    );
  });
});
