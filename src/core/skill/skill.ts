import type { JsonObject, JsonValue } from "../json/jsonValue";
import { httpsUrl } from "../registry/registryOrigin";
import type { Language } from "../text/language";
import type { Permissions } from "./permissions";

/** One row of a registry's list. Everything past `version` may be missing in a foreign registry. */
export interface SkillSummary {
  /** Names the skill in routes and file names: `^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$` by the manifest's rule. */
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** A semantic version; empty where the registry gave none. */
  readonly version: string;
  /** An open set of words: draft, submitted, verified, deprecated, rejected, suspended or the registry's own. */
  readonly verificationStatus?: string;
  /** low, medium, high or the registry's own word; what the permissions amount to where that is known and more. */
  readonly permissionLevel?: string;
  /** True where the registry does not state that level: it was derived here from the row's permissions. */
  readonly isLevelDerived?: boolean;
  /** The level the registry states where the permissions amount to more. */
  readonly understatedLevel?: string;
  /** What the skill may do, where its row says so or it was read meanwhile. */
  readonly permissions?: Permissions;
  /** http, mcp, local or the registry's own word. */
  readonly runtimeType?: string;
  /** The category a skill is listed under, such as `data`. */
  readonly task?: string;
  /** free, per_call, subscription or the registry's own word. */
  readonly billingModel?: string;
  readonly publisher?: Publisher;
  /** Who wrote the skill, where the row says so or it was read meanwhile. */
  readonly author?: SkillAuthor;
  readonly numbers: SkillNumbers;
  /** Time of the last change in milliseconds since 1970. */
  readonly updatedAt?: number;
  /** Set where price and numbers are invented, as in the built-in registry: they are marked wherever they are shown. */
  readonly isSample?: true;
}

/** What a registry counted about a skill. A missing field means the registry did not say. */
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

/** Who publishes a skill, as far as the registry says. */
export interface Publisher {
  readonly name: string;
  readonly slug?: string;
  readonly verified?: boolean;
  /** pending, active, restricted, suspended or the registry's own word. */
  readonly status?: string;
  /** verified, active, limited, blocked or the registry's own word. */
  readonly trustLevel?: string;
  readonly url?: string;
  /** Slugs of the publisher's skills; empty where the registry does not list them. */
  readonly skillSlugs?: readonly string[];
  /** How many skills the publisher has, which may be more than the registry lists. */
  readonly skillCount?: number;
}

/** Who wrote a skill, as its manifest states; no registry checks it. */
export interface SkillAuthor {
  readonly name: string;
  readonly url?: string;
}

/** Where a skill runs. `entry` is the entrypoint, server URL or (redacted) command. */
export interface SkillRuntime {
  readonly type: string;
  readonly entry?: string;
  /** The arguments of the command that the registry shows. */
  readonly args?: readonly string[];
  /** How many more the registry keeps to itself. */
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
}

/** An input a publisher gives as an example, with its output where given. */
export interface SkillExample {
  readonly name: string;
  readonly input: JsonValue;
  readonly output?: JsonValue;
}

/** What users said of a skill. `ratingBreakdown` maps stars (1 to 5) to counts. */
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
  /** What the author uses the skill for. */
  readonly useCase?: string;
  readonly author?: string;
  /** What the publisher answered. */
  readonly reply?: string;
  /** Milliseconds since 1970. */
  readonly createdAt?: number;
}

/** A part of the page that comes from a source of its own and may be missing. */
export type SkillPart = "listing" | "prices" | "feedback" | "publisher";

/** Numbers that lost digits when they were read, as they were read; `many` where they are not listed. */
export type LossyNumbers = readonly number[] | "many";

/** Everything known about one version of a skill, merged from the registry's sources. */
export interface SkillDetail {
  readonly summary: SkillSummary;
  /** The version the registry offers now, which may be another one; undefined where it does not say. */
  readonly latestVersion?: string;
  /** The manifest as the registry gave it. */
  readonly manifest: JsonObject;
  /** Undefined where the registry gave no input schema; then nothing can be checked. */
  readonly inputSchema: JsonValue | undefined;
  readonly outputSchema: JsonValue | undefined;
  /**
   * Numbers of manifest and schemas, as they were read, that are written with more digits than a number
   * has; `many` beyond 1,000. Left out where there are none.
   */
  readonly lossyNumbers?: LossyNumbers;
  /** Undefined where the registry does not say what the skill may do. */
  readonly permissions: Permissions | undefined;
  /** The level the registry itself states for this version; the summary's may be derived here. */
  readonly statedPermissionLevel?: string;
  readonly runtime: SkillRuntime | undefined;
  readonly author?: SkillAuthor;
  /**
   * queued, in_review, approved, rejected, blocked or the registry's own word. A registry reviews its
   * latest version: of another one nothing is known.
   */
  readonly reviewState?: string;
  /** Milliseconds since 1970. */
  readonly reviewedAt?: number;
  /** Newest first; empty where the registry lists none. */
  readonly versions: readonly SkillVersion[];
  readonly examples: readonly SkillExample[];
  /** Undefined where the registry did not answer or has no such route. */
  readonly prices: readonly Price[] | undefined;
  readonly feedback: Feedback | undefined;
  readonly supportUrl?: string;
  /** The parts whose source is late or failed, so that what it says is not known; left out where all answered. */
  readonly unanswered?: readonly SkillPart[];
  /** Those of `unanswered` that may still come; left out where nothing may. */
  readonly loading?: readonly SkillPart[];
  /** The version that the project in use runs, which may be another one; left out without a project. */
  readonly pinned?: PinnedVersion;
}

/** A version of a skill that a project has pinned: no other one can be invoked there. */
export interface PinnedVersion {
  readonly version: string;
  /** The project's name. */
  readonly project: string;
}

/** One of a skill's schemas as it is applied, with what a verdict must not rest on. */
export interface SkillSchema {
  /** Undefined where the registry gave none. */
  readonly schema: JsonValue | undefined;
  readonly lossyNumbers: LossyNumbers | undefined;
}

/** The schema of a skill's payloads. */
export function inputSchemaOf({ inputSchema, lossyNumbers }: SkillDetail): SkillSchema {
  return { schema: inputSchema, lossyNumbers };
}

/** The schema of a skill's outputs. */
export function outputSchemaOf({ outputSchema, lossyNumbers }: SkillDetail): SkillSchema {
  return { schema: outputSchema, lossyNumbers };
}

/** Tells whether this is the version the registry offers now, to which its status and review belong. */
export function isLatest({ summary: { version }, latestVersion }: SkillDetail): boolean {
  return latestVersion === undefined || version === "" || version === latestVersion;
}

/**
 * Who stands behind a skill, one line for each; empty where neither registry nor manifest names anybody. An author
 * of the publisher's name is not named again.
 */
export function originText(
  { publisher, author }: Pick<SkillSummary, "publisher" | "author">,
  language: Language,
): readonly string[] {
  const { t } = language;
  const isPublisher = author?.name === publisher?.name;
  const authorWords = author === undefined ? "" : authorText(author, isPublisher, language);
  return [
    ...(publisher === undefined
      ? []
      : [
          t("Publisher: {name}", {
            name: withNotes(publisher.name, publisherNotes(publisher, language)),
          }),
        ]),
    ...(authorWords === "" ? [] : [t("Author: {name}", { name: authorWords })]),
  ];
}

/** A list of more would hold the editor's extensions for longer than a frame. */
const maxListed = 50_000;

/** Maps the skills that publishers list to the first who lists each; the first 50,000. */
export function publishersBySkill(
  publishers: readonly Publisher[],
): ReadonlyMap<string, Publisher> {
  const bySkill = new Map<string, Publisher>();
  for (const publisher of publishers) {
    for (const slug of publisher.skillSlugs ?? []) {
      if (bySkill.size === maxListed) return bySkill;
      if (!bySkill.has(slug)) bySkill.set(slug, publisher);
    }
  }
  return bySkill;
}

/** Lists what a registry says of a publisher: verified or not, and a status and trust level other than the usual. */
function publisherNotes(
  { verified, status = "", trustLevel = "" }: Publisher,
  { t }: Language,
): readonly string[] {
  const notes = [
    verified === true && t("verified"),
    verified === false && t("not verified"),
    !isUsual(status) && t("status: {status}", { status }),
    !isUsual(trustLevel) && t("trust level: {level}", { level: trustLevel }),
  ];
  return notes.filter((note) => typeof note === "string");
}

/**
 * Names an author with the https address, where there is one, and that only the publisher says so. Of the publisher
 * there is the address alone; empty without one.
 */
function authorText({ name, url }: SkillAuthor, isPublisher: boolean, { t }: Language): string {
  const address = httpsUrl(url);
  const source = t("stated by the publisher");
  if (isPublisher) return address === undefined ? "" : withNotes(address, [source]);
  return withNotes(name, address === undefined ? [source] : [address, source]);
}

function isUsual(word: string): boolean {
  return ["", "active", "verified"].includes(word.toLowerCase());
}

function withNotes(name: string, notes: readonly string[]): string {
  return notes.length === 0 ? name : `${name} (${notes.join(", ")})`;
}

/**
 * Tells whether a text can name a skill: 1 to 128 letters, digits, dots, dashes and underscores, the
 * first and last a letter or digit. Wider than the manifest's rule, since registries list such slugs,
 * and still safe in a route. The one rule for lists, links, bindings and file names.
 */
export function isSlug(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9._-]{0,126}[a-z0-9])?$/i.test(text);
}

/** A skill, or one version of it. An empty version stands for the registry's choice. */
export interface SkillAddress {
  readonly slug: string;
  readonly version: string;
}

/** Reads `slug` or `slug@version`. Undefined for anything else. */
export function readSkillAddress(text: unknown): SkillAddress | undefined {
  if (typeof text !== "string" || text.length > maxLength) return undefined;
  const at = text.indexOf("@");
  const slug = at < 0 ? text : text.slice(0, at);
  const version = at < 0 ? "" : text.slice(at + 1);
  const fits = at < 0 || /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,99}$/.test(version);
  return fits && isSlug(slug) ? { slug, version } : undefined;
}

/** Reads the path of a link into the editor, `/skill/<slug>` or `/skill/<slug>@<version>`. Undefined for anything else. */
export function readSkillLink(path: string): SkillAddress | undefined {
  const [, address] = /^\/skill\/([^/]+)\/?$/.exec(path.slice(0, maxLength)) ?? [];
  return readSkillAddress(address);
}

const maxLength = 300;

/** Writes the address a skill has in a registry. `baseUrl` has no slash at its end. */
export function skillLink(baseUrl: string, slug: string): string {
  return `${baseUrl}/v1/skills/${encodeURIComponent(slug)}`;
}
