import assert from "node:assert/strict";
import { mock } from "node:test";
import { inspect } from "node:util";
import { MessageChannel } from "node:worker_threads";
import { beforeEach, describe, it } from "mocha";
import type * as vscode from "vscode";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import { type KeyMemory, ProjectKeys } from "../../../../src/host/connect/projectKeys";
import type { ConnectedRegistry } from "../../../../src/host/connect/registryConnection";
import { learnInTime, withTimeout } from "../../../../src/host/connect/secretStorageWait";

const canary = "skh_canary0123456789canary0123456789canary";

function registry(origin: string, changes: Partial<ConnectedRegistry> = {}): ConnectedRegistry {
  const client = {} as ConnectedRegistry["client"];
  return { baseUrl: origin, origin, name: origin, isBuiltIn: false, client, ...changes };
}

/** An editor's secret storage with a switch for its failures. */
class Storage {
  readonly values = new Map<string, string>();
  readonly kept: Record<string, unknown> = {};
  behavior: "works" | "throws" | "hangs" = "works";
  private held: Promise<void> | undefined;
  private readonly listeners: ((event: vscode.SecretStorageChangeEvent) => void)[] = [];

  readonly redactor = new KeyRedactor();
  reads = 0;
  readonly memory = {
    secrets: {
      get: (name: string) => {
        this.reads += 1;
        return this.does(() => this.values.get(name));
      },
      store: (name: string, value: string) => this.does(() => void this.values.set(name, value)),
      delete: (name: string) => this.does(() => void this.values.delete(name)),
      onDidChange: (listener: (event: vscode.SecretStorageChangeEvent) => void) => {
        this.listeners.push(listener);
        return { dispose: () => undefined };
      },
    },
    origins: {
      get: (name: string) => this.kept[name],
      update: async (name: string, value: unknown) => {
        this.kept[name] = value;
      },
    },
    redactor: this.redactor,
  } as unknown as KeyMemory;

  /** Changes a secret like another window. */
  change(name: string, value: string | undefined): void {
    if (value === undefined) this.values.delete(name);
    else this.values.set(name, value);
    for (const listener of this.listeners) listener({ key: name });
  }

  /** Does not respond until the returned function is called. */
  hold(): () => void {
    let release = () => {};
    this.held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  private async does<Value>(work: () => Value): Promise<Value> {
    await this.held;
    if (this.behavior === "throws") return Promise.reject(new Error("No keyring."));
    if (this.behavior === "hangs") return new Promise(() => undefined);
    return Promise.resolve(work());
  }
}

describe("Project Keys", () => {
  const here = registry("https://here.example");
  const there = registry("https://there.example");
  let storage: Storage;
  let keys: ProjectKeys;
  beforeEach(() => {
    storage = new Storage();
    keys = new ProjectKeys(storage.memory);
  });

  it("belong to the origin that they were set for", async () => {
    assert.equal(await keys.keep(here, canary), "secretStorage");
    assert.equal(await keys.find(here), canary);
    assert.equal(await keys.find(there), undefined);
    assert.deepEqual(keys.factsOf(there, { kind: "none" }).elsewhere, ["https://here.example"]);
    assert.deepEqual(keys.factsOf(here, { kind: "none" }).elsewhere, []);
  });

  it("follow another window that sets or removes them", async () => {
    await keys.keep(here, canary);
    storage.change("projectKey:https://here.example", "skh_other");
    assert.equal(await keys.find(here), "skh_other");
    storage.change("projectKey:https://here.example", undefined);
    assert.equal(await keys.find(here), undefined);
  });

  it("report when one is set or removed, in any window and location", async () => {
    let changes = 0;
    keys.onDidChange(() => {
      changes += 1;
    });
    const isTold = async (change: () => unknown) => {
      changes = 0;
      await change();
      return changes > 0;
    };
    // The editor reports a stored key to every window, including this one.
    assert.equal(await isTold(() => keys.keep(here, canary)), false);
    assert.ok(await isTold(() => keys.remove(here)));
    assert.ok(await isTold(() => keys.keepForSession(here, canary)));
    assert.ok(await isTold(() => storage.change("projectKey:https://here.example", "skh_other")));
    storage.behavior = "throws";
    assert.ok(await isTold(() => keys.keep(here, canary)));
    assert.ok(await isTold(() => keys.remove(here).catch(() => undefined)));
    assert.equal(await isTold(() => keys.find(here)), false);
  });

  it("are not reported as learned late if the storage cannot be read", async () => {
    const late = () => assert.fail("nothing was learned");
    await learnInTime(Promise.reject(new Error("No keyring.")), 1_000, late);
  });

  it("report when the secret storage becomes readable", async () => {
    storage.change("projectKey:https://here.example", canary);
    storage.behavior = "throws";
    assert.equal(await keys.find(here), undefined);
    let changes = 0;
    keys.onDidChange(() => {
      changes += 1;
    });
    storage.behavior = "works";
    assert.equal(await keys.find(here), canary);
    assert.equal(await keys.find(here), canary);
    assert.equal(changes, 1);
  });

  it("are read from the secret storage once, until one changes in any window", async () => {
    storage.values.set("projectKey:https://here.example", canary);
    for (let times = 0; times < 3; times += 1) assert.equal(await keys.find(here), canary);
    assert.equal(storage.reads, 1);
    storage.change("projectKey:https://here.example", "skh_other");
    assert.equal(await keys.find(here), "skh_other");
    await keys.keep(here, canary);
    assert.equal(await keys.find(here), canary);
  });

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
      keys = new ProjectKeys(storage.memory);
      keys.follow(projects);
    });

    it("are chosen with their project", async () => {
      chosen = "org/one";
      await keys.keep(here, one);
      chosen = "org/two";
      assert.equal(await keys.find(here), undefined);
      await keys.keep(here, two);
      assert.equal(await keys.find(here), two);
      chosen = "org/one";
      assert.equal(await keys.find(here), one);
      assert.equal(await keys.find(there), undefined);
      assert.deepEqual(keys.factsOf(there, { kind: "none" }).elsewhere, ["https://here.example"]);
    });

    it("default to the last one if no project was chosen", async () => {
      for (const [project, key] of Object.entries({ "org/one": one, "org/two": two })) {
        chosen = project;
        await keys.keep(here, key);
      }
      chosen = undefined;
      assert.equal(await keys.find(here), two);
      await keys.keep(here, canary);
      assert.equal(await keys.find(here), canary);
    });

    it("are not used for other users, except one that was set without a project", async () => {
      chosen = "org/one";
      await keys.keep(here, one);
      chosen = undefined;
      isSignedIn = true;
      assert.equal(await keys.find(here), undefined);
      await keys.keep(here, canary);
      assert.equal(await keys.find(here), canary);
    });

    it("are replaced by one without a project only if that may be the user's", async () => {
      await keys.keep(here, canary);
      chosen = "org/one";
      assert.equal(await keys.find(here), canary);
      elsewhere = canary;
      assert.equal(await keys.find(here), undefined);
      // A key that was set for the chosen project is used, whatever else is known about it.
      await keys.keep(here, canary);
      assert.equal(await keys.find(here), canary);
    });

    it("are removed individually, wherever they are stored", async () => {
      await keys.keep(here, one);
      chosen = "org/one";
      await keys.keep(here, one);
      chosen = "org/two";
      await keys.keep(here, two);
      chosen = "org/one";
      await keys.remove(here);
      assert.equal(await keys.find(here), undefined);
      chosen = "org/two";
      assert.equal(await keys.find(here), two);
      assert.deepEqual([...storage.values.values()], [two]);
    });

    it("are all known to the redactor", async () => {
      chosen = "org/one";
      await keys.keep(here, one);
      const redactor = new KeyRedactor();
      const other = new ProjectKeys({ ...storage.memory, redactor });
      await other.redactKey(here, () => assert.fail("not late"));
      assert.ok(redactor.holds(`echo ${one}`));
    });
  });

  it("of the session are replaced by one that another window could store", async () => {
    storage.behavior = "throws";
    assert.equal(await keys.keep(here, canary), "sessionOnly");
    assert.equal(await keys.find(here), canary);
    storage.behavior = "works";
    storage.change("projectKey:https://here.example", "skh_other");
    assert.equal(await keys.find(here), "skh_other");
  });

  it("are written nowhere if the secret storage fails", async () => {
    storage.behavior = "throws";
    await keys.keep(here, canary);
    assert.ok(!inspect([storage.kept, [...storage.values]]).includes(canary));
    assert.deepEqual(await new ProjectKeys(storage.memory).examine(here), { kind: "storageFails" });
  });

  it("are stored even if the list of their addresses cannot be", async () => {
    const update = () => Promise.reject(new Error("No space left."));
    const origins = { ...storage.memory.origins, update };
    keys = new ProjectKeys({ ...storage.memory, origins });
    assert.equal(await keys.keep(here, canary), "secretStorage");
    assert.equal(await keys.find(here), canary);
  });

  it("stop waiting for a secret storage that hangs, and wait less the next time", async () => {
    keys = new ProjectKeys(storage.memory, { first: 500, next: 10, unexpected: 10 });
    storage.behavior = "hangs";
    mock.timers.enable({ apis: ["setInterval"] });
    try {
      for (const milliseconds of [500, 10]) {
        const found = keys.examine(here);
        await new Promise(setImmediate);
        mock.timers.tick(milliseconds);
        assert.deepEqual(await found, { kind: "storageFails" });
      }
    } finally {
      mock.timers.reset();
    }
    storage.behavior = "works";
    assert.deepEqual(await keys.examine(here), { kind: "none" });
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
    keys = new ProjectKeys(storage.memory, { first: 20, next: 5, unexpected: 5 });
    storage.behavior = "hangs";
    assert.equal(await keys.keep(here, canary), "sessionOnly");
    assert.deepEqual(await keys.examine(here), {
      kind: "key",
      key: canary,
      keeping: "sessionOnly",
    });
    assert.ok(!inspect([storage.kept, [...storage.values]]).includes(canary));
    await assert.rejects(keys.remove(here));
    assert.deepEqual(await keys.examine(here), { kind: "storageFails" });
  });

  it("that a slow storage could not store are not used after they were removed", async () => {
    keys = new ProjectKeys(storage.memory, { first: 20, next: 5, unexpected: 5 });
    storage.behavior = "hangs";
    const slow = keys.keep(here, canary);
    keys.keepForSession(here, canary);
    await assert.rejects(keys.remove(here));
    assert.equal(await slow, "sessionOnly");
    assert.equal(await keys.find(here), undefined);
  });

  it("of the session end when another window removes the stored one", async () => {
    storage.behavior = "throws";
    await keys.keep(here, canary);
    storage.behavior = "works";
    storage.change("projectKey:https://here.example", undefined);
    assert.deepEqual(await keys.examine(here), { kind: "none" });
  });

  it("of other registries stay when another window changes one", async () => {
    storage.behavior = "throws";
    await keys.keep(here, canary);
    storage.change("projectKey:https://there.example", "skh_other");
    storage.change("somethingElse", "x");
    assert.equal(await keys.find(here), canary);
  });

  it("of the wrong kind are reported without being shown", async () => {
    storage.values.set("projectKey:https://here.example", "shub_user_0123456789");
    const found = await keys.examine(here);
    assert.equal(found.kind, "wrongKind");
    assert.ok(!inspect(found).includes("0123456789"));
    assert.equal(await keys.find(here), undefined);
  });

  it("are removed everywhere at once", async () => {
    await keys.keep(here, canary);
    await keys.remove(here);
    assert.equal(await keys.find(here), undefined);
    assert.ok(!inspect([storage.kept, [...storage.values], keys]).includes(canary));
    assert.deepEqual(keys.factsOf(there, { kind: "none" }).elsewhere, []);
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
      storage.values.set("projectKey:https://here.example", canary);
      await keys.redactKey(here, late);
      assert.ok(storage.redactor.holds(`echo ${canary}`));
      await keys.redactKey(
        registry("http://127.0.0.1:5", { isBuiltIn: true, ownKey: other }),
        late,
      );
      assert.ok(storage.redactor.holds(`echo ${other}`));
      assert.equal(lateCalls, 0);
    });

    it("when another window sets one, and after one is removed or replaced", async () => {
      storage.change("projectKey:https://here.example", canary);
      await new Promise(setImmediate);
      assert.ok(storage.redactor.holds(canary));
      await keys.keep(here, other);
      await keys.remove(here);
      for (const key of [canary, other]) assert.ok(storage.redactor.holds(key));
    });

    it("when they are kept for the session, or of the wrong kind", async () => {
      keys.keepForSession(here, canary);
      storage.values.set("projectKey:https://there.example", "shub_user_0123456789");
      await keys.redactKey(there, late);
      for (const key of [canary, "shub_user_0123456789"]) assert.ok(storage.redactor.holds(key));
    });

    for (const behavior of ["hangs", "throws"] as const) {
      it(`without waiting for a storage that ${behavior}`, async () => {
        keys = new ProjectKeys(storage.memory, { first: 20, next: 5, unexpected: 5 });
        storage.behavior = behavior;
        await keys.redactKey(here, late);
        assert.ok(!storage.redactor.holds(canary));
        assert.equal(lateCalls, 0);
      });
    }

    it("when the storage answers late, which is reported once", async () => {
      storage.values.set("projectKey:https://here.example", canary);
      keys = new ProjectKeys(storage.memory, { first: 20, next: 5, unexpected: 5 });
      for (const expected of [1, 1]) {
        const answer = storage.hold();
        await keys.redactKey(here, late);
        answer();
        await new Promise(setImmediate);
        assert.ok(storage.redactor.holds(canary));
        assert.equal(lateCalls, expected);
      }
    });

    it("when reading a stored one takes longer than a list waits", async () => {
      await keys.keep(here, canary);
      const redactor = new KeyRedactor();
      const timeouts = { first: 500, next: 5, unexpected: 10 };
      keys = new ProjectKeys({ ...storage.memory, redactor }, timeouts);
      mock.timers.enable({ apis: ["setInterval"] });
      try {
        const answer = storage.hold();
        const known = keys.redactKey(here, late);
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
    assert.equal(await keys.find(builtIn), canary);
    await keys.remove(builtIn);
    assert.equal(await keys.find(builtIn), undefined);
    assert.equal(storage.values.size, 0);
  });

  it("have their last response remembered, without canceled invocations", () => {
    const lastAnswer = (key: string) =>
      keys.factsOf(here, { kind: "key", key, keeping: "sessionOnly" }).lastAnswer;
    keys.noteAnswer(here, canary, {
      kind: "refused",
      reason: "unauthorized",
      status: 401,
      durationMs: 1,
    });
    keys.noteAnswer(here, canary, { kind: "notSent", failure: { kind: "cancelled" } });
    assert.equal(lastAnswer(canary), "refused");
    assert.equal(lastAnswer("skh_other"), undefined);
  });
});
