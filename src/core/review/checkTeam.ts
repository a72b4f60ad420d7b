import { type Finding, findingsOf, type ReportItem } from "../findings/report";
import { isPayloadFile, slugsOfPayloadFile } from "../payload/payloadBinding";
import { jsonRanges, lineStartsOf, positionIn } from "../payload/payloadCheck";
import type { Result } from "../registry/registryFailure";
import type { SkillDetail } from "../skill/skill";
import type { SkillAddress } from "../skill/skillAddress";
import { isSuiteFile, readSuite } from "../suite/suite";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import { contractPublisher, readContract } from "./contract";
import { nearestReview, type ReviewFiles } from "./coverage";
import {
  type Drift,
  driftRank,
  type SkillAtRegistry,
  type SkillStanding,
  skillStanding,
} from "./drift";
import { driftText, notKnownText } from "./driftText";
import { reviewFolder, reviewsFileName } from "./reviewFiles";
import type { BrokenFile } from "./reviewFolder";

/** Reads exactly this version of a skill from the registry; an empty version is the current one. */
export type ReadSkill = (address: SkillAddress) => Promise<Result<SkillDetail>>;

/** What skills are read from: a registry may ignore the version (undefined: the newest) and answer with another. */
interface SkillSource {
  readonly skill: (
    slug: string,
    version: string | undefined,
    signal: AbortSignal,
    reading: { readonly withinSeconds: number },
  ) => Promise<Result<SkillDetail>>;
}

/** Reads as `ReadSkill` does. `withinSeconds` is how long prices, publisher and feedback are waited for. */
export async function readVersion(
  source: SkillSource,
  { slug, version }: SkillAddress,
  withinSeconds: number,
  signal: AbortSignal,
  { t }: Language,
): Promise<Result<SkillDetail>> {
  // A review without prices or publisher is incomplete: late responses of a busy registry count too.
  const read = await source.skill(slug, version || undefined, signal, { withinSeconds });
  if (!read.ok || version === "" || read.value.summary.version === version) return read;
  const returned = oneLine(read.value.summary.version);
  const message =
    returned === ""
      ? t("The registry has no version {version} of {slug}.", { slug, version })
      : t("The registry has no version {version} of {slug}; it returned {returned}.", {
          slug,
          version,
          returned,
        });
  return { ok: false, failure: { kind: "notFound", message } };
}

/** Reads each version of a skill once and remembers the result. */
function readOnce(read: ReadSkill): ReadSkill {
  const known = new Map<string, ReturnType<ReadSkill>>();
  return (address) => {
    const name = `${address.slug}@${address.version}`;
    const reading = known.get(name) ?? read(address);
    known.set(name, reading);
    return reading;
  };
}

/** Extracts from a skill what is compared with its reviews. `digest` is as for `readContract`. */
export function skillAtRegistry(
  skill: SkillDetail,
  digest: (text: string) => string,
): SkillAtRegistry {
  const { version, verificationStatus: verification } = skill.summary;
  const isPublisherKnown = skill.unanswered?.includes("publisher") !== true;
  return {
    version,
    verification,
    contract: readContract(skill, digest),
    ...(isPublisherKnown && { publisher: contractPublisher(skill.summary) }),
  };
}

/** What the check of one skill needs. */
export interface SkillCheck {
  readonly files: ReviewFiles;
  readonly read: ReadSkill;
  readonly digest: (text: string) => string;
  /** The registry that is read, as in a review. */
  readonly registry: string;
  /** `YYYY-MM-DD` by UTC. */
  readonly today: string;
}

/**
 * Reads a skill from the registry and compares it with its reviews: the current version, and those that were
 * reviewed or are used where they are others. `usedVersions` is as in `CheckedSkill`.
 */
export async function checkSkill(
  slug: string,
  usedVersions: readonly string[],
  { files, read, digest, registry, today }: SkillCheck,
): Promise<SkillStanding> {
  const found = await read({ slug, version: "" });
  const current = found.ok
    ? { ok: true as const, value: skillAtRegistry(found.value, digest) }
    : found;
  const others: SkillAtRegistry[] = [];
  if (current.ok) {
    const { version } = current.value;
    const reviewed = nearestReview(files.reviews, { slug, version, registry })?.version ?? "";
    for (const wanted of new Set([reviewed, ...usedVersions])) {
      if (wanted === "" || wanted === version) continue;
      const other = await read({ slug, version: wanted });
      if (other.ok) others.push(skillAtRegistry(other.value, digest));
    }
  }
  return skillStanding(files, { slug, registry, usedVersions, current, others }, today);
}

/**
 * Reports how a skill stands: at its first use in the repository, else at the entry of its last review.
 * `reviewsText` is the text that the reviews were read from.
 */
function standingItem(
  { slug, drift, notKnown }: SkillStanding,
  files: ReviewFiles,
  usedIn: string | undefined,
  reviewsText: string,
  language: Language,
): ReportItem {
  const file = usedIn ?? `${reviewFolder}/${reviewsFileName}`;
  const place = usedIn === undefined ? lastEntry(slug, files, reviewsText) : {};
  const finding = (
    rule: Drift["kind"] | "unknown",
    message: string,
    severity: Finding["severity"],
  ): Finding => ({ rule, severity, message, file, ...place });
  return {
    name: slug,
    file,
    state: drift.length > 0 ? "findings" : notKnown.length > 0 ? "unknown" : "good",
    findings: [
      ...drift.map((one) => finding(one.kind, driftText(slug, one, language), "error")),
      ...notKnown.map((one) => finding("unknown", notKnownText(slug, one, language), "warning")),
    ],
  };
}

/** Reports a file that is broken. */
export function brokenItem({ name, text, problems }: BrokenFile): ReportItem {
  const file = `${reviewFolder}/${name}`;
  return { name: file, file, state: "broken", findings: findingsOf(problems, text, file) };
}

function lastEntry(slug: string, { reviews }: ReviewFiles, text: string) {
  const index = reviews.findLastIndex(({ skill }) => skill === slug);
  const pointer = `/reviews/${index}/skill`;
  const range = index < 0 ? undefined : jsonRanges(text, [pointer]).get(pointer);
  if (range === undefined) return {};
  const lines = lineStartsOf(text);
  return { start: positionIn(lines, range.start), end: positionIn(lines, range.end) };
}

/** What the check of a whole repository requires of its front end. */
interface TeamCheck extends Omit<SkillCheck, "read"> {
  /** The text that the reviews were read from. */
  readonly reviewsText: string;
  /** The payload files and suites, relative and with `/` between their parts. */
  readonly usingFiles: readonly string[];
  /** Reads one of them. */
  readonly readText: (file: string) => Promise<string>;
  /** Reads a skill from the registry. */
  readonly read: ReadSkill;
  readonly language: Language;
}

/** Upper limit of skills that are read at the same time. */
const maxAtOnce = 4;

/** Compares every skill that is reviewed or used in a repository with its reviews: the worst drift first, then by name. */
export async function checkTeam({
  reviewsText,
  usingFiles,
  readText,
  read: ask,
  language,
  ...check
}: TeamCheck): Promise<readonly ReportItem[]> {
  const { files } = check;
  const read = readOnce(ask);
  // Sorted, so that every front end names the same file as the first use.
  const using = usingFiles.filter(isUsingFile).toSorted();
  const uses = await skillUses(using, readText, read, language);
  const slugs = new Set([...uses.keys(), ...files.reviews.map(({ skill }) => skill)]);
  const sorted = [...slugs].toSorted();
  const items: ReportItem[] = [];
  for (let next = 0; next < sorted.length; next += maxAtOnce) {
    const some = sorted.slice(next, next + maxAtOnce).map(async (slug) => {
      const { versions = [], file } = uses.get(slug) ?? {};
      const standing = await checkSkill(slug, [...versions], { ...check, read });
      return standingItem(standing, files, file, reviewsText, language);
    });
    items.push(...(await Promise.all(some)));
  }
  const rank = ({ findings: [worst] }: ReportItem) => driftRank(worst?.rule);
  return items.toSorted((one, other) => rank(one) - rank(other));
}

/** Where a repository uses a skill, and in which versions; an empty one is the registry's current one. */
interface SkillUse {
  /** The first file that uses it. */
  readonly file: string;
  readonly versions: Set<string>;
}

/** Returns whether a file uses a skill by its name, a payload or a suite, and is the repository's own. */
export function isUsingFile(path: string): boolean {
  const isOwn = path.split("/").every((name) => !name.startsWith(".") && name !== "node_modules");
  return isOwn && (isPayloadFile(path) || isSuiteFile(path));
}

/**
 * Finds the skills that payload files and suites are for, by slug. The end of a payload's name is a label
 * where the registry has no skill of the longer name. Invalid files are reported elsewhere.
 */
async function skillUses(
  files: readonly string[],
  readText: (file: string) => Promise<string>,
  read: ReadSkill,
  language: Language,
): Promise<ReadonlyMap<string, SkillUse>> {
  const uses = new Map<string, SkillUse>();
  for (const file of files) {
    const address = isPayloadFile(file)
      ? { slug: await knownSlug(slugsOfPayloadFile(file), read), version: "" }
      : await suiteAddress(file, readText, language);
    if (address?.slug === undefined) continue;
    const use = uses.get(address.slug) ?? { file, versions: new Set() };
    use.versions.add(address.version);
    uses.set(address.slug, use);
  }
  return uses;
}

/** The first slug the registry knows, else the first. */
async function knownSlug(slugs: readonly string[], read: ReadSkill): Promise<string | undefined> {
  if (slugs.length === 1) return slugs[0];
  for (const slug of slugs) {
    const found = await read({ slug, version: "" });
    if (found.ok || found.failure.kind !== "notFound") return slug;
  }
  return slugs[0];
}

async function suiteAddress(
  file: string,
  readText: (file: string) => Promise<string>,
  language: Language,
) {
  const suite = readSuite(await readText(file).catch(() => ""), language);
  return suite.ok ? suite.value.address : undefined;
}
