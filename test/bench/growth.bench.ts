import { createHash } from "node:crypto";
import { declaredProperties } from "../../src/core/form/declaredProperties";
import { KeyRedactor } from "../../src/core/registry/redactSecrets";
import { checkTeam } from "../../src/core/review/checkTeam";
import { coverageOf } from "../../src/core/review/coverage";
import {
  type ReviewPolicy,
  type VersionReview,
  writeTeamFile,
} from "../../src/core/review/files/reviewFiles";
import { loadReviewFolder, type TeamText } from "../../src/core/review/files/reviewFolder";
import { firstPolicy } from "../../src/core/review/newReview";
import { testableSchema } from "../../src/core/schema/read/testableSchema";
import { runSync } from "../../src/core/text/chunked";
import { english } from "../../src/core/text/language";
import { reviewedSkill } from "../unit/core/review/reviewedSkill";
import type { Measure } from "./probes/measure";

const registry = "https://registry.example";
const today = "2026-11-22";
const criteria = Array.from({ length: 50 }, (_, at) => `c${at}`);

/** Works on `count` things of a kind that grows with a team or a registry. */
type Work = (count: number) => unknown;

/** The kinds of work: for few things and for many, with how many times as long the many may take. */
const works: Readonly<
  Record<string, readonly [work: Work, few: number, many: number, limit: number]>
> = {
  "the check of a team's skills": [teamCheck, 500, 2000, 8],
  "what covers a version, by steps in the worst order": [coveredBySteps, 4000, 16_000, 8],
  // Implied criteria are followed once, however many publishers are trusted.
  "what covers a version, by trusted publishers": [coveredByPublishers, 125, 500, 2.5],
  "contracts that are missing, by registries": [missingContracts, 4000, 16_000, 8],
  // The escapes of a text are decoded once for all keys.
  "a text in which keys are looked for, by keys": [keysIn, 1, 50, 15],
  "the properties that branches of branches declare": [branchedProperties, 24, 96, 8],
};

/** Measures work that grows with a team's use, each against the same work for few things. */
export async function run(): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const [name, [work, few, many, limit]] of Object.entries(works)) {
    let [ours, peer] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < 5; round += 1) {
      peer = Math.min(peer, await timeOf(work, few));
      ours = Math.min(ours, await timeOf(work, many));
    }
    measures.push({ name: `growth of ${name}`, ours, peer, ratio: ours / peer, limit });
  }
  return measures;
}

async function timeOf(work: Work, count: number): Promise<number> {
  const start = performance.now();
  await work(count);
  return performance.now() - start;
}

function review(more: Partial<VersionReview>): VersionReview {
  return {
    kind: more.from === undefined ? "version" : "step",
    skill: "text-stats",
    version: "1.0.0",
    registry,
    contract: `contract-v1:sha256-${"0".repeat(64)}`,
    criteria: ["safe-to-try"],
    who: "Ann",
    when: "2026-01-01T00:00:00Z",
    ...more,
  };
}

/** Each criterion implies all others but the last, and all are required. */
const policy: ReviewPolicy = {
  criteria: Object.fromEntries(
    criteria.map((one) => [one, { description: one, implies: criteria.slice(0, -1) }]),
  ),
  require: criteria,
};

function teamCheck(count: number) {
  const reviews = Array.from({ length: count }, (_, at) => review({ skill: `skill-${at}` }));
  return checkTeam({
    files: { policy: firstPolicy(), reviews, contracts: new Map() },
    reviewsText: writeTeamFile({ format: 1, reviews }),
    usingFiles: [],
    hasMoreFiles: false,
    readText: () => Promise.reject(new Error("There are none.")),
    read: async ({ slug }) => ({ ok: true, value: reviewedSkill({}, { slug }) }),
    digest: (text) => createHash("sha256").update(text).digest("hex"),
    registry,
    today,
    language: english,
  });
}

function coveredBySteps(count: number) {
  const steps = Array.from({ length: count }, (_, at) =>
    review({ version: `1.0.${at + 1}`, from: `1.0.${at}`, criteria }),
  );
  const files = {
    policy,
    reviews: [...steps.toReversed(), review({ criteria })],
    contracts: new Map(),
  };
  return coverageOf(
    files,
    { slug: "text-stats", version: `1.0.${count}`, registry, publisher: null },
    today,
  );
}

function coveredByPublishers(count: number) {
  const trustedPublishers = Array.from({ length: count }, (_, at) => ({
    publisher: `p${at}`,
    criteria: criteria.slice(0, -1),
    reason: "Ours.",
    from: "2026-01-01",
    until: "2026-12-31",
  }));
  const files = { policy: { ...policy, trustedPublishers }, reviews: [], contracts: new Map() };
  return coverageOf(
    files,
    { slug: "text-stats", version: "1.0.0", registry, publisher: undefined },
    today,
  );
}

function missingContracts(count: number) {
  const reviews = Array.from({ length: count }, (_, at) =>
    review({ skill: `skill-${at % 4}`, registry: `https://registry-${at}.example` }),
  );
  const texts: Readonly<Record<string, string>> = {
    "policy.json": writeTeamFile(firstPolicy()),
    "reviews.json": JSON.stringify({ format: 1, reviews }),
  };
  const reader = {
    list: async () => [],
    read: async (name: string): Promise<TeamText> => {
      const text = texts[name];
      return text === undefined ? { kind: "none" } : { kind: "text", text };
    },
    work: async <Value>(work: Parameters<typeof runSync<Value>>[0]) => runSync(work),
  };
  return loadReviewFolder(reader, (text) => text, english);
}

const escaped = "https://x.example/a%20b ".repeat(20_000);

function keysIn(count: number) {
  const keys = Array.from({ length: count }, (_, at) => `skh_${String(at).padStart(64, "0")}`);
  return new KeyRedactor(...keys).holds(escaped);
}

function branchedProperties(levels: number) {
  const text = { type: "string" };
  const level = (at: number) => {
    const below = { $ref: `#/$defs/l${at + 1}` };
    const oneOf = ["1", "2"].map((title) => ({ ...below, title }));
    return { type: "object", properties: { [`p${at}`]: text }, oneOf };
  };
  const all = Object.fromEntries(Array.from({ length: levels }, (_, at) => [`l${at}`, level(at)]));
  const end = { type: "object", properties: { end: text } };
  return declaredProperties(
    testableSchema({ $ref: "#/$defs/l0", $defs: { ...all, [`l${levels}`]: end } }),
    '{"end": "a"}',
  );
}
