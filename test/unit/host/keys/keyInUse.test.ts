import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { KeyInUse } from "../../../../src/host/keys/projectKeys";

describe("the key in use for checks", () => {
  it("is read during the check, and a change is reported once", async () => {
    let key: string | undefined = "first-key";
    let changes = 0;
    const inUse = new KeyInUse(
      async () => key,
      () => (changes += 1),
    );
    const look = async () => {
      const known = inUse.lastKnown();
      await new Promise(setImmediate);
      return known;
    };
    assert.deepEqual(await look(), []);
    assert.deepEqual([await look(), changes], [["first-key"], 1]);
    key = undefined;
    assert.deepEqual([await look(), changes], [["first-key"], 2]);
    assert.deepEqual([await look(), changes], [[], 2]);
  });

  it("delays nothing while a keyring does not answer, and asks it only once", () => {
    let asked = 0;
    const inUse = new KeyInUse(
      () => {
        asked += 1;
        return new Promise(() => undefined);
      },
      () => assert.fail("nothing changed"),
    );
    assert.deepEqual([inUse.lastKnown(), inUse.lastKnown(), asked], [[], [], 1]);
  });
});
