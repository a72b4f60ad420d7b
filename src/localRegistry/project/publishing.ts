import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../core/json/jsonValue";
import { manifestFindings } from "../../core/manifest/manifestRules";
import { dayMs } from "../../core/text/dates";
import { english, localize } from "../../core/text/language";
import { findSkill, type Manifest } from "../catalog/catalog";
import { levelOf } from "../catalog/skillResponses";
import { Refusal } from "../handleRequest";

/** The duration of a review. It rejects a version whose checks have findings, and approves any other. */
export const reviewMs = 60_000;
/** The review time that the public gateway promises. */
const reviewDays = 3;

/** A version that a publisher saved. A skill's versions are newest first. Times are milliseconds since 1970. */
interface SavedVersion {
  readonly id: string;
  readonly version: string;
  manifest: JsonObject;
  savedAt: number;
  review?: { readonly id: string; readonly at: number; readonly checks: readonly Check[] };
}

/** The skills that the only organization publishes here. They are never listed and cannot be invoked. */
export class Publishing {
  readonly #skills = new Map<string, SavedVersion[]>();

  constructor(private readonly now: () => number) {}

  /** Saves a manifest as a draft, for the skill of the route if there is one. Throws a Refusal like the gateway. */
  save(manifest: JsonValue | undefined, slug?: string) {
    if (!isJsonObject(manifest)) throw new Refusal(400, "The manifest is missing.");
    const refused = refusalOf(manifest);
    if (refused !== undefined) throw new Refusal(400, refused);
    const [name, version] = [String(manifest["name"]), String(manifest["version"])];
    if (name.length < 2 || name.length > 80) {
      const constraint = '"skills" violates check constraint "skills_slug_format_check"';
      throw new Refusal(400, `new row for relation ${constraint}`, "bad_request");
    }
    if (slug !== undefined && slug !== name) {
      throw new Refusal(400, "The manifest's name must be that of the skill.");
    }
    if (findSkill(name) !== undefined) {
      throw new Refusal(400, "Another organization owns this slug.");
    }
    const versions = this.#skills.get(name) ?? [];
    const existing = versions.find((item) => item.version === version);
    if (existing !== undefined && this.#stateOf(existing).status === "verified") {
      throw new Refusal(400, "This version is approved or installed, so it is locked.");
    }
    // Like on the gateway, an overwritten version stays in review, and its checks are not repeated.
    const saved: SavedVersion = existing ?? { id: randomUUID(), version, manifest, savedAt: 0 };
    Object.assign(saved, { manifest, savedAt: this.now() });
    this.#skills.set(name, [saved, ...versions.filter((item) => item !== saved)]);
    const { status } = this.#stateOf(saved);
    const createdNewVersion = existing === undefined;
    return {
      createdNewVersion,
      id: `skill_${name}`,
      slug: name,
      status,
      version,
      versionId: saved.id,
    };
  }

  /** Submits a version for review. A version in review stays in review. */
  submit(slug: string, version: string) {
    const saved = this.#skills.get(slug)?.find((item) => item.version === version);
    if (saved === undefined) {
      throw new Refusal(400, "This organization has no such skill or version.");
    }
    const alreadyOpen = this.#stateOf(saved).reviewStatus === "queued";
    const { manifest } = saved;
    const review =
      alreadyOpen && saved.review !== undefined
        ? saved.review
        : { id: randomUUID(), at: this.now(), checks: checksOf(manifest) };
    saved.review = review;
    const count = (...wanted: readonly string[]) =>
      review.checks.filter(({ status }) => wanted.includes(status)).length;
    return {
      ...{ alreadyOpen, id: review.id, skillSlug: slug, displayName: manifest["displayName"] },
      ...{ version, status: "queued", riskLevel: riskOf(manifest), createdAt: timeOf(review.at) },
      checkSummary: {
        totalCount: review.checks.length,
        passedCount: count("passed"),
        warningCount: count("warning"),
        failedCount: count("failed"),
        blockingCount: count("failed"),
      },
    };
  }

  /** Lists the versions of a skill; empty if the skill is unknown or belongs to another organization. */
  versions(slug: string) {
    return (this.#skills.get(slug) ?? []).map((saved) => {
      const { id, version, manifest, savedAt, review } = saved;
      return {
        ...{ id, version, manifest, ...this.#stateOf(saved), installCount: 0, callCount: 0 },
        createdAt: timeOf(savedAt),
        reviewSubmittedAt: review ? timeOf(review.at) : null,
        reviewSlaBusinessDays: reviewDays,
        reviewSlaDueAt: review ? timeOf(review.at + reviewDays * dayMs) : null,
        runtimeChecks: review?.checks ?? [],
      };
    });
  }

  /** Lists the skills, each with the version that was saved last. */
  skills() {
    return [...this.#skills].flatMap(([slug, [saved]]) => {
      if (saved === undefined) return [];
      const { displayName, description } = saved.manifest;
      const { status, reviewStatus, reviewNotes: notes } = this.#stateOf(saved);
      return {
        ...{ id: `skill_${slug}`, slug, displayName, description, version: saved.version },
        ...{
          visibility: "public",
          verificationStatus: status,
          review: { status: reviewStatus, notes },
        },
        permissionLevel: riskOf(saved.manifest),
      };
    });
  }

  #stateOf({ review }: SavedVersion) {
    const state = (
      status: string,
      reviewStatus: string | null,
      reviewNotes: string | null = null,
    ) => ({
      ...{ status, reviewStatus, reviewNotes },
    });
    if (review === undefined) return state("draft", null);
    if (this.now() < review.at + reviewMs) return state("submitted", "queued");
    const count = review.checks.filter(({ status }) => status !== "passed").length;
    if (count === 0) return state("verified", "approved");
    return state(
      "rejected",
      "rejected",
      `${count} of ${review.checks.length} checks need an answer.`,
    );
  }
}

/** A check of a review, in the gateway's format. */
type Check = ReturnType<typeof checksOf>[number];

/** The rules that each check covers: their codes without `review-`. */
const checkRules = {
  manifest: ["description"],
  runtime: ["address", "https", "command", "packaging"],
  example: ["object", "properties"],
  security: ["secret", "high", "browsing"],
} as const;

/** Creates the four checks of a review. Each one reports its worst finding. */
function checksOf(manifest: JsonObject) {
  const findings = manifestFindings(manifest);
  return Object.entries(checkRules).map(([checkType, codes]) => {
    const own = findings.filter(({ code }) => codes.some((end) => code === `review-${end}`));
    const isBlocking = own.some(({ severity }) => severity === "error");
    const worst = own.find(({ severity }) => severity === "error") ?? own[0];
    const message = worst === undefined ? "" : localize(worst.message, english);
    const targetField = worst?.pointer.slice(1).replaceAll("/", ".") ?? "";
    const status = isBlocking ? "failed" : worst === undefined ? "passed" : "warning";
    return { checkType, status, message, nextAction: message, targetField, isBlocking };
  });
}

function riskOf(manifest: JsonObject): string {
  return levelOf(manifest as unknown as Manifest);
}

function timeOf(time: number): string {
  return new Date(time).toISOString();
}

const isText = (value: JsonValue) => typeof value === "string" && value.trim() !== "";
const isSchema = (value: JsonValue) => typeof value === "object" && value !== null;
const entries: Readonly<Record<string, string>> = {
  http: "entrypoint",
  mcp: "serverUrl",
  local: "command",
};

/** The gateway's requirements for each member. The gateway accepts more than the schema of manifests allows. */
const members: Readonly<
  Record<string, readonly [isRight: (value: JsonValue) => boolean, rule: string]>
> = {
  schemaVersion: [(value) => value === "0.1", "must be 0.1"],
  name: [
    (value) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(String(value)),
    "must be a slug of lowercase letters, digits and hyphens",
  ],
  displayName: [isText, "must be a text that is not empty"],
  version: [
    (value) => /^\d+\.\d+\.\d+/.test(String(value)),
    "must be a semantic version, such as 1.0.0",
  ],
  description: [isText, "must be a text that is not empty"],
  tags: [(value) => Array.isArray(value) && value.length > 0, "must have at least one tag"],
  runtime: [
    (value) => isJsonObject(value) && isText(value[entries[String(value["type"])] ?? ""] ?? null),
    "must have a type of http, mcp or local, and its entrypoint, serverUrl or command",
  ],
  permissions: [
    (value) =>
      isJsonObject(value) &&
      [value["network"], value["browser"]].every((item) => typeof item === "boolean") &&
      ["none", "read", "write"].includes(String(value["filesystem"])) &&
      Array.isArray(value["secrets"]),
    "must have network, browser, filesystem and secrets",
  ],
  inputSchema: [isSchema, "must be a JSON Schema object"],
  outputSchema: [isSchema, "must be a JSON Schema object"],
};

/** Returns the first reason for which the gateway rejects a manifest: missing members before invalid ones. */
function refusalOf(manifest: JsonObject): string | undefined {
  const missing = Object.keys(members).find((name) => ownValue(manifest, name) === undefined);
  if (missing !== undefined) return `The manifest lacks ${missing}.`;
  const wrong = Object.entries(members).find(
    ([name, [isRight]]) => !isRight(manifest[name] ?? null),
  );
  return wrong && `The manifest's ${wrong[0]} ${wrong[1][1]}.`;
}
