import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import burstLimitedListing from "../skills/burst-limited/listing.json";
import { run as burstLimitedRun } from "../skills/burst-limited/run";
import burstLimited from "../skills/burst-limited/skillhub.json";
import csvProfileListing from "../skills/csv-profile/listing.json";
import { run as csvProfileRun } from "../skills/csv-profile/run";
import csvProfile from "../skills/csv-profile/skillhub.json";
import draftWriterListing from "../skills/draft-writer/listing.json";
import draftWriter from "../skills/draft-writer/skillhub.json";
import flakyFetchListing from "../skills/flaky-fetch/listing.json";
import { run as flakyFetchRun } from "../skills/flaky-fetch/run";
import flakyFetch from "../skills/flaky-fetch/skillhub.json";
import jsonDiffListing from "../skills/json-diff/listing.json";
import { run as jsonDiffRun } from "../skills/json-diff/run";
import jsonDiff from "../skills/json-diff/skillhub.json";
import marketDataListing from "../skills/market-data/listing.json";
import { run as marketDataRun } from "../skills/market-data/run";
import marketData from "../skills/market-data/skillhub.json";
import redactPiiListing from "../skills/redact-pii/listing.json";
import { run as redactPiiRun } from "../skills/redact-pii/run";
import redactPii from "../skills/redact-pii/skillhub.json";
import type { SkillRun } from "../skills/skillRun";
import slowReportListing from "../skills/slow-report/listing.json";
import { run as slowReportRun } from "../skills/slow-report/run";
import slowReport from "../skills/slow-report/skillhub.json";
import sqlFormatListing from "../skills/sql-format/listing.json";
import { run as sqlFormatRun } from "../skills/sql-format/run";
import sqlFormat from "../skills/sql-format/skillhub.json";
import statusNoticeListing from "../skills/status-notice/listing.json";
import { run as statusNoticeRun } from "../skills/status-notice/run";
import statusNotice from "../skills/status-notice/skillhub.json";
import textStatsListing from "../skills/text-stats/listing.json";
import { run as textStatsRun } from "../skills/text-stats/run";
import textStats from "../skills/text-stats/skillhub.json";
import vaultRotateListing from "../skills/vault-rotate/listing.json";
import { run as vaultRotateRun } from "../skills/vault-rotate/run";
import vaultRotate from "../skills/vault-rotate/skillhub.json";

/** Every skill of the embedded registry, by slug. */
export const catalog: readonly Skill[] = [
  readSampleSkill(burstLimited as Manifest, burstLimitedListing as Listing, burstLimitedRun),
  readSampleSkill(csvProfile as Manifest, csvProfileListing as Listing, csvProfileRun),
  readSampleSkill(draftWriter as Manifest, draftWriterListing as Listing),
  readSampleSkill(flakyFetch as Manifest, flakyFetchListing as Listing, flakyFetchRun),
  readSampleSkill(jsonDiff as Manifest, jsonDiffListing as Listing, jsonDiffRun),
  readSampleSkill(marketData as Manifest, marketDataListing as Listing, marketDataRun),
  readSampleSkill(redactPii as Manifest, redactPiiListing as Listing, redactPiiRun),
  readSampleSkill(slowReport as Manifest, slowReportListing as Listing, slowReportRun),
  readSampleSkill(sqlFormat as Manifest, sqlFormatListing as Listing, sqlFormatRun),
  readSampleSkill(statusNotice as Manifest, statusNoticeListing as Listing, statusNoticeRun),
  readSampleSkill(textStats as Manifest, textStatsListing as Listing, textStatsRun),
  readSampleSkill(vaultRotate as Manifest, vaultRotateListing as Listing, vaultRotateRun),
];

/** Finds a skill by its slug. */
export function findSkill(slug: unknown): Skill | undefined {
  return catalog.find((skill) => skill.slug === slug);
}

/** Finds a version of a skill. */
export function findRelease(skill: Skill, version: unknown): Release | undefined {
  return skill.releases.find(({ manifest }) => manifest.version === version);
}

/** A skill of the embedded registry: its listing and its published versions. */
export interface Skill extends Omit<Listing, "older" | "publishedAt" | "changes" | "examples"> {
  readonly slug: string;
  /** Newest first: the first one is the current version. */
  readonly releases: readonly [Release, ...Release[]];
  /** Runs any version, whatever its runtime. Missing if the skill runs elsewhere. */
  readonly run?: SkillRun<never>;
}

/** One published version of a skill. `publishedAt` is an ISO time. */
export interface Release {
  readonly manifest: Manifest;
  readonly publishedAt: string;
  readonly changes: string;
  /** Example inputs by the publisher, with their outputs. */
  readonly examples: readonly {
    readonly name: string;
    readonly input: JsonValue;
    readonly output?: JsonValue;
  }[];
}

/** `skillhub.json` as its publisher submits it, unredacted. */
export interface Manifest {
  readonly schemaVersion: "0.1";
  readonly name: string;
  readonly displayName: string;
  readonly version: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly author?: { readonly name: string; readonly url?: string };
  readonly runtime:
    | { readonly type: "http"; readonly entrypoint: string }
    | { readonly type: "mcp"; readonly serverUrl: string }
    | { readonly type: "local"; readonly command: string; readonly args: readonly string[] };
  readonly permissions: {
    readonly network: boolean;
    readonly browser: boolean;
    readonly filesystem: "none" | "read" | "write";
    readonly secrets: readonly string[];
  };
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
}

/** `listing.json`: the registry's data about a skill besides its current manifest. */
interface Listing {
  readonly category: string;
  readonly publisher: string;
  readonly verificationStatus: "submitted" | "verified" | "deprecated";
  readonly reviewState: "in_review" | "approved";
  /** ISO time; missing during the review. */
  readonly reviewedAt?: string;
  /** `unitAmountCents` is in US cents per invocation or per month; 0 for free skills. */
  readonly price: {
    readonly billingModel: "free" | "per_call" | "subscription";
    readonly unitAmountCents: number;
  };
  /** `successRate` is 0 to 1, or null if the skill never ran. */
  readonly counts: {
    readonly installCount: number;
    readonly invocationCount: number;
    readonly successRate: number | null;
    readonly avgLatencyMs: number | null;
  };
  /** Published reviews; `rating` is 1 to 5 stars, `createdAt` an ISO time. */
  readonly feedback: readonly {
    readonly rating: number;
    readonly text: string;
    readonly author: string;
    readonly createdAt: string;
  }[];
  readonly publishedAt: string;
  readonly changes: string;
  readonly examples: Release["examples"];
  /** Older versions, newest first. Each manifest has only its differences from the current one. */
  readonly older?: readonly (Omit<Release, "manifest"> & {
    readonly manifest: Partial<Manifest> & Pick<Manifest, "version">;
  })[];
}

/** Builds a skill from the files of its folder. */
function readSampleSkill(
  manifest: Manifest,
  { older = [], publishedAt, changes, examples, ...listing }: Listing,
  run?: SkillRun<never>,
): Skill {
  const current = { manifest, publishedAt, changes, examples };
  const earlier = older.map((release) => ({
    ...release,
    manifest: { ...manifest, ...release.manifest },
  }));
  return {
    ...listing,
    slug: manifest.name,
    releases: [current, ...earlier],
    ...(run !== undefined && { run }),
  };
}
