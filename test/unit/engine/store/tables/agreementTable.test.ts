import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import { termsOf } from "../../../../../src/core/invocation/permission/terms";
import { atTables } from "../../../../fixtures/machineStore";
import { fullSkill } from "../../../../fixtures/skillDetail";
import { StoreFolder } from "../storeFolder";

describe("the agreements of a store", () => {
  let folder: StoreFolder;
  beforeEach(() => {
    folder = new StoreFolder();
  });
  afterEach(() => folder.remove());
  const terms = (version: string) => ({ ...termsOf("r", fullSkill), version });

  it("are the newest three hundred, one for each version", async () => {
    const store = folder.open();
    for (let index = 0; index < 305; index += 1) await store.agree(terms(`1.0.${index}`));
    await store.agree(terms("1.0.304"));
    const counted = await atTables(folder.path, (database) =>
      database.prepare("SELECT count(*) AS count, min(version) AS oldest FROM agreement").get(),
    );
    assert.equal(counted?.["count"], 299);
    assert.equal((await store.agreed(terms("1.0.304")))?.version, "1.0.304");
    // A version without an agreement counts like the last agreed one.
    assert.equal((await store.agreed(terms("1.0.0")))?.version, "1.0.304");
  });

  it("do not count if they cannot be read", async () => {
    const store = folder.open();
    await store.agree(terms("1.0.0"));
    assert.ok(await store.agreed(terms("1.0.0")));
    for (const damaged of ["", "{", '{"registry":"r"}']) {
      await atTables(folder.path, (database) =>
        database.prepare("UPDATE agreement SET terms = ?").run(damaged),
      );
      assert.equal(await store.agreed(terms("1.0.0")), undefined, damaged);
    }
  });
});
