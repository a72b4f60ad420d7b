import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { coverageOf, type ReviewFiles } from "../../../../src/core/review/coverage";
import type {
  Review,
  ReviewPolicy,
  VersionReview,
} from "../../../../src/core/review/files/reviewFiles";
import { rowStanding } from "../../../../src/core/review/teamStanding";
import { propertyRuns } from "../../../fixtures/propertyRuns";
import { reviewedSkill } from "./reviewedSkill";

const registry = "https://registry.example";
const today = "2026-11-22";
const hash = `contract-v1:sha256-${"0".repeat(64)}`;

function review(version: string, more: Partial<VersionReview> = {}): VersionReview {
  return {
    kind: more.from === undefined ? "version" : "step",
    skill: "text-stats",
    version,
    registry,
    contract: hash,
    criteria: ["c0"],
    who: "Ann",
    when: "2026-01-01T00:00:00Z",
    ...more,
  };
}

/** Returns a policy of `count` criteria, each of which implies all others, that requires all of them. */
function policyOf(count: number): ReviewPolicy {
  const names = Array.from({ length: count }, (_, at) => `c${at}`);
  return {
    criteria: Object.fromEntries(names.map((one) => [one, { description: one, implies: names }])),
    require: names,
  };
}

function filesOf(policy: ReviewPolicy, reviews: readonly Review[]): ReviewFiles {
  return { policy, reviews, contracts: new Map() };
}

function coverage(files: ReviewFiles, version: string) {
  return coverageOf(files, { slug: "text-stats", version, registry, publisher: null }, today);
}

/** Returns the latest end of validity among all chains of steps to a version; undefined if there is no chain. */
function longestChain(
  reviews: readonly VersionReview[],
  version: string,
  passed: readonly string[] = [],
): string | undefined {
  const ends = reviews.flatMap(({ from, version: to, until = "forever" }) => {
    if (to !== version || passed.includes(version)) return [];
    if (from === undefined) return [until];
    const before = longestChain(reviews, from, [...passed, version]);
    return before === undefined ? [] : [before < until ? before : until];
  });
  return ends.toSorted().at(-1);
}

describe("steps between reviewed versions", () => {
  it("form the chain that is valid the longest, in any order", () => {
    let random = 1;
    const next = (below: number) => {
      random = (random * 48_271) % 2_147_483_647;
      return random % below;
    };
    const kinds = new Set<string>();
    for (let run = 0; run < propertyRuns(4000); run += 1) {
      const reviews = Array.from({ length: 1 + next(9) }, () => {
        const from = next(3) === 0 ? {} : { from: `v${next(5)}` };
        const until = next(3) === 0 ? {} : { until: `2026-${10 + next(3)}-${10 + next(20)}` };
        return review(`v${next(5)}`, { ...from, ...until });
      });
      const expected = longestChain(reviews, "v0");
      const found = coverage(filesOf(policyOf(1), reviews), "v0");
      kinds.add(found.kind);
      assert.deepEqual(
        found,
        expected === undefined
          ? { kind: "missing", criteria: ["c0"] }
          : expected >= today
            ? { kind: "covered", by: "review" }
            : { kind: "expired", by: "review", until: expected },
        JSON.stringify(reviews),
      );
    }
    assert.deepEqual([...kinds].toSorted(), ["covered", "expired", "missing"]);
  });

  it("cover a version, even if there are many in the worst order", () => {
    const many = 19_000;
    const names = Array.from({ length: 50 }, (_, at) => `c${at}`);
    const steps = Array.from({ length: many }, (_, at) =>
      review(`1.0.${at + 1}`, { from: `1.0.${at}`, criteria: names }),
    );
    const files = filesOf(policyOf(50), [
      ...steps.toReversed(),
      review("1.0.0", { criteria: names }),
    ]);
    const summary = { ...reviewedSkill().summary, version: `1.0.${many}` };
    assert.equal(rowStanding({ files: [files], broken: [], registry }, summary, today), "reviewed");
  });
});

describe("a version with an unknown publisher", () => {
  it("may be covered by trust if some publisher is trusted for all missing criteria", () => {
    const trusted = { publisher: "p", criteria: ["c0"], reason: "Ours.", from: "2026-01-01" };
    const trustedPublishers = [{ ...trusted, until: "2026-12-31" }];
    const files = filesOf({ ...policyOf(2), trustedPublishers }, []);
    const version = { slug: "text-stats", version: "1.0.0", registry, publisher: undefined };
    assert.equal(coverageOf(files, version, today).kind, "publisherUnknown");
    assert.equal(coverageOf(files, { ...version, publisher: "q" }, today).kind, "missing");
  });
});
