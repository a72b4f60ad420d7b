import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { AgentSettingsFile, type SealSecrets } from "../../../src/agents/agentSettingsFile";
import {
  noAgentSettings,
  withAgreementAbout,
  withStopped,
} from "../../../src/core/agents/agentAgreements";
import { canonicalText } from "../../../src/core/json/jsonValue";
import { agreedNow } from "../../fixtures/agentFacts";

describe("the file of what agents may do", () => {
  let folder: string;
  let path: string;
  const files: AgentSettingsFile[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "agent-settings-"));
    path = join(folder, "agents.json");
  });
  afterEach(async () => {
    for (const file of files.splice(0)) file.dispose();
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
  const opened = (
    guard: ConstructorParameters<typeof AgentSettingsFile>[1],
    broken: () => void = () => undefined,
  ) => {
    const file = new AgentSettingsFile(path, guard, broken);
    files.push(file);
    return file;
  };
  const stopped = (all: typeof noAgentSettings) => withStopped(all, true);

  it("counts with its seal, for all windows", async () => {
    const guard = storage("key");
    assert.equal(await opened(guard).change(stopped), true);
    assert.equal((await opened(guard).get()).stopped, true);
    assert.match(await readFile(path, "utf8"), /"seal":"[0-9a-f]{64}"/);
  });
  for (const [name, change] of Object.entries({
    "another seal": (text: string) => text.replace(/"seal":"./, '"seal":"x'),
    "no seal": (text: string) => text.replace(/,"seal":"[^"]*"/, ""),
    "another content": (text: string) => text.replace('"centsPerDay":0', '"centsPerDay":9'),
    "a later revision": (text: string) => text.replace('"revision":1', '"revision":2'),
  })) {
    it(`counts as empty with ${name}, which is said once`, async () => {
      const guard = storage("key");
      await opened(guard).change(stopped);
      await writeFile(path, change(await readFile(path, "utf8")));
      let said = 0;
      const file = opened(guard, () => {
        said += 1;
      });
      assert.deepEqual(await file.get(), noAgentSettings);
      await file.get();
      assert.equal(said, 1);
    });
  }
  it("counts as empty with another key, or none", async () => {
    await opened(storage("key")).change(stopped);
    assert.deepEqual(await opened(storage("other")).get(), noAgentSettings);
    assert.deepEqual(await opened(storage("")).get(), noAgentSettings);
    assert.equal(await opened(storage("")).change(stopped), false);
  });

  describe("as it was before agents were stopped", () => {
    const earlier = () => join(folder, "earlier.json");
    const allowThenStop = async (guard: ReturnType<typeof storage>) => {
      const file = opened(guard);
      await file.change((all) => withAgreementAbout(all, agreedNow()));
      await copyFile(path, earlier());
      await file.change(stopped);
      return file;
    };
    it("does not count when it is put back, in this window and in a new one", async () => {
      const guard = storage("key");
      const file = await allowThenStop(guard);
      await copyFile(earlier(), path);
      for (const one of [file, opened(guard)]) {
        assert.deepEqual(await one.get(), noAgentSettings);
      }
    });
    it("does not count where a window wrote the newer one and could not note that", async () => {
      const guard = storage("key");
      const note = guard.note;
      guard.note = async () => undefined;
      await allowThenStop(guard);
      guard.note = note;
      // Whoever reads it notes what it has.
      assert.equal((await opened(guard).get()).stopped, true);
      await copyFile(earlier(), path);
      assert.deepEqual(await opened(guard).get(), noAgentSettings);
    });
  });

  it("still counts where an earlier version of the extension wrote it, without a revision", async () => {
    const guard = storage("key");
    await opened(guard).change(stopped);
    const old = withAgreementAbout(noAgentSettings, agreedNow());
    const seal = createHmac("sha256", "key").update(canonicalText(old)).digest("hex");
    await writeFile(path, JSON.stringify({ ...old, seal }));
    assert.equal((await opened(storage("key")).get()).skills.length, 1);
  });

  describe("where it cannot be written", () => {
    /** A folder in its place fails as a read-only file does, also for root. */
    const blocked = () => mkdir(path);
    it("changes nothing, here or later, and says so", async () => {
      await blocked();
      const file = opened({ kind: "ownerOnly" });
      assert.equal(await file.change((all) => withAgreementAbout(all, agreedNow())), false);
      assert.deepEqual(await file.get(), noAgentSettings);
      await rm(path, { recursive: true });
      assert.equal(await file.change((all) => all), true);
      assert.deepEqual((await file.get()).skills, []);
    });
    it("is stopped by a file beside it, for all programs, until agents go on", async () => {
      await blocked();
      assert.equal(await opened({ kind: "ownerOnly" }).stop(), true);
      assert.equal((await opened({ kind: "ownerOnly" }).get()).stopped, true);
      assert.equal(await opened({ kind: "ownerOnly" }).resume(), false);
      await rm(path, { recursive: true });
      assert.equal((await opened({ kind: "ownerOnly" }).get()).stopped, true);
      assert.equal(await opened({ kind: "ownerOnly" }).resume(), true);
      assert.equal((await opened({ kind: "ownerOnly" }).get()).stopped, undefined);
    });
    it("holds in this program alone where nothing can be written", async () => {
      path = join(folder, "file", "agents.json");
      await writeFile(join(folder, "file"), "");
      const file = opened({ kind: "ownerOnly" });
      assert.equal(await file.stop(), false);
      assert.equal((await file.get()).stopped, true);
      assert.equal((await opened({ kind: "ownerOnly" }).get()).stopped, undefined);
    });
  });

  it("counts as empty on the command line where others may write it", async () => {
    let said = 0;
    const own = () =>
      opened({ kind: "ownerOnly" }, () => {
        said += 1;
      });
    await own().change(stopped);
    assert.equal((await own().get()).stopped, true);
    await chmod(path, 0o622);
    assert.deepEqual(await own().get(), noAgentSettings);
    assert.equal(said, 1);
  });
});
