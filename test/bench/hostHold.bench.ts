import { createHash } from "node:crypto";
import { termsOf } from "../../src/core/invocation/permission/terms";
import type { JsonObject, JsonValue } from "../../src/core/json/jsonValue";
import { KeyRedactor } from "../../src/core/registry/redactSecrets";
import { readReviews } from "../../src/core/review/files/reviewFiles";
import { whySchemaIsTooLarge } from "../../src/core/schema/schemaSize";
import { readContract } from "../../src/core/skill/compare/contract";
import { describeChanges } from "../../src/core/skill/compare/describeChanges";
import { describeSkill } from "../../src/core/skill/description/describeSkill";
import type { SkillDetail } from "../../src/core/skill/skill";
import type { Chunked } from "../../src/core/text/chunked";
import { english } from "../../src/core/text/language";
import { isSameSkill } from "../../src/host/inspect/skillDetails";
import { readInvokeResponse } from "../../src/registry/decode/readInvokeResponse";
import { fixtureNow, fullSkill } from "../fixtures/skillDetail";
import { floorMs, heldMs } from "./probes/held";
import type { Measure } from "./probes/measure";

/** The delay that nobody notices while typing, in milliseconds. */
const unnoticedMs = 50;

/** Schemas just below the client's limit of members and values, different for each `version` so that no cache helps. */
const schemas: Readonly<Record<string, (version: number) => JsonObject>> = {
  "24,900 properties": (version) => ({ properties: members(24_900, () => true), minimum: version }),
  "12,000 properties with a limit": (version) => ({
    properties: members(12_000, (at) => ({ maxLength: at + version })),
  }),
  "4,000 definitions that refer to each other": (version) => ({
    $ref: "#/$defs/p0",
    $defs: members(4000, (at) => ({
      title: `${version}`,
      properties: {
        a: { $ref: `#/$defs/p${at + 1}` },
        b: { $ref: `#/$defs/p${(at * 7) % 4000}` },
      },
    })),
  }),
  "119,000 required names": (version) => ({
    required: Array.from({ length: 119_000 }, (_, at) => `p${at + version}`),
  }),
  "12,000 alternatives": (version) => ({
    anyOf: Array.from({ length: 12_000 }, (_, at) => ({ title: `p${at}`, minimum: version })),
  }),
  "60 objects of 400": (version) => ({
    properties: members(60, () => ({ properties: members(400, () => true), maximum: version })),
  }),
  "290 objects of 40": (version) => ({
    properties: members(290, () => ({
      properties: members(40, () => ({ type: "string" })),
      maximum: version,
    })),
  }),
  "55,000 small lists": (version) => ({
    enum: Array.from({ length: 55_000 }, (_, at) => [at + version]),
  }),
  "200 references of 40,000 characters": (version) => ({
    properties: members(200, (at) => ({ $ref: `#/${"a/".repeat(20_000)}${at + version}` })),
  }),
  "8 MB of text": (version) => ({ description: "x\u202e".repeat(2_000_000), minimum: version }),
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The synchronous work that the editor waits for. */
const works: Readonly<Record<string, (before: SkillDetail, after: SkillDetail) => unknown>> = {
  description: (before) =>
    describeSkill(before, {
      registry: { name: "registry.example", builtIn: false },
      now: fixtureNow,
      language: english,
    }),
  comparison: (before, after) => describeChanges(before, after, english),
  "reading again": isSameSkill,
  "contract hash": (before) => readContract(before, sha256),
  terms: (before) => termsOf("registry.example", before),
  "sending to the thread": ({ inputSchema }) =>
    whySchemaIsTooLarge(inputSchema) ?? JSON.stringify(inputSchema),
};

/** Measures how long the largest skills and review files block an extension host. */
export async function run(): Promise<Measure[]> {
  const skills = Object.entries(works).flatMap(([what, work]) =>
    Object.entries(schemas).map(([name, make]) => {
      const runs = Array.from({ length: 9 }, () => [timeOf(work, make), floorMs()] as const);
      const ours = Math.min(...runs.map(([time]) => time));
      const peer = allowedMs(runs.map(([, time]) => time));
      return { name: `host held by ${what} of ${name}`, ours, peer, ratio: ours / peer, limit: 1 };
    }),
  );
  const reviews = manyReviews();
  const answer = longAnswer();
  const chunked = {
    "19,000 reviews": longestChunk(() => readReviews(reviews, english)),
    "an invocation's answer of 10 MB": longestChunk(() => readAndRedact(answer)),
  };
  const read = Object.entries(chunked).map(([what, { ours, peer }]) => {
    const name = `host held by reading ${what}`;
    return { name, ours, peer, ratio: ours / peer, limit: 1 };
  });
  return [...skills, ...read];
}

/**
 * Returns a response of rows of about 80 bytes with letters beyond ASCII, since V8 keeps such a text in twice the
 * bytes.
 */
function longAnswer(): Buffer {
  const rows = Array.from({ length: 120_000 }, (_, id) => ({
    id,
    name: `Row "${id}" – Zürich`,
    price: id / 7,
    tags: ["a", "b"],
  }));
  return Buffer.from(JSON.stringify({ invocationId: "inv-1", status: "success", output: rows }));
}

function* readAndRedact(answer: Buffer): Chunked<void> {
  const redactor = new KeyRedactor(`skh_${"0123456789abcdef".repeat(4)}`);
  const { outputText } = yield* readInvokeResponse(answer, redactor);
  yield* redactor.redactChunked(outputText ?? "");
}

/** Returns a review file with about the maximum size. */
function manyReviews(): string {
  const review = {
    kind: "version",
    skill: "text-stats",
    version: "1.0.0",
    registry: "https://registry.example",
    contract: `contract-v1:sha256-${"0".repeat(64)}`,
    criteria: ["safe-to-try"],
    who: "Ann Example <ann@example.com>",
    when: "2026-01-02T03:04:05Z",
    notes: "Schemas and permissions were read, and what the publisher says of them.",
  };
  return JSON.stringify({ format: 1, reviews: Array(19_000).fill(review) }, undefined, 2);
}

/**
 * Returns the longest step of chunked work, in milliseconds. Each step counts with its best run, since other programs
 * run too.
 */
function longestChunk(start: () => Chunked<unknown>): { ours: number; peer: number } {
  const best: number[] = [];
  const floors: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    floors.push(floorMs());
    const work = start();
    for (let at = 0, isDone: boolean | undefined = false; !isDone; at += 1) {
      const before = performance.now();
      isDone = work.next().done;
      best[at] = Math.min(best[at] ?? Number.POSITIVE_INFINITY, performance.now() - before);
    }
  }
  return { ours: Math.max(...best), peer: allowedMs(floors) };
}

/**
 * Returns how long the host may be blocked, in milliseconds: the unnoticed delay, or four times the quickest floor if
 * the machine is so slow or busy that this is more. An idle machine of 2026 needs about 12 ms for a floor.
 */
function allowedMs(floors: readonly number[]): number {
  return Math.max(unnoticedMs, 4 * Math.min(...floors));
}

/** Measures how long work with uncached skills blocks its thread, in milliseconds. */
function timeOf(
  work: (before: SkillDetail, after: SkillDetail) => unknown,
  make: (version: number) => JsonObject,
): number {
  const skill = (version: number): SkillDetail => {
    const inputSchema = JSON.parse(JSON.stringify(make(version))) as JsonObject;
    return { ...fullSkill, inputSchema, manifest: { inputSchema } };
  };
  const [before, after] = [skill(1), skill(1)];
  const other = work === works["comparison"] ? skill(2) : after;
  return heldMs(() => work(before, other));
}

function members(count: number, make: (at: number) => JsonValue): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, make(at)]));
}
