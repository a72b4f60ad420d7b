import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InvocationRecord } from "../../src/core/invocation/record/invocationRecord";
import { projectUsage } from "../../src/core/invocation/usage/projectUsage";
import type { UsageGroup } from "../../src/core/invocation/usage/usage";
import type { ProjectState } from "../../src/core/project/projectState";
import { localDay } from "../../src/core/text/dates";
import { english } from "../../src/core/text/language";
import { atStore, keepRecords } from "../fixtures/machineStore";
import { usageRecords } from "../fixtures/usageRecords";
import { userSession } from "../fixtures/userSession";
import { startPageBrowser } from "../webview/pageBrowser";
import { floorMs, heldMs } from "./probes/held";
import type { Measure } from "./probes/measure";

const count = 50_000;
const rounds = 3;
/**
 * The waiting time that does not surprise a reader, and the delay that nobody notices while typing, in milliseconds.
 */
const drawnMs = 1000;
const unnoticedMs = 50;
const now = Date.parse("2026-11-20T12:00:00Z");

/** Measures the Usage page with 50,000 invocations: the time until it is drawn, and how long the host is blocked. */
export async function run(): Promise<Measure[]> {
  const records = usageRecords(count, now, 90);
  return [...(await drawing(records)), ...holdsOfProject(records)];
}

async function drawing(records: readonly InvocationRecord[]): Promise<Measure[]> {
  const browser = await startPageBrowser();
  const groups = await summedUp(records);
  try {
    const times: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { showUsage, close } = await browser.open({ isUsage: true });
      floors.push(floorMs());
      const head = { today: localDay(now), dailyLimitCents: 200 };
      times.push(await showUsage(records, head, undefined, groups));
      await close();
    }
    return [
      measureOf(`draw ${count} invocations on the Usage page`, times, allowed(drawnMs, 80, floors)),
    ];
  } finally {
    await browser.close();
  }
}

/** Adds invocations up as the store does, which sends a page one group for all with the same facts. */
async function summedUp(records: readonly InvocationRecord[]): Promise<readonly UsageGroup[]> {
  const folder = await mkdtemp(join(tmpdir(), "usage-"));
  try {
    return await atStore(folder, async (store) => {
      for (let first = 0; first < count; first += 1000) {
        await keepRecords(store, records.slice(first, first + 1000));
      }
      return (await store.sums({}, true)).groups;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures the host's synchronous work for the page. The best round counts, since other programs run too. */
function holdsOfProject(records: readonly InvocationRecord[]): Measure[] {
  const state: ProjectState = {
    kind: "project",
    ...{ registry: "https://registry.example", account: userSession(), loadedAt: now },
    detail: {
      summary: { slug: "shop", name: "Shop", createdAt: 0 },
      ...{ skills: [], keys: [], updates: [], subscriptions: [] },
      invocations: [{ id: "s1", status: "success", skillSlug: "text-stats", createdAt: now }],
    },
  };
  const floors: number[] = [];
  const held: number[] = [];
  for (let round = 0; round < 2 * rounds; round += 1) {
    floors.push(floorMs());
    held.push(heldMs(() => projectUsage(state, records, now, english)));
  }
  const name = `host held by the project's record of ${count} invocations`;
  return [measureOf(name, held, allowed(unnoticedMs, 4, floors))];
}

function measureOf(name: string, times: readonly number[], peer: number): Measure {
  const ours = Math.min(...times);
  return { name, ours, peer, ratio: ours / peer, limit: 1 };
}

/**
 * Returns the allowed time in milliseconds: `ms`, or `times` the quickest floor if the machine is so busy that this is
 * more.
 */
function allowed(ms: number, times: number, floors: readonly number[]): number {
  return Math.max(ms, times * Math.min(...floors));
}
