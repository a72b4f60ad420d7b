import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import { runningFacts } from "../../../../../src/core/invocation/outcome";
import { filterChoices } from "../../../../../src/core/invocation/record/invocationList";
import { matchesQuery } from "../../../../../src/core/invocation/record/recordQuery";
import {
  countIn,
  groupOf,
  type UsageGroup,
  usageBy,
  usageGroupings,
} from "../../../../../src/core/invocation/usage/usage";
import { timesOf } from "../../../../../src/core/invocation/usage/usageFilter";
import type { SumsPage } from "../../../../../src/engine/store/store";
import { keepRecords } from "../../../../fixtures/machineStore";
import { usageRecords } from "../../../../fixtures/usageRecords";
import { StoreFolder } from "../storeFolder";

describe("the sums of a store", () => {
  const zone = process.env["TZ"];
  const noon = new Date(2026, 2, 30, 12).getTime();
  let folder: StoreFolder;
  beforeEach(() => {
    folder = new StoreFolder();
  });
  afterEach(async () => {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
    await folder.remove();
  });

  for (const name of ["Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu"]) {
    it(`are those of its records, each with the days of ${name}`, async () => {
      process.env["TZ"] = name;
      const store = folder.open();
      const records = usageRecords(900, noon).map((record, index) => ({
        ...record,
        ...(index % 50 === 0 && { kind: "testRun" as const }),
        ...(index % 70 === 0 && { ...runningFacts, durationMs: 0 }),
      }));
      await keepRecords(store, records);
      const listed = (await store.list({})).records;
      for (const query of [
        {},
        { callers: ["person"] },
        { statuses: ["outcome unknown"] },
      ] as const) {
        const matching = listed.filter((record) => matchesQuery(record, query, () => undefined));
        const ofRecords = matching.map(groupOf);
        const inDays = (await store.sums(query, true)).groups;
        assert.ok(inDays.length <= ofRecords.length);
        for (const grouping of usageGroupings) {
          assert.deepEqual(usageBy(inDays, grouping), usageBy(ofRecords, grouping), grouping);
        }
        const ids = (groups: readonly UsageGroup[]) => groups.flatMap((group) => group.ids).sort();
        assert.deepEqual(ids(inDays), ids(ofRecords));
        const choices = (groups: readonly UsageGroup[]) =>
          filterChoices(groups)
            .map(({ value, count }) => `${value} ${count}`)
            .sort();
        assert.deepEqual(choices((await store.sums(query, false)).groups), choices(ofRecords));
      }
    });
  }

  it("come in pages of the requested number of records", async () => {
    const store = folder.open();
    await keepRecords(store, usageRecords(25, noon));
    const counts: number[] = [];
    for (let before: string | undefined = "~"; before !== undefined; ) {
      const page: SumsPage = await store.sums({ before, limit: 10 }, false);
      counts.push(countIn(page.groups));
      before = page.next;
    }
    assert.deepEqual(counts, [10, 10, 5]);
  });

  it("contain only the requested days", async () => {
    const store = folder.open();
    await keepRecords(store, usageRecords(300, noon));
    const { groups } = await store.sums(timesOf("2026-03-20", "2026-03-22"), true);
    assert.deepEqual([...new Set(groups.map(({ day }) => day))].sort(), [
      ...["2026-03-20", "2026-03-21", "2026-03-22"],
    ]);
    const none = { groups: [], next: undefined };
    assert.deepEqual(await store.sums({ since: noon + 1 }, true), none);
  });
});
