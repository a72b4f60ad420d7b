import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, it } from "mocha";
import { storeName } from "../../../../src/engine/store/operations";
import { type Program, thisProgram } from "../../../../src/engine/store/program";
import { threadBundle } from "../../../fixtures/threadBundle";
import { itInWholeSuite } from "../../../fixtures/wholeSuite";
import { windowProgram } from "../../../fixtures/windowProgram";
import { StoreFolder, startedIn, textsOf, wantedStart } from "./storeFolder";

/** Invokes repeatedly, or does what its arguments say, and prints the result of each step. */
const programSource = `
  import { StoreFolder, startedIn, wantedStart, endOf, textsOf } from "test/unit/engine/store/storeFolder";
  import { openStoreThread } from "src/engine/store/thread/openStoreThread";
  const [path, work, until, thread, atOnce = "3"] = process.argv.slice(2);
  const store = thread ? openStoreThread(path, () => {}, thread).store : new StoreFolder(path).open();
  const say = (text) => process.stdout.write(text + "\\n");
  if (work === "hold") {
    say((await store.start(wantedStart({ claim: { key: "same", isDuplicateAllowed: false } }))).kind);
    setInterval(() => undefined, 1_000);
  } else if (work === "rate") {
    let granted = 0;
    while ((await store.start(wantedStart({ perMinute: 200 }))).kind === "started") granted += 1;
    say(String(granted));
    process.exit();
  } else {
    const invokeAll = async () => {
      for (let call = 0; call < Number(until); call += 1) {
        const record = await startedIn(store, { texts: { inputText: "{}" } });
        say("started " + record.id);
        await store.end(endOf(record, undefined, { texts: textsOf(record.id) }));
        say("ended " + record.id);
      }
    };
    // Several at once, like run --jobs and a server for agents.
    await Promise.all(Array.from({ length: Number(atOnce) }, invokeAll));
    process.exit();
  }
`;

describe("programs of one machine at one store", () => {
  let folder: StoreFolder;
  let program: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    folder = new StoreFolder();
    program = await windowProgram(programSource, folder.path);
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await folder.remove();
  });

  /** Starts a program, which ends with the test. */
  const run = (
    work: string,
    until = "",
    before: readonly string[] = [],
    ...rest: readonly string[]
  ) => {
    const [command = "", ...args] = [...before, process.execPath, "--no-warnings", program];
    const child = spawn(command, [...args, folder.path, work, until, ...rest], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    return { child, lines: createInterface({ input: child.stdout }) };
  };
  const firstLine = async ({ lines }: ReturnType<typeof run>) =>
    String((await once(lines, "line"))[0]);

  it("see the claim of a running one, and none of a killed one", async () => {
    const other = run("hold");
    assert.equal(await firstLine(other), "started");
    const wanted = wantedStart({ claim: { key: "same", isDuplicateAllowed: false } });
    const store = folder.open();
    assert.equal((await store.start(wanted)).kind, "inProgress");
    other.child.kill("SIGKILL");
    await once(other.child, "exit");
    assert.deepEqual(
      (await store.list({})).records.map(({ status }) => status),
      ["outcome unknown"],
    );
    assert.equal((await store.start(wanted)).kind, "started");
  });

  /** Command prefixes that run a program in another environment. Each needs root on Linux. */
  const elsewhere: Readonly<Record<string, (path: string) => readonly string[]>> = {
    "another container, whose process numbers differ": () => [
      ...["unshare", "--fork", "--kill-child", "--pid", "--mount-proc"],
    ],
    "another start of the machine, or of another machine of its name": (path) => {
      const bootId = join(path, "boot_id");
      writeFileSync(bootId, "11111111-2222-3333-4444-555555555555\n");
      const mount = `mount --bind ${bootId} /proc/sys/kernel/random/boot_id`;
      return ["unshare", "--mount", "sh", "-c", `${mount} && exec "$@"`, "sh"];
    },
  };
  for (const [where, commandOf] of Object.entries(elsewhere)) {
    it(`see the claim of ${where}`, async function () {
      const there = commandOf(folder.path);
      try {
        execFileSync(there[0] ?? "", [...there.slice(1), "true"], { stdio: "ignore" });
      } catch {
        console.log("      skipped: it takes root on Linux");
        this.skip();
      }
      const here = run("hold");
      assert.equal(await firstLine(here), "started");
      assert.equal(await firstLine(run("hold", "", there)), "inProgress");
      here.child.kill("SIGKILL");
      await once(here.child, "exit");
      assert.equal(await firstLine(run("hold", "", there)), "inProgress");
    });
  }

  for (let round = 1; round <= 10; round += 1) {
    itInWholeSuite(
      `send two hundred of a minute, sixteen of them, time ${round} of ten`,
      async () => {
        const started = performance.now();
        const all = Array.from({ length: 16 }, () => firstLine(run("rate")));
        const granted = (await Promise.all(all)).reduce((sum, line) => sum + Number(line), 0);
        assert.ok(
          performance.now() - started < 55_000,
          "A place may be free again after a minute.",
        );
        assert.equal(granted, 200);
      },
    );
  }

  itInWholeSuite(
    "lose nothing that ended, damage nothing, and start nothing twice, if ten programs are killed eighteen times",
    async () => {
      const started: string[] = [];
      const ended = new Set<string>();
      // Editors run their store in a thread, unlike the command line.
      const thread = await threadBundle("src/engine/store/thread/storeWorker.ts");
      let kills = 18;
      const work = async (_: unknown, place: number): Promise<void> => {
        const { child, lines } = run("invoke", "20", [], place % 2 === 0 ? thread : "");
        const dies = kills > 0;
        if (dies) kills -= 1;
        const killAfter = 5 + (kills % 10) * 3;
        let count = 0;
        lines.on("line", (line) => {
          const [what, id = ""] = line.split(" ");
          if (what === "started") started.push(id);
          else ended.add(id);
          count += 1;
          if (dies && count === killAfter) child.kill("SIGKILL");
        });
        await Promise.all([once(child, "exit"), once(lines, "close")]);
        if (dies) await work(_, place);
      };
      await Promise.all(Array.from({ length: 10 }, work));
      await assertWhole(started, ended, 3 * 18);
    },
  );

  itInWholeSuite(
    "lose and damage nothing, and start nothing twice, if twenty have thirty writers each",
    async () => {
      const started: string[] = [];
      const ended = new Set<string>();
      const work = async () => {
        const { child, lines } = run("invoke", "3", [], "", "30");
        lines.on("line", (line) => {
          const [what, id = ""] = line.split(" ");
          if (what === "started") started.push(id);
          else ended.add(id);
        });
        const [[code]] = await Promise.all([once(child, "exit"), once(lines, "close")]);
        assert.equal(code, 0);
      };
      await Promise.all(Array.from({ length: 20 }, work));
      assert.equal(ended.size, 20 * 30 * 3);
      await assertWhole(started, ended, 0);
    },
  );

  /**
   * Checks that everything that ended is recorded once with its texts, and besides at most `most` invocations with an
   * unknown outcome.
   */
  const assertWhole = async (
    started: readonly string[],
    ended: ReadonlySet<string>,
    most: number,
  ) => {
    assert.equal(new Set(started).size, started.length);
    const store = folder.open();
    const { records } = await store.list({});
    const byId = new Map(records.map((record) => [record.id, record]));
    assert.equal(byId.size, records.length);
    for (const id of ended) {
      assert.equal(byId.get(id)?.status, "success");
      assert.deepEqual(await store.texts(id), textsOf(id));
    }
    const unknown = records.filter(({ status }) => status !== "success");
    assert.ok(unknown.length <= most, `${unknown.length} are unknown`);
    assert.ok(unknown.every(({ status }) => status === "outcome unknown"));
    const { spending } = await store.spent();
    const calls = spending.reduce((sum, cost) => sum + cost.calls, 0);
    assert.equal(calls, records.length);
    assert.deepEqual(folder.setAside, []);
  };
});

describe("a program that opens a store", () => {
  it("waits while another one has locked it", async () => {
    const folder = new StoreFolder();
    await startedIn(folder.open());
    await folder.close();
    const other = new DatabaseSync(join(folder.path, storeName));
    other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; PRAGMA user_version; COMMIT");
    let isOver = false;
    const starting = startedIn(folder.open()).finally(() => {
      isOver = true;
    });
    // By now it has tried.
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    assert.equal(isOver, false);
    other.close();
    await starting;
    await folder.remove();
  });
});

describe("an abandoned claim", () => {
  let folder: StoreFolder;
  const now = Date.parse("2026-11-20T12:00:00Z");
  const wanted = wantedStart({ claim: { key: "same", isDuplicateAllowed: false } });
  beforeEach(() => {
    folder = new StoreFolder();
  });
  afterEach(() => folder.remove());

  const cases: Readonly<
    Record<string, { own: Partial<Program>; wrote: number; at: number; isHeld: boolean }>
  > = {
    "by a program of another machine is held until its time is over": {
      own: { place: "other", pid: 1 },
      wrote: now,
      at: now + 59_000,
      isHeld: true,
    },
    "by a program of another machine ends when its time is over": {
      own: { place: "other", pid: 1 },
      wrote: now,
      at: now + 61_000,
      isHeld: false,
    },
    "by a program of another machine whose clock was ahead does not count": {
      own: { place: "other", pid: 1 },
      wrote: now + 86_400_000,
      at: now,
      isHeld: false,
    },
    "by an earlier program with the same process number does not count": {
      own: { since: 1 },
      wrote: now,
      at: now,
      isHeld: false,
    },
    "by this program is held even if the clock was ahead then": {
      own: {},
      wrote: now + 86_400_000,
      at: now,
      isHeld: true,
    },
  };
  for (const [title, { own, wrote, at, isHeld }] of Object.entries(cases)) {
    it(title, async () => {
      const writer = folder.open({ self: { ...thisProgram(), ...own }, now: () => wrote });
      assert.equal((await writer.start(wanted)).kind, "started");
      const answer = await folder.open({ now: () => at }).start(wanted);
      assert.equal(answer.kind, isHeld ? "inProgress" : "started");
    });
  }
});

describe("a clock of the machine", () => {
  let folder: StoreFolder;
  beforeEach(() => {
    folder = new StoreFolder();
  });
  afterEach(() => folder.remove());

  it("that was a day ahead blocks nothing after its correction, and record names stay in order", async () => {
    let now = Date.parse("2026-11-21T12:00:00Z");
    const store = folder.open({ now: () => now });
    const full = { perMinute: 2 };
    const ids = [(await startedIn(store, full)).id, (await startedIn(store, full)).id];
    assert.equal((await store.start(wantedStart(full))).kind, "rateLimited");
    now -= 86_400_000;
    ids.push((await startedIn(store, full)).id);
    assert.deepEqual(ids.toSorted(), ids);
    now += 86_400_000;
    await startedIn(store, full);
  });
});
