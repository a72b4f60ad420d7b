import type { JsonObject, JsonValue } from "../../core/text/json";
import type { SkillRun } from "../runtime/skillRun";

/** A skill of the embedded registry: what it says of itself and its published versions. */
export interface Skill {
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** The task the skill is listed under. */
  readonly category: string;
  /** Slug of the publisher. */
  readonly publisher: string;
  readonly verificationStatus: "submitted" | "verified" | "deprecated";
  readonly reviewState: "queued" | "in_review" | "approved" | "rejected" | "blocked";
  /** ISO time; missing while the review goes on. */
  readonly reviewedAt?: string;
  readonly price: SkillPrice;
  /** What the demo project may use of the skill; missing limits mean none. */
  readonly limits?: SkillLimits;
  readonly numbers: SkillCounts;
  readonly feedback: readonly FeedbackEntry[];
  /** Newest first; the first one is the current version. */
  readonly releases: readonly [Release, ...Release[]];
}

/** One published version of a skill. */
export interface Release {
  readonly version: string;
  /** ISO time. */
  readonly publishedAt: string;
  readonly changes: string;
  readonly runtime: Runtime;
  readonly permissions: ManifestPermissions;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly examples: readonly Example[];
  /** Missing where the registry only records and meters the call. */
  readonly run?: SkillRun;
}

/** Where a version runs, in the manifest's own form. */
export type Runtime =
  | { readonly type: "http"; readonly entrypoint: string }
  | { readonly type: "mcp"; readonly serverUrl: string }
  | { readonly type: "local"; readonly command: string; readonly args: readonly string[] };

/** What a version may do, in the manifest's own form. */
export interface ManifestPermissions {
  readonly network: boolean;
  readonly browser: boolean;
  readonly filesystem: "none" | "read" | "write";
  readonly secrets: readonly string[];
}

/** An input of the publisher's and what it gives. */
export interface Example {
  readonly name: string;
  readonly input: JsonValue;
  readonly output?: JsonValue;
}

/** `unitAmountCents` counts US cents per call or per month; 0 for free skills. */
export interface SkillPrice {
  readonly billingModel: "free" | "per_call" | "subscription";
  readonly unitAmountCents: number;
}

/** Bounds of the demo project's use of a skill. */
export interface SkillLimits {
  /** Calls per rolling 60 seconds. */
  readonly callsPerMinute?: number;
  readonly monthlyBudgetCents?: number;
}

/** What the registry counted so far. `successRate` is 0 to 1, null where nothing ever ran. */
export interface SkillCounts {
  readonly installCount: number;
  readonly invocationCount: number;
  readonly successRate: number | null;
  readonly avgLatencyMs: number | null;
}

/** One published review; `rating` is 1 to 5 stars. */
export interface FeedbackEntry {
  readonly rating: number;
  readonly text: string;
  readonly author: string;
  /** ISO time. */
  readonly createdAt: string;
}
