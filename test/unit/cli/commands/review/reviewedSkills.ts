import type { Change } from "../../driftingRegistry";

/** The slugs of the reviewed skills. */
export const skills = [
  "burst-limited",
  "csv-profile",
  "draft-writer",
  "flaky-fetch",
  "json-diff",
  "market-data",
  "redact-pii",
  "slow-report",
  "sql-format",
  "text-stats",
];

/** Returns a change of members of a response. */
export const set =
  (changes: object): Change =>
  (body) => ({ ...body, ...changes });

/** Returns a change of members of a response and of its manifest. */
export const inManifest =
  (changes: object): Change =>
  (body) => ({
    ...body,
    ...changes,
    manifest: { ...(body["manifest"] as object), ...changes },
  });
