import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { SkillSummary } from "../../src/core/skill/skill";
import { type ListRow, topRows } from "../../src/core/skillList/rows/skillRows";
import {
  branchText,
  moreRowText,
  type RowText,
  skillRowText,
} from "../../src/core/skillList/rows/skillRowText";
import { loadPages, type SkillList, startList } from "../../src/core/skillList/skillList";
import {
  plainArrangement,
  type SkillOrder,
  SortedSkills,
} from "../../src/core/skillList/skillOrder";
import { english } from "../../src/core/text/language";
import type { RegistryClient } from "../../src/registry/registryClient";
import { clientFor, never } from "../fixtures/registries/clientFor";
import type { Measure } from "./probes/measure";

const rounds = 60;
const query = { text: "", filters: {} };

/**
 * Measures the list of a registry with 100,000 skills against a small registry, and against a provider that shows all
 * rows at once.
 */
export async function run(): Promise<readonly Measure[]> {
  const many = await startRegistry(100_000);
  const few = await startRegistry(100);
  const measures = [
    ...(await firstPage(many, few)),
    await loopHold(many, "recommended"),
    await loopHold(many, "name"),
    await memory(many),
  ];
  await Promise.all([many.close(), few.close()]);
  return measures;
}

/**
 * Measures the time from the request to drawn rows. Both registries take turns, so that a slow moment of the machine
 * affects both.
 */
async function firstPage(many: Registry, few: Registry): Promise<readonly Measure[]> {
  const ours: number[] = [];
  const peer: number[] = [];
  for (let round = -10; round < rounds; round += 1) {
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const started = performance.now();
      drawn((await firstList((which === 0 ? many : few).client)).list);
      if (round >= 0) (which === 0 ? ours : peer).push(performance.now() - started);
    }
  }
  const naive: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const started = performance.now();
    await everything(many.url);
    naive.push(performance.now() - started);
  }
  const shown = quiet(ours);
  return [
    measure("first page of 100,000 skills against one of 100, ms", shown, quiet(peer), 1.2),
    measure("first page of 100,000 skills against showing all, ms", shown, quiet(naive), 0.1),
  ];
}

/**
 * Measures how long loading 10,000 rows blocks the event loop, against a frame. The best of five passes counts, since
 * other programs run too.
 */
async function loopHold(registry: Registry, order: "recommended" | "name"): Promise<Measure> {
  const passes: number[] = [];
  while (passes.length < 5) passes.push(await heldWhileLoading(registry, order));
  const how = order === "name" ? " by name" : "";
  const name = `loop held while 10,000 rows are loaded${how}, p99, ms against a frame`;
  return measure(name, Math.min(...passes), 16, 1);
}

/** Loads 10,000 rows step by step and returns the 99th percentile of the event loop's delay, in milliseconds. */
async function heldWhileLoading({ client }: Registry, order: SkillOrder): Promise<number> {
  const sorted = new SortedSkills();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const { list: first, ask } = await firstList(client);
  let list = first;
  delay.enable();
  while (list.skills.length < 10_000) {
    ({ list } = await loadPages(list, 500, ask, never));
    drawn(list, sorted.of(list, order, english));
    await nextTurn();
  }
  delay.disable();
  return delay.percentile(99) / 1e6;
}

/** Measures the memory that the first page keeps, against the memory of showing all rows. */
async function memory(many: Registry): Promise<Measure> {
  const shown = await heldBy(20, async () => {
    const { list } = await firstList(many.client);
    return { list, rows: drawn(list) };
  });
  const naive = await heldBy(2, () => everything(many.url));
  return measure("memory held by 100,000 skills, MB against showing all", shown, naive, 0.05);
}

async function firstList(client: RegistryClient) {
  const page = await client.search(query, undefined, never);
  if (!page.ok) throw new Error(`The list failed: ${page.failure.kind}.`);
  const ask = (cursor: string) => client.search(query, cursor, never);
  return { list: startList(page.value), ask };
}

/** Does all the work of drawing before rows are passed to the editor. */
function drawn(list: SkillList, skills = list.skills): readonly RowText[] {
  const source = {
    list,
    skills,
    arrangement: plainArrangement,
    favorites: [],
    isUnrestricted: true,
    language: english,
  };
  return topRows(source).map(wordsOf);
}

function wordsOf(row: ListRow): RowText {
  switch (row.kind) {
    case "skill":
      return skillRowText(row, english);
    case "branch":
      return branchText(row, english);
    case "more":
      return moreRowText(row, english);
  }
}

/** The naive provider: requests, parses and draws all skills at once. */
async function everything(url: string): Promise<readonly RowText[]> {
  const answer = await fetch(`${url}/v1/skills/search?limit=100000`);
  const { skills } = (await answer.json()) as { skills: readonly SkillSummary[] };
  return skills.map((skill) => skillRowText({ kind: "skill", skill, isFavorite: false }, english));
}

/** Returns the megabytes that one result of `make` keeps in memory, as the mean over `times` results. */
async function heldBy(times: number, make: () => Promise<unknown>): Promise<number> {
  await make();
  const before = await settledHeap();
  const held: unknown[] = [];
  while (held.length < times) held.push(await make());
  const after = await settledHeap();
  return (after - before) / held.length;
}

async function settledHeap(): Promise<number> {
  const { setFlagsFromString } = await import("node:v8");
  const { runInNewContext } = await import("node:vm");
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let times = 0; times < 3; times += 1) {
    collect();
    await nextTurn();
  }
  return process.memoryUsage().heapUsed / 1e6;
}

function measure(name: string, ours: number, peer: number, limit: number): Measure {
  return { name, ours, peer, ratio: ours / peer, limit };
}

/** Returns the 20th percentile: the quickest fifth is least disturbed by other programs. */
function quiet(figures: number[]): number {
  return figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 5)] ?? 0;
}

interface Registry {
  readonly url: string;
  readonly client: RegistryClient;
  close(): Promise<void>;
}

const serverSource = `
  const { createServer } = require("node:http");
  const { parentPort, workerData: total } = require("node:worker_threads");
  const row = (index) => ({
    slug: "skill-" + String(index).padStart(6, "0"),
    displayName: "Skill number " + index,
    description: "Does what skill number " + index + " does, for somebody who needs it done.",
    tags: ["tag" + (index % 9), "data"],
    version: "1." + (index % 20) + ".0",
    verificationStatus: ["verified", "submitted", "deprecated"][index % 3],
    permissionLevel: ["low", "medium", "high"][index % 3],
    runtimeType: "http",
    billingModel: "free",
    publisher: { name: "Publisher " + (index % 50) },
    installCount: index,
    updatedAt: "2026-11-20T09:00:07Z",
  });
  const server = createServer((request, response) => {
    const asked = new URL(request.url, "http://registry").searchParams;
    const start = Number(asked.get("cursor") ?? 0);
    const end = Math.min(total, start + Number(asked.get("limit")));
    const skills = Array.from({ length: end - start }, (_, index) => row(start + index));
    const next = end < total ? { nextCursor: String(end) } : {};
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ skills, total, ...next }));
  });
  // An idle connection must survive while the other side is measured.
  server.keepAliveTimeout = 120000;
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

/** Starts a registry in a separate thread, so that its work is not counted as the list's. */
async function startRegistry(total: number): Promise<Registry> {
  const worker = new Worker(serverSource, { eval: true, workerData: total });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  const url = `http://127.0.0.1:${port}`;
  const client = clientFor(url, { maxResponseBytes: 10_000_000 });
  return {
    url,
    client,
    close: async () => {
      client.close();
      await worker.terminate();
    },
  };
}
