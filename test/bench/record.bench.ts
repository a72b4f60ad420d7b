import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type InvocationRecord,
  newRecordId,
} from "../../src/core/invocation/record/invocationRecord";
import { InvocationStore } from "../../src/engine/record/invocationStore";
import { pastInvocation } from "../fixtures/pastInvocation";
import type { Measure } from "./probes/measure";

const count = 1000;
const rounds = 9;
/** What a reader does not notice. */
const limitMs = 100;

/** Measures how long the record of a thousand calls takes to load in a window that never read it. */
export async function run(): Promise<Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), "record-"));
  try {
    await write(new InvocationStore(folder));
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const started = performance.now();
      const { records } = await new InvocationStore(folder).list(count);
      times.push(performance.now() - started);
      if (records.length !== count) throw new Error(`${records.length} records were read.`);
    }
    const ours = times.sort((left, right) => left - right)[Math.floor(rounds / 2)] ?? 0;
    const name = `load ${count} records of past calls, ms`;
    return [{ name, ours, peer: limitMs, ratio: ours / limitMs, limit: 1 }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function write(store: InvocationStore): Promise<void> {
  const inputText = JSON.stringify({ text: "One two three. ".repeat(100) });
  const outputText = JSON.stringify({ words: "x".repeat(10_000) });
  for (let index = 0; index < count; index += 50) {
    const batch = Array.from({ length: 50 }, (_, offset) => record(index + offset));
    await Promise.all(batch.map((facts) => store.write(facts, { inputText, outputText })));
  }
}

function record(index: number): InvocationRecord {
  const startedAt = 1_763_634_151_512 + index * 60_000;
  const digest = "3b8f".repeat(16);
  return pastInvocation(startedAt, {
    id: newRecordId(startedAt, "0a1b2c3d-4e5f"),
    endsBefore: startedAt + 130_000,
    registry: "https://registry.example.com",
    skillSlug: `skill-${index % 20}`,
    version: "1.0.0",
    status: index % 7 === 0 ? "blocked" : "success",
    durationMs: 12.5,
    invocationId: "63615c78-5f16-42fe-bc72-2c2f96566619",
    message: "What the registry said of it, in a sentence or two as they come.",
    contractHash: digest,
    requestSha256: digest,
    responseSha256: digest,
  });
}
