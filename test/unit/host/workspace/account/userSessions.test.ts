import assert from "node:assert/strict";
import { mock } from "node:test";
import { beforeEach, describe, it } from "mocha";
import { sessionId } from "../../../../../src/core/account/sessions";
import { KeyRedactor } from "../../../../../src/core/registry/redactSecrets";
import { SecretStorageWait } from "../../../../../src/host/connect/secretStorageWait";
import { UserSessions } from "../../../../../src/host/workspace/account/userSessions";
import { userSession } from "../../../../fixtures/userSession";
import { MemorySecrets } from "../memorySecrets";

const { token } = userSession();

describe("sessions of users", () => {
  let secrets: MemorySecrets;
  let here: UserSessions;
  let there: UserSessions;
  const clock = { now: 0 };
  const told: string[] = [];
  const openWindow = () =>
    new UserSessions(
      secrets.storage,
      () => clock.now,
      new SecretStorageWait({ first: 20, next: 20 }),
    );
  beforeEach(async () => {
    clock.now = 0;
    secrets = new MemorySecrets();
    [here, there] = [openWindow(), openWindow()];
    await Promise.all([here.list(), there.list()]);
    told.length = 0;
    there.onDidChange(({ added, removed }) => {
      const [more, less] = [added, removed].map(
        (list) => list?.map(({ id }) => id).join(",") ?? "",
      );
      told.push(`+${more} -${less}`);
    });
  });

  it("are stored in the secret storage and followed by every window", async () => {
    const session = userSession();
    assert.equal(await here.keep(session, false), true);
    assert.deepEqual(await there.list(), [session]);
    assert.deepEqual(told, [`+${sessionId(session)} -`]);
    assert.deepEqual(await there.forget(sessionId(session)), session);
    assert.deepEqual(await here.list(), []);
    assert.deepEqual(told, [`+${sessionId(session)} -`, `+ -${sessionId(session)}`]);
    assert.deepEqual([...secrets.values], []);
  });

  it("can be several, one per account, and survive the window", async () => {
    const second = userSession({ organizationId: "p" });
    await here.keep(userSession(), false);
    await there.keep(second, false);
    const anew = userSession({ tokenId: "t2" });
    await here.keep(anew, false);
    assert.deepEqual(await openWindow().list(), [second, anew]);
    assert.deepEqual(
      await openWindow().asEditorSessions({ id: "https://a.example u:p", label: "" }),
      [
        {
          id: "https://a.example u:p t1",
          account: { id: "https://a.example u:p", label: "a@b.c (Org)" },
          scopes: [],
          accessToken: "",
        },
      ],
    );
  });

  it("end when they expire", async () => {
    await here.keep(userSession(), false);
    clock.now = 999;
    assert.equal((await here.list()).length, 1);
    clock.now = 1000;
    assert.deepEqual(await here.list(), []);
  });

  it("of the built-in registry stay in their window and out of the storage", async () => {
    assert.equal(await here.keep(userSession(), true), false);
    assert.equal((await here.list()).length, 1);
    assert.deepEqual(await there.list(), []);
    assert.deepEqual([...secrets.values], []);
    assert.ok(await here.forget(sessionId(userSession())));
    assert.deepEqual(await here.list(), []);
  });

  for (const behavior of ["throws", "hangs"] as const) {
    it(`last until the window closes if the storage ${behavior}`, async () => {
      secrets.behavior = behavior;
      assert.equal(await here.keep(userSession(), false), false);
      assert.equal((await here.list()).length, 1);
      secrets.behavior = "works";
      assert.deepEqual(await there.list(), []);
    });

    it(`stay as they were last read while the storage ${behavior}`, async () => {
      await here.keep(userSession(), false);
      assert.equal((await there.list()).length, 1);
      secrets.behavior = behavior;
      assert.equal((await there.list()).length, 1);
      assert.deepEqual(told, [`+${sessionId(userSession())} -`]);
    });

    it(`are not reported as removed if the storage ${behavior}`, async () => {
      await here.keep(userSession(), false);
      const { get } = secrets.storage;
      const broken = { ...secrets.storage, get, delete: () => new Promise<void>(() => undefined) };
      const window = new UserSessions(
        broken,
        () => 0,
        new SecretStorageWait({ first: 20, next: 20 }),
      );
      await assert.rejects(window.forget(sessionId(userSession())));
      assert.equal((await here.list()).length, 1);
    });
  }

  it("have a shorter timeout after the storage did not answer", async () => {
    const window = new UserSessions(
      secrets.storage,
      () => 0,
      new SecretStorageWait({ first: 500, next: 10 }),
    );
    secrets.behavior = "hangs";
    mock.timers.enable({ apis: ["setInterval"] });
    try {
      for (const milliseconds of [500, 10]) {
        const found = window.list();
        await new Promise(setImmediate);
        mock.timers.tick(milliseconds);
        assert.deepEqual(await found, []);
      }
    } finally {
      mock.timers.reset();
    }
  });

  it("teach the redactor their tokens", async () => {
    await here.keep(userSession(), false);
    const redactor = new KeyRedactor();
    await openWindow().redactTokens(redactor, () => assert.fail("The token arrived in time."));
    assert.ok(redactor.holds(`x ${token} y`));
  });

  it("teach the redactor tokens that arrive late, and report that", async () => {
    secrets.values.set("userSessions", JSON.stringify([userSession()]));
    const { get } = secrets.storage;
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const storage = { ...secrets.storage, get: (name: string) => held.then(() => get(name)) };
    const window = new UserSessions(storage as typeof secrets.storage, () => 0);
    const redactor = new KeyRedactor();
    mock.timers.enable({ apis: ["setInterval"] });
    try {
      await new Promise<void>((late) => {
        void window.redactTokens(redactor, late).then(answer);
        mock.timers.tick(2_000);
      });
    } finally {
      mock.timers.reset();
    }
    assert.ok(redactor.holds(token));
  });
});
