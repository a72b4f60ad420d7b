import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { KeptAgentSettings, type SealSecrets } from "../../../src/agents/keptAgentSettings";
import {
  noAgentSettings,
  withAgreementAbout,
  withStopped,
} from "../../../src/core/agents/agentAgreements";
import type { Store } from "../../../src/engine/store/store";
import { agreedNow } from "../../fixtures/agentFacts";
import {
  agentPlace,
  allowAgentWrites,
  keptAgents,
  openTestStore,
  putAgents,
  refuseAgentWrites,
} from "../../fixtures/machineStore";

describe("the stored settings for agents", () => {
  let folder: string;
  const closing: (() => unknown)[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "agent-settings-"));
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The secret storage of one editor, which all of its windows share. */
  const storage = (key: string) => {
    let newest = 0;
    return {
      kind: "seal" as const,
      secrets: async (): Promise<SealSecrets | undefined> =>
        key === "" ? undefined : { key, newest },
      note: async (revision: number) => {
        newest = revision;
      },
    };
  };
  /** Opens the settings as a program of the machine does. */
  const opened = (
    guard: ConstructorParameters<typeof KeptAgentSettings>[2],
    broken: () => void = () => undefined,
    place = agentPlace(folder),
  ) => {
    const { store, close } = openTestStore(folder);
    const settings = new KeptAgentSettings(store, place, guard, broken);
    closing.push(() => settings.dispose(), close);
    return settings;
  };
  const stopped = (all: typeof noAgentSettings) => withStopped(all, true);

  it("are not followed if they are closed during their first reading", async () => {
    let answer: (text: undefined) => void = () => undefined;
    const value = () =>
      new Promise<undefined>((resolve) => {
        answer = resolve;
      });
    const store = { value, changes: async () => 0, keepValue: async () => true };
    const place = agentPlace(folder);
    const settings = new KeptAgentSettings(store, place, { kind: "ownerOnly" }, () => undefined);
    const { setInterval } = globalThis;
    let followed = 0;
    globalThis.setInterval = ((...given: Parameters<typeof setInterval>) => {
      followed += 1;
      return setInterval(...given);
    }) as typeof setInterval;
    try {
      const reading = settings.get();
      await Promise.resolve();
      settings.dispose();
      answer(undefined);
      await reading;
      assert.equal(followed, 0);
    } finally {
      globalThis.setInterval = setInterval;
    }
  });
  it("are sealed when they are written, and then count in all windows", async () => {
    const guard = storage("key");
    assert.equal(await opened(guard).change(stopped), true);
    assert.equal((await opened(guard).get()).stopped, true);
    assert.match(await keptAgents(folder), /"seal":"[0-9a-f]{64}"/);
  });
  for (const [name, change] of Object.entries({
    "another seal": (text: string) => text.replace(/"seal":"./, '"seal":"x'),
    "no seal": (text: string) => text.replace(/,"seal":"[^"]*"/, ""),
    "another content": (text: string) => text.replace('"centsPerDay":0', '"centsPerDay":9'),
    "a later revision": (text: string) => text.replace('"revision":1', '"revision":2'),
  })) {
    it(`count as empty with ${name}, which is reported once`, async () => {
      const guard = storage("key");
      await opened(guard).change(stopped);
      await putAgents(folder, change(await keptAgents(folder)));
      let said = 0;
      const file = opened(guard, () => {
        said += 1;
      });
      assert.deepEqual(await file.get(), noAgentSettings);
      await file.get();
      assert.equal(said, 1);
    });
  }
  it("count as empty with another key, or none", async () => {
    await opened(storage("key")).change(stopped);
    assert.deepEqual(await opened(storage("other")).get(), noAgentSettings);
    assert.deepEqual(await opened(storage("")).get(), noAgentSettings);
    assert.equal(await opened(storage("")).change(stopped), false);
  });

  describe("from before agents were stopped", () => {
    let earlier: string;
    const allowThenStop = async (guard: ReturnType<typeof storage>) => {
      const settings = opened(guard);
      await settings.change((all) => withAgreementAbout(all, agreedNow()));
      earlier = await keptAgents(folder);
      await settings.change(stopped);
      return settings;
    };
    it("do not count when they are restored, in this window and in a new one", async () => {
      const guard = storage("key");
      const file = await allowThenStop(guard);
      await putAgents(folder, earlier);
      for (const one of [file, opened(guard)]) {
        assert.deepEqual(await one.get(), noAgentSettings);
      }
    });
    it("do not count either if the window that wrote newer ones could not note their revision", async () => {
      const guard = storage("key");
      const note = guard.note;
      guard.note = async () => undefined;
      await allowThenStop(guard);
      guard.note = note;
      // Every reader notes the revision that it reads.
      assert.equal((await opened(guard).get()).stopped, true);
      await putAgents(folder, earlier);
      assert.deepEqual(await opened(guard).get(), noAgentSettings);
    });
  });

  it("are changed by two programs at once without a loss", async () => {
    const guard = storage("key");
    const slugs = ["a", "b", "c", "d", "e", "f"];
    const programs = [opened(guard), opened(guard)];
    const all = slugs.map((skill, index) =>
      programs[index % 2]?.change((before) =>
        withAgreementAbout(before, { ...agreedNow(), skill }),
      ),
    );
    assert.deepEqual(new Set(await Promise.all(all)), new Set([true]));
    const { skills } = await opened(guard).get();
    assert.deepEqual(skills.map(({ skill }) => skill).sort(), slugs);
  });

  it("are followed while another program changes them", async () => {
    const guard = storage("key");
    const settings = opened(guard);
    await settings.get();
    const changed = new Promise<void>((resolve) => void settings.onDidChange(resolve));
    await opened(guard).change(stopped);
    const alive = setInterval(() => undefined, 1000);
    await changed;
    clearInterval(alive);
    assert.equal((await settings.get()).stopped, true);
  });

  it("count as empty if the store cannot be read, which is reported", async () => {
    await opened({ kind: "ownerOnly" }).change((all) => withAgreementAbout(all, agreedNow()));
    const fail = () => Promise.reject(new Error("The disk is gone."));
    const store: Pick<Store, "value" | "keepValue" | "changes"> = {
      ...{ value: fail, keepValue: fail, changes: fail },
    };
    let said = 0;
    const settings = new KeptAgentSettings(store, agentPlace(folder), { kind: "ownerOnly" }, () => {
      said += 1;
    });
    closing.push(() => settings.dispose());
    assert.deepEqual(await settings.get(), noAgentSettings);
    assert.equal(await settings.change(stopped), false);
    assert.equal(said, 1);
  });

  describe("in a store that cannot be written", () => {
    const own = { kind: "ownerOnly" } as const;
    it("change nothing, now or later, and report that", async () => {
      await refuseAgentWrites(folder);
      const settings = opened(own);
      assert.equal(await settings.change((all) => withAgreementAbout(all, agreedNow())), false);
      assert.deepEqual(await settings.get(), noAgentSettings);
      await allowAgentWrites(folder);
      assert.equal(await settings.change((all) => all), true);
      assert.deepEqual((await settings.get()).skills, []);
    });
    it("stop agents of all programs by a file, until agents continue", async () => {
      await refuseAgentWrites(folder);
      assert.equal(await opened(own).stop(), true);
      assert.equal((await opened(own).get()).stopped, true);
      assert.equal(await opened(own).resume(), false);
      await allowAgentWrites(folder);
      assert.equal((await opened(own).get()).stopped, true);
      assert.equal(await opened(own).resume(), true);
      assert.equal((await opened(own).get()).stopped, undefined);
    });
    it("stop agents in this program alone if nothing can be written", async () => {
      await refuseAgentWrites(folder);
      await writeFile(join(folder, "file"), "");
      const place = { ...agentPlace(folder), stopFile: join(folder, "file", "agents.stopped") };
      const settings = opened(own, undefined, place);
      assert.equal(await settings.stop(), false);
      assert.equal((await settings.get()).stopped, true);
      assert.equal((await opened(own, undefined, place).get()).stopped, undefined);
    });
  });

  for (const [name, path] of [
    ["its file", () => agentPlace(folder).path],
    ["its folder", () => folder],
  ] as const) {
    it(`count as empty on the command line if others may write ${name}`, async function () {
      if (process.platform === "win32") this.skip();
      let said = 0;
      const own = () =>
        opened({ kind: "ownerOnly" }, () => {
          said += 1;
        });
      await own().change(stopped);
      assert.equal((await own().get()).stopped, true);
      await chmod(path(), 0o722);
      const settings = own();
      assert.deepEqual(await settings.get(), noAgentSettings);
      assert.equal(await settings.change(stopped), false);
      assert.equal(said, 1);
    });
  }
});
