import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type InvocationRecord,
  newRecordId,
} from "../../src/core/invocation/record/invocationRecord";
import { usageBy } from "../../src/core/invocation/usage/usage";
import { InvocationHistory } from "../../src/engine/record/invocationHistory";
import type { Store } from "../../src/engine/store/store";
import { openStoreThread } from "../../src/engine/store/thread/openStoreThread";
import { atStore, keepRecords } from "../fixtures/machineStore";
import { pastInvocation } from "../fixtures/pastInvocation";
import { threadBundle } from "../fixtures/threadBundle";
import type { Measure } from "./probes/measure";
import { threadTime } from "./probes/threadTime";

/** The most records that the setting allows, and the usual number. */
const [many, usual] = [100_000, 1_000];
const rounds = 7;
const hour = 3_600_000;
const end = Date.now() - hour;

/** Measures what a record of 100,000 invocations costs against one of 1,000, and how long it blocks the host. */
export async function run(): Promise<Measure[]> {
  const folders = await Promise.all([many, usual].map(() => mkdtemp(join(tmpdir(), "record-"))));
  const [large = "", small = ""] = folders;
  try {
    await fill(large, many);
    await fill(small, usual);
    return [
      await compared("an invocation's start and end", startAndEnd, large, small, 1.2),
      await compared("an agent's earlier call", earlier, large, small, 1.2),
      await compared("the last invocations of a skill", ofSkill, large, small, 1.5),
      await together(small),
      ...(await holding(large)),
    ];
  } finally {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

async function fill(folder: string, count: number): Promise<void> {
  await atStore(folder, async (store) => {
    for (let first = 0; first < count; first += 1_000) {
      const records = Array.from({ length: 1_000 }, (_, index) => recordAt(first + index, count));
      await keepRecords(store, records);
    }
  });
}

function recordAt(index: number, count: number): InvocationRecord {
  const startedAt = end - (count - index) * 60_000;
  const digest = "3b8f".repeat(16);
  return pastInvocation(startedAt, {
    id: newRecordId(startedAt, "0a1b2c3d-4e5f"),
    skillSlug: `skill-${index % 20}`,
    message: "What the registry said of it, in a sentence or two as they come.",
    payloadId: String(index % 500),
    ...{ contractHash: digest, requestSha256: digest, responseSha256: digest },
    ...{ amountCents: 1, currency: "USD" },
  });
}

type Work = (store: Store) => Promise<unknown>;

const startAndEnd: Work = async (store) => {
  const { id: _, startedAt: __, endsBefore: ___, ...facts } = recordAt(0, 1);
  const { registry, skillSlug } = facts;
  const scope = { registry, project: "p", skillSlug };
  const price = { kind: "amount", cents: 1, currency: "USD" } as const;
  const started = await store.start({
    ...{
      facts: { ...facts, status: "running", ran: "unknown" },
      maxDurationMs: 60_000,
      isKept: true,
    },
    ...{
      texts: { inputText: "{}" },
      claim: { key: String(Math.random()), isDuplicateAllowed: false },
      scope,
    },
    ...{
      perMinute: undefined,
      price: { registry, skillSlug, price },
      concurrency: undefined,
      dailyLimitCents: 1e9,
    },
    ...{ isUncountedAllowed: false, agent: undefined },
  });
  if (started.kind !== "started") throw new Error(`It was ${started.kind}.`);
  await store.end({
    record: { ...started.record, status: "success", ran: "yes", amountCents: 1, currency: "USD" },
    ...{ isKept: true, texts: { inputText: "{}", outputText: "{}" }, scope },
    outcome: { kind: "success", acceptedNotRun: false, outputText: "", durationMs: 1 },
    awaitsSecondClick: true,
  });
};

const earlier: Work = (store) =>
  store.earlier({ registry: "r", contractHash: "3b8f".repeat(16), payloadId: "7" });

const ofSkill: Work = (store) => store.list({ skills: ["skill-3"], limit: 50 });

/** Measures work with a large record against the same work with a small one. */
async function compared(
  name: string,
  work: Work,
  large: string,
  small: string,
  limit: number,
): Promise<Measure> {
  const times = { large: [] as number[], small: [] as number[] };
  const times100 = async (store: Store) => {
    const started = performance.now();
    for (let index = 0; index < 100; index += 1) await work(store);
    return (performance.now() - started) / 100;
  };
  await atStore(large, (ofLarge) =>
    atStore(small, async (ofSmall) => {
      await Promise.all([times100(ofLarge), times100(ofSmall)]);
      for (let round = 0; round < rounds; round += 1) {
        times.large.push(await times100(ofLarge));
        times.small.push(await times100(ofSmall));
      }
    }),
  );
  const [ours, peer] = [Math.min(...times.large), Math.min(...times.small)];
  return { name: `${name} beside ${many} records`, ours, peer, ratio: ours / peer, limit };
}

/**
 * Measures the host's longest turn while the whole record is read, while it is added up, and while half of it is
 * removed.
 */
async function holding(folder: string): Promise<Measure[]> {
  const ignore = () => undefined;
  const reports = { notRead: ignore, notWritten: ignore, notRetained: ignore, notChanged: ignore };
  const workerPath = await threadBundle("src/engine/store/thread/storeWorker.ts");
  const { store, close } = openStoreThread(folder, ignore, workerPath);
  try {
    let maxEntries = many;
    const history = new InvocationHistory(store, () => ({ maxEntries, maxDays: 0 }), reports);
    const all = { since: 0, until: Date.now() };
    const list = await held("paging through", async () => {
      let read = 0;
      for await (const page of history.pages({})) read += page.length;
      if (read < many) throw new Error(`${read} records were read.`);
    });
    const names = await held("the names of", async () => {
      const { length } = await history.names({ statuses: ["success"], isPinned: false });
      if (length < many) throw new Error(`${length} names were read.`);
    });
    const sums = await held("the days and durations of", () => history.sums(all, true));
    const choices = await held("the choices of a filter of", () => history.sums({}));
    const searching = await held("looking for a text in", () => history.list({ text: "no such" }));
    maxEntries = many / 2;
    const long = '"\u1234\u0041"'.repeat(2_500_000);
    const texts = await held("a payload and an output of 10 MB beside", async () => {
      const { id } = recordAt(many, many);
      await keepRecords(store, [recordAt(many, many)], { inputText: long, outputText: long });
      if ((await store.texts(id))?.outputText !== long) throw new Error("They were not kept.");
    });
    const retain = await held("removing half of", async () => {
      while (await store.retain({ maxEntries, maxDays: 0 }));
    });
    const started = performance.now();
    usageBy(await history.sums(all, true), "day");
    const ours = performance.now() - started;
    history.dispose();
    const usage = { name: "usage by day of 50000 records, ms", ours, peer: 1_000, limit: 1 };
    return [
      list,
      names,
      sums,
      choices,
      searching,
      texts,
      retain,
      { ...usage, ratio: ours / usage.peer },
    ];
  } finally {
    await close();
  }
}

/** The delay that nobody notices while typing, in milliseconds. */
const unnoticedMs = 50;

/** Measures the host's longest turn in CPU time of its thread, since other programs must not count. */
async function held(name: string, work: () => Promise<unknown>): Promise<Measure> {
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  let ours = 0;
  while (!isDone) {
    const before = threadTime();
    await nextTurn();
    ours = Math.max(ours, threadTime() - before);
  }
  await working;
  const peer = unnoticedMs;
  return { name: `host held by ${name} ${many} records`, ours, peer, ratio: ours / peer, limit: 1 };
}

/**
 * Measures eight invocations at once against eight that follow each other: parallel ones share the wait for the disk.
 */
async function together(folder: string): Promise<Measure> {
  const [jobs, each] = [8, 25];
  return atStore(folder, async (store) => {
    const inTurn: number[] = [];
    const atOnce: number[] = [];
    const times = async (count: number) => {
      for (let index = 0; index < count; index += 1) await startAndEnd(store);
    };
    const measured = async (work: () => Promise<unknown>) => {
      const started = performance.now();
      await work();
      return (performance.now() - started) / (jobs * each);
    };
    for (let round = 0; round < rounds; round += 1) {
      inTurn.push(await measured(() => times(jobs * each)));
      atOnce.push(
        await measured(() => Promise.all(Array.from({ length: jobs }, () => times(each)))),
      );
    }
    const [ours, peer] = [Math.min(...atOnce), Math.min(...inTurn)];
    return {
      name: "start and end of eight invocations at once",
      ours,
      peer,
      ratio: ours / peer,
      limit: 1.1,
    };
  });
}
