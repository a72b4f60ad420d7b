import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import type { SkillRun } from "../skills/skillRun";

/** A skill of the embedded registry: its listing and its published versions. */
export interface Skill extends Omit<Listing, "older" | "publishedAt" | "changes" | "examples"> {
  readonly slug: string;
  /** Newest first; the first one is the current version. */
  readonly releases: readonly [Release, ...Release[]];
  /** Runs every version that has the runtime `http`; missing where there is none. */
  readonly run?: SkillRun<never>;
}

/** One published version of a skill. `publishedAt` is an ISO time. */
export interface Release {
  readonly manifest: Manifest;
  readonly publishedAt: string;
  readonly changes: string;
  /** Inputs of the publisher's and what they give. */
  readonly examples: readonly {
    readonly name: string;
    readonly input: JsonValue;
    readonly output?: JsonValue;
  }[];
}

/** `skillhub.json`, as a publisher hands it in: nothing in it is redacted. */
export interface Manifest {
  readonly schemaVersion: "0.1";
  /** The slug. */
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

/** `listing.json`: what the registry knows of a skill besides its current manifest. */
export interface Listing {
  /** The task the skill is listed under. */
  readonly category: string;
  /** Slug of the publisher. */
  readonly publisher: string;
  readonly verificationStatus: "submitted" | "verified" | "deprecated";
  readonly reviewState: "in_review" | "approved";
  /** ISO time; missing while the review goes on. */
  readonly reviewedAt?: string;
  /** `unitAmountCents` counts US cents per invocation or per month; 0 for free skills. */
  readonly price: {
    readonly billingModel: "free" | "per_call" | "subscription";
    readonly unitAmountCents: number;
  };
  /** `successRate` is 0 to 1, null where nothing ever ran. */
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
  /** Older versions, newest first; the manifest holds only what differs from the current one. */
  readonly older?: readonly (Omit<Release, "manifest"> & {
    readonly manifest: Partial<Manifest> & Pick<Manifest, "version">;
  })[];
}

/** Builds a skill from its folder's files. */
export function readSampleSkill(
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
