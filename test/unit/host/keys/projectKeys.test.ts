import assert from "node:assert/strict";
import { mock } from "node:test";
import { inspect } from "node:util";
import { MessageChannel } from "node:worker_threads";
import { beforeEach, describe, it } from "mocha";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import { learnInTime, withTimeout } from "../../../../src/host/connect/secretStorageWait";
import { ProjectKeys } from "../../../../src/host/keys/projectKeys";
import { canary, registry, useProjectKeys } from "../connect/keyStorage";

describe("Project Keys", () => {
  const bench = useProjectKeys();
  const { here, there } = bench;

  it("belong to the origin that they were set for", async () => {
    assert.equal(await bench.keys.keep(here, canary), "secretStorage");
    assert.equal(await bench.keys.find(here), canary);
    assert.equal(await bench.keys.find(there), undefined);
    assert.deepEqual(bench.keys.factsOf(there, { kind: "none" }).elsewhere, [
      "https://here.example",
    ]);
    assert.deepEqual(bench.keys.factsOf(here, { kind: "none" }).elsewhere, []);
  });

  it("follow another window that sets or removes them", async () => {
    await bench.keys.keep(here, canary);
    bench.storage.change("projectKey:https://here.example", "skh_other");
    assert.equal(await bench.keys.find(here), "skh_other");
    bench.storage.change("projectKey:https://here.example", undefined);
    assert.equal(await bench.keys.find(here), undefined);
  });

  it("report when one is set or removed, in any window and location", async () => {
    let changes = 0;
    bench.keys.onDidChange(() => {
      changes += 1;
    });
    const isTold = async (change: () => unknown) => {
      changes = 0;
      await change();
      return changes > 0;
    };
    // The editor reports a stored key to every window, including this one.
    assert.equal(await isTold(() => bench.keys.keep(here, canary)), false);
    assert.ok(await isTold(() => bench.keys.remove(here)));
    assert.ok(await isTold(() => bench.keys.keepForSession(here, canary)));
    assert.ok(
      await isTold(() => bench.storage.change("projectKey:https://here.example", "skh_other")),
    );
    bench.storage.behavior = "throws";
    assert.ok(await isTold(() => bench.keys.keep(here, canary)));
    assert.ok(await isTold(() => bench.keys.remove(here).catch(() => undefined)));
    assert.equal(await isTold(() => bench.keys.find(here)), false);
  });

  it("are not reported as learned late if the storage cannot be read", async () => {
    const late = () => assert.fail("nothing was learned");
    await learnInTime(Promise.reject(new Error("No keyring.")), 1_000, late);
  });

  it("report when the secret storage becomes readable", async () => {
    bench.storage.change("projectKey:https://here.example", canary);
    bench.storage.behavior = "throws";
    assert.equal(await bench.keys.find(here), undefined);
    let changes = 0;
    bench.keys.onDidChange(() => {
      changes += 1;
    });
    bench.storage.behavior = "works";
    assert.equal(await bench.keys.find(here), canary);
    assert.equal(await bench.keys.find(here), canary);
    assert.equal(changes, 1);
  });

  it("are read from the secret storage once, until one changes in any window", async () => {
    bench.storage.values.set("projectKey:https://here.example", canary);
    for (let times = 0; times < 3; times += 1) assert.equal(await bench.keys.find(here), canary);
    assert.equal(bench.storage.reads, 1);
    bench.storage.change("projectKey:https://here.example", "skh_other");
    assert.equal(await bench.keys.find(here), "skh_other");
    await bench.keys.keep(here, canary);
    assert.equal(await bench.keys.find(here), canary);
  });

  it("of the session are replaced by one that another window could store", async () => {
    bench.storage.behavior = "throws";
    assert.equal(await bench.keys.keep(here, canary), "sessionOnly");
    assert.equal(await bench.keys.find(here), canary);
    bench.storage.behavior = "works";
    bench.storage.change("projectKey:https://here.example", "skh_other");
    assert.equal(await bench.keys.find(here), "skh_other");
  });

  it("are written nowhere if the secret storage fails", async () => {
    bench.storage.behavior = "throws";
    await bench.keys.keep(here, canary);
    assert.ok(!inspect([bench.storage.kept, [...bench.storage.values]]).includes(canary));
    assert.deepEqual(await new ProjectKeys(bench.storage.memory).examine(here), {
      kind: "storageFails",
    });
  });

  it("are stored even if the list of their addresses cannot be", async () => {
    const update = () => Promise.reject(new Error("No space left."));
    const origins = { ...bench.storage.memory.origins, update };
    bench.keys = new ProjectKeys({ ...bench.storage.memory, origins });
    assert.equal(await bench.keys.keep(here, canary), "secretStorage");
    assert.equal(await bench.keys.find(here), canary);
  });

  it("stop waiting for a secret storage that hangs, and wait less the next time", async () => {
    bench.keys = new ProjectKeys(bench.storage.memory, { first: 500, next: 10, unexpected: 10 });
    bench.storage.behavior = "hangs";
    mock.timers.enable({ apis: ["setInterval"] });
    try {
      for (const milliseconds of [500, 10]) {
        const found = bench.keys.examine(here);
        await new Promise(setImmediate);
        mock.timers.tick(milliseconds);
        assert.deepEqual(await found, { kind: "storageFails" });
      }
    } finally {
      mock.timers.reset();
    }
    bench.storage.behavior = "works";
    assert.deepEqual(await bench.keys.examine(here), { kind: "none" });
  });

  it("do not count time while the process was blocked as waiting for the secret storage", async () => {
    const { port1: here, port2: there } = new MessageChannel();
    const answer = new Promise((resolve) => here.once("message", resolve));
    const waited = withTimeout(answer, 20);
    there.postMessage("the answer");
    const heldUpUntil = performance.now() + 60;
    while (performance.now() < heldUpUntil);
    assert.equal(await waited, "the answer");
    here.close();
  });

  it("are kept for the session if the secret storage hangs, and written nowhere", async () => {
    bench.keys = new ProjectKeys(bench.storage.memory, { first: 20, next: 5, unexpected: 5 });
    bench.storage.behavior = "hangs";
    assert.equal(await bench.keys.keep(here, canary), "sessionOnly");
    assert.deepEqual(await bench.keys.examine(here), {
      kind: "key",
      key: canary,
      keeping: "sessionOnly",
    });
    assert.ok(!inspect([bench.storage.kept, [...bench.storage.values]]).includes(canary));
    await assert.rejects(bench.keys.remove(here));
    assert.deepEqual(await bench.keys.examine(here), { kind: "storageFails" });
  });

  it("that a slow storage could not store are not used after they were removed", async () => {
    bench.keys = new ProjectKeys(bench.storage.memory, { first: 20, next: 5, unexpected: 5 });
    bench.storage.behavior = "hangs";
    const slow = bench.keys.keep(here, canary);
    bench.keys.keepForSession(here, canary);
    await assert.rejects(bench.keys.remove(here));
    assert.equal(await slow, "sessionOnly");
    assert.equal(await bench.keys.find(here), undefined);
  });

  it("of the session end when another window removes the stored one", async () => {
    bench.storage.behavior = "throws";
    await bench.keys.keep(here, canary);
    bench.storage.behavior = "works";
    bench.storage.change("projectKey:https://here.example", undefined);
    assert.deepEqual(await bench.keys.examine(here), { kind: "none" });
  });

  it("of other registries stay when another window changes one", async () => {
    bench.storage.behavior = "throws";
    await bench.keys.keep(here, canary);
    bench.storage.change("projectKey:https://there.example", "skh_other");
    bench.storage.change("somethingElse", "x");
    assert.equal(await bench.keys.find(here), canary);
  });

  it("of the wrong kind are reported without being shown", async () => {
    bench.storage.values.set("projectKey:https://here.example", "shub_user_0123456789");
    const found = await bench.keys.examine(here);
    assert.equal(found.kind, "wrongKind");
    assert.ok(!inspect(found).includes("0123456789"));
    assert.equal(await bench.keys.find(here), undefined);
  });

  it("are removed everywhere at once", async () => {
    await bench.keys.keep(here, canary);
    await bench.keys.remove(here);
    assert.equal(await bench.keys.find(here), undefined);
    assert.ok(
      !inspect([bench.storage.kept, [...bench.storage.values], bench.keys]).includes(canary),
    );
    assert.deepEqual(bench.keys.factsOf(there, { kind: "none" }).elsewhere, []);
  });

  describe("are redacted", () => {
    const other = "skh_other0123456789";
    let lateCalls = 0;
    const late = () => {
      lateCalls += 1;
    };
    beforeEach(() => {
      lateCalls = 0;
    });

    it("as soon as a registry is connected", async () => {
      bench.storage.values.set("projectKey:https://here.example", canary);
      await bench.keys.redactKey(here, late);
      assert.ok(bench.storage.redactor.holds(`echo ${canary}`));
      await bench.keys.redactKey(
        registry("http://127.0.0.1:5", { isBuiltIn: true, ownKey: other }),
        late,
      );
      assert.ok(bench.storage.redactor.holds(`echo ${other}`));
      assert.equal(lateCalls, 0);
    });

    it("when another window sets one, and after one is removed or replaced", async () => {
      bench.storage.change("projectKey:https://here.example", canary);
      await new Promise(setImmediate);
      assert.ok(bench.storage.redactor.holds(canary));
      await bench.keys.keep(here, other);
      await bench.keys.remove(here);
      for (const key of [canary, other]) assert.ok(bench.storage.redactor.holds(key));
    });

    it("when they are kept for the session, or of the wrong kind", async () => {
      bench.keys.keepForSession(here, canary);
      bench.storage.values.set("projectKey:https://there.example", "shub_user_0123456789");
      await bench.keys.redactKey(there, late);
      for (const key of [canary, "shub_user_0123456789"])
        assert.ok(bench.storage.redactor.holds(key));
    });

    for (const behavior of ["hangs", "throws"] as const) {
      it(`without waiting for a storage that ${behavior}`, async () => {
        bench.keys = new ProjectKeys(bench.storage.memory, { first: 20, next: 5, unexpected: 5 });
        bench.storage.behavior = behavior;
        await bench.keys.redactKey(here, late);
        assert.ok(!bench.storage.redactor.holds(canary));
        assert.equal(lateCalls, 0);
      });
    }

    it("when the storage answers late, which is reported once", async () => {
      bench.storage.values.set("projectKey:https://here.example", canary);
      bench.keys = new ProjectKeys(bench.storage.memory, { first: 20, next: 5, unexpected: 5 });
      for (const expected of [1, 1]) {
        const answer = bench.storage.hold();
        await bench.keys.redactKey(here, late);
        answer();
        await new Promise(setImmediate);
        assert.ok(bench.storage.redactor.holds(canary));
        assert.equal(lateCalls, expected);
      }
    });

    it("when reading a stored one takes longer than a list waits", async () => {
      await bench.keys.keep(here, canary);
      const redactor = new KeyRedactor();
      const timeouts = { first: 500, next: 5, unexpected: 10 };
      bench.keys = new ProjectKeys({ ...bench.storage.memory, redactor }, timeouts);
      mock.timers.enable({ apis: ["setInterval"] });
      try {
        const answer = bench.storage.hold();
        const known = bench.keys.redactKey(here, late);
        mock.timers.tick(timeouts.first - 1);
        answer();
        await known;
      } finally {
        mock.timers.reset();
      }
      assert.ok(redactor.holds(canary));
      assert.equal(lateCalls, 0);
    });
  });

  it("of the built-in registry come from it, and can be removed", async () => {
    const builtIn = registry("http://127.0.0.1:5", { isBuiltIn: true, ownKey: canary });
    assert.equal(await bench.keys.find(builtIn), canary);
    await bench.keys.remove(builtIn);
    assert.equal(await bench.keys.find(builtIn), undefined);
    assert.equal(bench.storage.values.size, 0);
  });

  it("have their last response remembered, without canceled invocations", () => {
    const lastAnswer = (key: string) =>
      bench.keys.factsOf(here, { kind: "key", key, keeping: "sessionOnly" }).lastAnswer;
    bench.keys.noteAnswer(here, canary, {
      kind: "refused",
      reason: "unauthorized",
      status: 401,
      durationMs: 1,
    });
    bench.keys.noteAnswer(here, canary, { kind: "notSent", failure: { kind: "cancelled" } });
    assert.equal(lastAnswer(canary), "refused");
    assert.equal(lastAnswer("skh_other"), undefined);
  });
});
