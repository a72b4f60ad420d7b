import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "mocha";
import { keptTrialOf } from "../../../../src/core/invocation/output/keptTrials";
import { TrialRecord } from "../../../../src/engine/record/trialRecord";
import type { OpenedStore } from "../../../../src/engine/store/operations";
import type { Store } from "../../../../src/engine/store/store";
import { RecordUnreadable } from "../../../../src/engine/store/storeProblem";
import { atTables, openTestStore } from "../../../fixtures/machineStore";
import { pastInvocation } from "../../../fixtures/pastInvocation";

const address = "http://127.0.0.1:8080/run";
const trial = (minutesAgo = 0) =>
  keptTrialOf(pastInvocation(Date.now() - minutesAgo * 60_000, { registry: address }));

describe("the record of trials", () => {
  let folder: string;
  let opened: OpenedStore;
  let reported: string[] = [];
  const report = (what: string) => () => void reported.push(what);
  const reports = {
    notRead: report("notRead"),
    notWritten: report("notWritten"),
    notChanged: report("notChanged"),
  };
  const recordIn = (store: Pick<Store, "value" | "keepValue">, maxEntries = 100) =>
    new TrialRecord(store, () => ({ maxEntries, maxDays: 0 }), reports);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "trials-"));
    opened = openTestStore(folder);
  });
  beforeEach(() => {
    reported = [];
    return recordIn(opened.store).clear();
  });
  after(async () => {
    await opened.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("lists the newest first, and tells this program of a change", async () => {
    const record = recordIn(opened.store);
    let changes = 0;
    record.onDidChange(() => {
      changes += 1;
    });
    const [older, newer] = [trial(1), trial()];
    await record.add(older);
    await record.add(newer);
    assert.deepEqual(await record.list(), [newer, older]);
    await record.clear();
    assert.deepEqual([await record.list(), changes], [[], 3]);
  });

  it("is no invocation to any reader of invocations, and to no earlier version", async () => {
    await recordIn(opened.store).add(trial());
    const { store } = opened;
    const of = { registry: address, skillSlug: "text-stats" };
    assert.deepEqual(await store.list({}), { records: [], next: undefined });
    assert.deepEqual(await store.names({}), { names: [], next: undefined });
    assert.deepEqual((await store.sums({}, true)).groups, []);
    assert.equal((await store.extent()).single.count, 0);
    assert.deepEqual((await store.billedSoFar(of)).amounts, []);
    // Without a row of its own and a step of the layout, nothing that reads one can take it for an invocation.
    await atTables(folder, (database) => {
      const tables = database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        .all()
        .map(({ name }) => String(name));
      const filled = tables.filter((name) => database.prepare(`SELECT 1 FROM ${name}`).get());
      assert.deepEqual(filled, ["value"]);
    });
  });

  it("loses no trial of another program that adds one at the same time", async () => {
    const theirs = trial(1);
    let hasRaced = false;
    const ours = recordIn({
      value: async (name) => {
        const text = await opened.store.value(name);
        if (!hasRaced) {
          hasRaced = true;
          await recordIn(opened.store).add(theirs);
        }
        return text;
      },
      keepValue: (...asked) => opened.store.keepValue(...asked),
    });
    await ours.add(trial());
    assert.equal((await ours.list()).length, 2);
  });

  it("keeps nothing while the record is off", async () => {
    await recordIn(opened.store, 0).add(trial());
    assert.deepEqual(await recordIn(opened.store).list(), []);
  });

  it("leaves the trials of a newer version as they are, and reports that", async () => {
    const newer = JSON.stringify({ format: 2 });
    await opened.store.keepValue("trials", newer);
    await recordIn(opened.store).add(trial());
    assert.deepEqual([await opened.store.value("trials"), reported], [newer, ["notWritten"]]);
    await opened.store.keepValue("trials", "");
  });

  it("reports a store that fails, and does not pass for an empty record", async () => {
    const fail = async () => {
      throw new Error("disk full");
    };
    const failing = recordIn({ value: fail, keepValue: fail });
    await failing.add(trial());
    await failing.clear();
    await assert.rejects(failing.list(), RecordUnreadable);
    const busy = recordIn({ value: async () => undefined, keepValue: async () => false });
    await busy.add(trial());
    assert.deepEqual(reported, ["notWritten", "notChanged", "notRead", "notWritten"]);
  });
});
