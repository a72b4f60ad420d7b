import type { JsonObject, JsonValue } from "../json/jsonValue";
import { isSameVersion } from "./isNewerVersion";
import type { Permissions } from "./permissions";

/** One row of a registry's list. A registry need not provide any member after `version`. */
export interface SkillSummary {
  /** Identifies the skill in routes and file names: `^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$` by the manifest's rule. */
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** A semantic version; empty if the registry gave none. */
  readonly version: string;
  /** An open set of words: draft, submitted, verified, deprecated, rejected, suspended or the registry's own. */
  readonly verificationStatus?: string;
  /** low, medium, high or the registry's own word: the level to show, from `skillLevel`. */
  readonly permissionLevel?: string;
  /** Whether the level was derived from the row's permissions, because the registry does not state it. */
  readonly isLevelDerived?: boolean;
  /** The registry's stated level, if the permissions amount to more. */
  readonly understatedLevel?: string;
  /** The skill's permissions, if its row has them or they were read later. */
  readonly permissions?: Permissions;
  /** http, mcp, local or the registry's own word. */
  readonly runtimeType?: string;
  /** The category a skill is listed under, such as `data`. */
  readonly task?: string;
  /** free, per_call, subscription or the registry's own word. */
  readonly billingModel?: string;
  readonly publisher?: Publisher;
  /** The skill's author, if its row has one or it was read later. */
  readonly author?: SkillAuthor;
  readonly numbers: SkillNumbers;
  /** Time of the last change in milliseconds since 1970. */
  readonly updatedAt?: number;
  /** Set if price and numbers are invented, as in the built-in registry. They are marked wherever they are shown. */
  readonly isSample?: true;
}

/** A registry's counts for a skill. A missing field means that the registry does not provide it. */
export interface SkillNumbers {
  readonly installs?: number;
  readonly calls?: number;
  /** 0 to 1. */
  readonly successRate?: number;
  readonly averageLatencyMs?: number;
  /** 1 to 5. */
  readonly averageRating?: number;
  readonly feedbackCount?: number;
}

/** The publisher of a skill. Members that the registry does not provide are left out. */
export interface Publisher {
  readonly name: string;
  readonly slug?: string;
  readonly verified?: boolean;
  /** pending, active, restricted, suspended or the registry's own word. */
  readonly status?: string;
  /** verified, active, limited, blocked or the registry's own word. */
  readonly trustLevel?: string;
  readonly url?: string;
  /** Slugs of the publisher's skills; empty if the registry does not list them. */
  readonly skillSlugs?: readonly string[];
  /** The number of the publisher's skills, which may exceed the listed ones. */
  readonly skillCount?: number;
}

/** The author of a skill as its manifest states it; no registry checks it. */
export interface SkillAuthor {
  readonly name: string;
  readonly url?: string;
}

/** Where a skill runs. `entry` is the entrypoint, server URL or (redacted) command. */
export interface SkillRuntime {
  readonly type: string;
  readonly entry?: string;
  /** The arguments of the command that the registry returns. */
  readonly args?: readonly string[];
  /** The number of further arguments that the registry redacts. */
  readonly redactedArgs?: number;
}

/** One price of a skill. `unitAmountCents` counts hundredths of `currency` per invocation or per month. */
export interface Price {
  readonly billingModel: string;
  readonly unitAmountCents?: number;
  readonly currency?: string;
  readonly status?: string;
}

/** A published version of a skill. */
export interface SkillVersion {
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly publishedAt?: number;
  readonly changes?: string;
  /** The registry's word for its state, such as `approved` or `rejected`; left out if it names none. */
  readonly status?: string;
}

/** An example input by the publisher, with its output if given. */
export interface SkillExample {
  readonly name: string;
  readonly input: JsonValue;
  readonly output?: JsonValue;
}

/** Feedback on a skill. `ratingBreakdown` maps stars (1 to 5) to counts. */
export interface Feedback {
  readonly averageRating?: number;
  readonly publishedCount?: number;
  readonly ratingBreakdown?: Readonly<Record<string, number>>;
  readonly entries: readonly FeedbackEntry[];
}

/** One published review. */
export interface FeedbackEntry {
  readonly rating?: number;
  readonly title?: string;
  readonly text: string;
  /** The purpose for which the author uses the skill. */
  readonly useCase?: string;
  readonly author?: string;
  /** The publisher's reply. */
  readonly reply?: string;
  /** Milliseconds since 1970. */
  readonly createdAt?: number;
}

/** A part of the page that has a source of its own and may be missing. */
export type SkillPart = "listing" | "prices" | "feedback" | "publisher";

/** Numbers that lost digits when they were read, in their shortened form; `many` if they are not listed. */
export type LossyNumbers = readonly number[] | "many";

/** Everything known about one version of a skill, merged from the registry's sources. */
export interface SkillDetail {
  readonly summary: SkillSummary;
  /**
   * The version that the registry offers now, which may be another one; undefined if the registry does not state it.
   */
  readonly latestVersion?: string;
  /** The manifest as the registry returned it. */
  readonly manifest: JsonObject;
  /** Undefined if the registry returned no input schema. Then nothing can be validated. */
  readonly inputSchema: JsonValue | undefined;
  readonly outputSchema: JsonValue | undefined;
  /**
   * Numbers of manifest and schemas, as read, whose literals have more digits than a number can hold; `many` beyond
   * 1,000. Left out for none.
   */
  readonly lossyNumbers?: LossyNumbers;
  /** Set if an object of the response has a name twice. Parsers differ in which value counts. */
  readonly repeatsNames?: true;
  /** Undefined if the registry does not provide the skill's permissions. */
  readonly permissions: Permissions | undefined;
  /**
   * Set if only the schemas of this version are known, from the registry's list for a Project Key. Then permissions and
   * runtime are unknown rather than not provided.
   */
  readonly isManifestUnknown?: true;
  /** Set for a manifest of the workspace, which no registry returned. No registry can invoke it. */
  readonly isLocal?: true;
  readonly runtime: SkillRuntime | undefined;
  readonly author?: SkillAuthor;
  /**
   * queued, in_review, approved, rejected, blocked or the registry's own word. A registry reviews only its latest
   * version; for other versions this is unknown.
   */
  readonly reviewState?: string;
  /** Milliseconds since 1970. */
  readonly reviewedAt?: number;
  /** Newest first; empty if the registry lists none. */
  readonly versions: readonly SkillVersion[];
  readonly examples: readonly SkillExample[];
  /** Undefined if the registry did not respond or has no such route. */
  readonly prices: readonly Price[] | undefined;
  readonly feedback: Feedback | undefined;
  readonly supportUrl?: string;
  /** The parts whose source is late or failed, so their content is unknown; left out if all responded. */
  readonly unanswered?: readonly SkillPart[];
  /**
   * Set if the registry's list of publishers names none for this skill: the publishers whose lists of skills are cut
   * off, or `any` if the list of publishers is. Each of them may be the publisher.
   */
  readonly cutOffPublishers?: readonly Pick<Publisher, "name" | "slug">[] | "any";
  /** The parts of `unanswered` that are still loading; left out for none. */
  readonly loading?: readonly SkillPart[];
  /** The version that the project in use runs, which may be another one; left out without a project. */
  readonly pinned?: PinnedVersion;
}

/** A version of a skill that a project has pinned. The project can invoke no other. */
export interface PinnedVersion {
  readonly version: string;
  /** The project's name. */
  readonly project: string;
}

/** A schema of a skill, with the numbers that lost digits. No verdict may depend on these numbers. */
export interface SkillSchema {
  /** Undefined if the registry gave none. */
  readonly schema: JsonValue | undefined;
  readonly lossyNumbers: LossyNumbers | undefined;
}

/** Returns the schema of a skill's payloads. */
export function inputSchemaOf({
  inputSchema,
  lossyNumbers,
}: Pick<SkillDetail, "inputSchema" | "lossyNumbers">): SkillSchema {
  return { schema: inputSchema, lossyNumbers };
}

/** Returns the schema of a skill's outputs. */
export function outputSchemaOf({ outputSchema, lossyNumbers }: SkillDetail): SkillSchema {
  return { schema: outputSchema, lossyNumbers };
}

/** Returns whether this is the version that the registry offers now. Its status and review belong to that version. */
export function isLatest({ summary: { version }, latestVersion }: SkillDetail): boolean {
  return latestVersion === undefined || version === "" || isSameVersion(version, latestVersion);
}
