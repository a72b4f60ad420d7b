import assert from "node:assert/strict";
import { beforeEach, describe, it } from "mocha";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import { ProjectKeys } from "../../../../src/host/keys/projectKeys";
import { canary, useProjectKeys } from "./keyStorage";

describe("Project Keys", () => {
  const bench = useProjectKeys();
  const { here, there } = bench;

  describe("of several projects", () => {
    const one = "skh_one4567890123456789";
    const two = "skh_two4567890123456789";
    let chosen: string | undefined;
    let elsewhere: string | undefined;
    let isSignedIn = false;
    beforeEach(() => {
      isSignedIn = false;
      chosen = undefined;
      elsewhere = undefined;
      const projects = {
        idAt: () => chosen,
        hasAccount: async () => isSignedIn,
        isOfOtherProject: (_: unknown, key: string) => key === elsewhere,
      };
      bench.keys = new ProjectKeys(bench.storage.memory);
      bench.keys.follow(projects);
    });

    it("are chosen with their project", async () => {
      chosen = "org/one";
      await bench.keys.keep(here, one);
      chosen = "org/two";
      assert.equal(await bench.keys.find(here), undefined);
      await bench.keys.keep(here, two);
      assert.equal(await bench.keys.find(here), two);
      chosen = "org/one";
      assert.equal(await bench.keys.find(here), one);
      assert.equal(await bench.keys.find(there), undefined);
      assert.deepEqual(bench.keys.factsOf(there, { kind: "none" }).elsewhere, [
        "https://here.example",
      ]);
    });

    it("default to the last one if no project was chosen", async () => {
      for (const [project, key] of Object.entries({ "org/one": one, "org/two": two })) {
        chosen = project;
        await bench.keys.keep(here, key);
      }
      chosen = undefined;
      assert.equal(await bench.keys.find(here), two);
      await bench.keys.keep(here, canary);
      assert.equal(await bench.keys.find(here), canary);
    });

    it("are not used for other users, except one that was set without a project", async () => {
      chosen = "org/one";
      await bench.keys.keep(here, one);
      chosen = undefined;
      isSignedIn = true;
      assert.equal(await bench.keys.find(here), undefined);
      await bench.keys.keep(here, canary);
      assert.equal(await bench.keys.find(here), canary);
    });

    it("are replaced by one without a project only if that may be the user's", async () => {
      await bench.keys.keep(here, canary);
      chosen = "org/one";
      assert.equal(await bench.keys.find(here), canary);
      elsewhere = canary;
      assert.equal(await bench.keys.find(here), undefined);
      // A key that was set for the chosen project is used, whatever else is known about it.
      await bench.keys.keep(here, canary);
      assert.equal(await bench.keys.find(here), canary);
    });

    it("are removed individually, wherever they are stored", async () => {
      await bench.keys.keep(here, one);
      chosen = "org/one";
      await bench.keys.keep(here, one);
      chosen = "org/two";
      await bench.keys.keep(here, two);
      chosen = "org/one";
      await bench.keys.remove(here);
      assert.equal(await bench.keys.find(here), undefined);
      chosen = "org/two";
      assert.equal(await bench.keys.find(here), two);
      assert.deepEqual([...bench.storage.values.values()], [two]);
    });

    it("are all known to the redactor", async () => {
      chosen = "org/one";
      await bench.keys.keep(here, one);
      const redactor = new KeyRedactor();
      const other = new ProjectKeys({ ...bench.storage.memory, redactor });
      await other.redactKey(here, () => assert.fail("not late"));
      assert.ok(redactor.holds(`echo ${one}`));
    });
  });
});
