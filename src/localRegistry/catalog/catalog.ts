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
import marketData from "../skills/market-data/skillhub.json";
import redactPiiListing from "../skills/redact-pii/listing.json";
import { run as redactPiiRun } from "../skills/redact-pii/run";
import redactPii from "../skills/redact-pii/skillhub.json";
import slowReportListing from "../skills/slow-report/listing.json";
import { run as slowReportRun } from "../skills/slow-report/run";
import slowReport from "../skills/slow-report/skillhub.json";
import sqlFormatListing from "../skills/sql-format/listing.json";
import sqlFormat from "../skills/sql-format/skillhub.json";
import statusNoticeListing from "../skills/status-notice/listing.json";
import { run as statusNoticeRun } from "../skills/status-notice/run";
import statusNotice from "../skills/status-notice/skillhub.json";
import textStatsListing from "../skills/text-stats/listing.json";
import { run as textStatsRun } from "../skills/text-stats/run";
import textStats from "../skills/text-stats/skillhub.json";
import vaultRotateListing from "../skills/vault-rotate/listing.json";
import vaultRotate from "../skills/vault-rotate/skillhub.json";
import {
  type Listing,
  type Manifest,
  type Release,
  readSampleSkill,
  type Skill,
} from "./sampleSkill";

/** Every skill of the embedded registry, by slug. */
export const catalog: readonly Skill[] = [
  readSampleSkill(burstLimited as Manifest, burstLimitedListing as Listing, burstLimitedRun),
  readSampleSkill(csvProfile as Manifest, csvProfileListing as Listing, csvProfileRun),
  readSampleSkill(draftWriter as Manifest, draftWriterListing as Listing),
  readSampleSkill(flakyFetch as Manifest, flakyFetchListing as Listing, flakyFetchRun),
  readSampleSkill(jsonDiff as Manifest, jsonDiffListing as Listing, jsonDiffRun),
  readSampleSkill(marketData as Manifest, marketDataListing as Listing),
  readSampleSkill(redactPii as Manifest, redactPiiListing as Listing, redactPiiRun),
  readSampleSkill(slowReport as Manifest, slowReportListing as Listing, slowReportRun),
  readSampleSkill(sqlFormat as Manifest, sqlFormatListing as Listing),
  readSampleSkill(statusNotice as Manifest, statusNoticeListing as Listing, statusNoticeRun),
  readSampleSkill(textStats as Manifest, textStatsListing as Listing, textStatsRun),
  readSampleSkill(vaultRotate as Manifest, vaultRotateListing as Listing),
];

/** Finds a skill by its slug. */
export function findSkill(slug: unknown): Skill | undefined {
  return catalog.find((skill) => skill.slug === slug);
}

/** Finds a version of a skill. */
export function findRelease(skill: Skill, version: unknown): Release | undefined {
  return skill.releases.find(({ manifest }) => manifest.version === version);
}
