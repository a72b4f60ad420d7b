import { type Finding, findingsOf, type ReportItem } from "../findings/report";
import { isPayloadFile, slugsOfPayloadFile } from "../payload/payloadBinding";
import { jsonRanges, lineStartsOf, positionsIn } from "../payload/payloadCheck";
import type { Result } from "../registry/registryFailure";
import { contractPublisher, readContract } from "../skill/compare/contract";
import { isSameVersion } from "../skill/isNewerVersion";
import type { SkillDetail, SkillPart } from "../skill/skill";
import type { SkillAddress } from "../skill/skillAddress";
import { isSuiteFile, readSuite } from "../suite/suite";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import { nearestReview, type ReviewFiles, reviewsBySkill } from "./coverage";
import { type Drift, driftRank } from "./drift";
import { driftText, notKnownText } from "./driftText";
import { isVersionReview, type ReviewPolicy, reviewFolder, reviewsPath } from "./files/reviewFiles";
import type { BrokenFile } from "./files/reviewFolder";
import {
  type NotKnown,
  type SkillAtRegistry,
  type SkillStanding,
  skillStanding,
} from "./skillStanding";

/** Reads exactly this version of a skill from the registry; an empty version is the current one. */
export type ReadSkill = (address: SkillAddress) => Promise<Result<SkillDetail>>;

/** Reads skills. An undefined version is the newest one. A registry may ignore the version and return another. */
interface SkillSource {
  readonly skill: (
    slug: string,
    version: string | undefined,
    signal: AbortSignal,
    reading: VersionReading,
  ) => Promise<Result<SkillDetail>>;
}

/**
 * `needs` lists the parts to read besides the skill's own route; all by default. `withinSeconds` limits the time for
 * these parts.
 */
interface VersionReading {
  readonly withinSeconds: number;
  readonly needs?: readonly SkillPart[] | undefined;
}

/** The parts of a skill that its contract needs. */
export const contractParts: readonly SkillPart[] = ["listing", "prices", "publisher"];

/** Reads exactly the requested version of a skill. Fails with `notFound` if the registry returns another. */
export async function readVersion(
  source: SkillSource,
  { slug, version }: SkillAddress,
  reading: VersionReading,
  signal: AbortSignal,
  { t }: Language,
): Promise<Result<SkillDetail>> {
  const read = await source.skill(slug, version || undefined, signal, reading);
  if (version === "" || (read.ok && isSameVersion(read.value.summary.version, version)))
    return read;
  if (!read.ok) {
    const { failure } = read;
    if (failure.kind !== "notFound" || failure.message !== undefined) return read;
    // The message does not deny that the skill exists, since this user may not be allowed to see it.
    const message = t("The registry does not show version {version} of {slug}.", { slug, version });
    return { ok: false, failure: { kind: "notFound", message } };
  }
  const returned = oneLine(read.value.summary.version);
  const message =
    returned === ""
      ? t("The registry does not show version {version} of {slug}.", { slug, version })
      : t("The registry does not show version {version} of {slug}; it shows {returned}.", {
          slug,
          version,
          returned,
        });
  return { ok: false, failure: { kind: "notFound", message } };
}

/** The maximum number of versions that one check reads. A policy can name as many skills. */
const maxVersionsRead = 2000;

/** Wraps `read` so that each version of a skill is read once. Beyond the limit, nothing more is read. */
function readOnce(read: ReadSkill): {
  readonly read: ReadSkill;
  readonly isLimitReached: () => boolean;
} {
  const readings = new Map<string, ReturnType<ReadSkill>>();
  const isLimitReached = () => readings.size >= maxVersionsRead;
  return {
    isLimitReached,
    read: (address) => {
      const name = `${address.slug}@${address.version}`;
      const earlier = readings.get(name);
      if (earlier !== undefined) return earlier;
      if (isLimitReached()) return Promise.resolve(notRead);
      const reading = read(address);
      readings.set(name, reading);
      return reading;
    },
  };
}

const notRead = {
  ok: false,
  failure: { kind: "notAsked", limit: maxVersionsRead },
} as const;

/** Extracts from a skill the facts to compare with its reviews. `digest` is as for `readContract`. */
export function skillAtRegistry(
  skill: SkillDetail,
  digest: (text: string) => string,
): SkillAtRegistry {
  const { version, verificationStatus: verification } = skill.summary;
  const isPublisherKnown = skill.unanswered?.includes("publisher") !== true;
  const { cutOffPublishers } = skill;
  return {
    version,
    verification,
    contract: readContract(skill, digest),
    ...(isPublisherKnown && { publisher: contractPublisher(skill.summary) }),
    ...(cutOffPublishers !== undefined && {
      cutOffPublishers:
        cutOffPublishers === "any"
          ? cutOffPublishers
          : cutOffPublishers.flatMap((publisher) => contractPublisher({ publisher }) ?? []),
    }),
  };
}

/** The inputs of the check of one skill. */
interface SkillCheck {
  readonly files: ReviewFiles;
  readonly read: ReadSkill;
  readonly digest: (text: string) => string;
  /** The registry that is read, as in a review. */
  readonly registry: string;
  /** `YYYY-MM-DD` by UTC. */
  readonly today: string;
}

/**
 * Reads the current version of a skill, and other reviewed or used ones, and compares them with the reviews.
 * `usedVersions` is as in `CheckedSkill`.
 */
export async function checkSkill(
  slug: string,
  usedVersions: readonly string[],
  { files, read, digest, registry, today }: SkillCheck,
): Promise<SkillStanding> {
  const reading = await read({ slug, version: "" });
  const current = reading.ok
    ? { ok: true as const, value: skillAtRegistry(reading.value, digest) }
    : reading;
  const others: SkillAtRegistry[] = [];
  if (current.ok) {
    const { version } = current.value;
    const reviewed = nearestReview(files.reviews, { slug, version, registry })?.version ?? "";
    for (const other of new Set([reviewed, ...usedVersions])) {
      if (other === "" || isSameVersion(other, version)) continue;
      const found = await read({ slug, version: other });
      if (found.ok) others.push(skillAtRegistry(found.value, digest));
    }
  }
  return skillStanding(files, { slug, registry, usedVersions, current, others }, today);
}

/**
 * Reports the standing of a skill. The location is the skill's first use in the repository, else the entry of its last
 * review.
 */
function standingItem(
  { slug, drift, notKnown }: SkillStanding,
  usedIn: string | undefined,
  lastEntries: ReturnType<typeof lastEntriesIn>,
  { publisherUnknown = "note" }: ReviewPolicy,
  language: Language,
): ReportItem {
  const file = usedIn ?? reviewsPath;
  const position = usedIn === undefined ? lastEntries.get(slug) : {};
  const finding = (
    rule: Drift["kind"] | "unknown",
    message: string,
    severity: Finding["severity"],
  ): Finding => ({ rule, severity, message, file, ...position });
  const isNote = ({ kind }: NotKnown) => kind === "unlisted" && publisherUnknown === "note";
  return {
    name: slug,
    file,
    state: drift.length > 0 ? "findings" : notKnown.every(isNote) ? "good" : "unknown",
    findings: [
      ...drift.map((item) => finding(item.kind, driftText(slug, item, language), "error")),
      ...notKnown.map((known) =>
        finding("unknown", notKnownText(slug, known, language), "warning"),
      ),
    ],
  };
}

/** Reports a broken file. */
export function brokenItem({ name, text, problems }: BrokenFile): ReportItem {
  const file = `${reviewFolder}/${name}`;
  return { name: file, file, state: "broken", findings: findingsOf(problems, text, file) };
}

/** Finds the last entry of each skill in the text of the reviews. */
function lastEntriesIn({ reviews }: ReviewFiles, text: string) {
  const pointers = new Map(
    reviews.map(({ skill }, index) => [skill, `/reviews/${index}/skill`] as const),
  );
  // Without reviews, the text has no entry to look for.
  const ranges = pointers.size === 0 ? new Map() : jsonRanges(text, [...pointers.values()]);
  const lines = lineStartsOf(text);
  return new Map(
    [...pointers].flatMap(([skill, pointer]) => {
      const range = ranges.get(pointer);
      return range === undefined ? [] : [[skill, positionsIn(lines, range)] as const];
    }),
  );
}

/** The inputs of a check of a whole repository. */
export interface TeamCheck extends Omit<SkillCheck, "read"> {
  /** The text that the reviews were read from. */
  readonly reviewsText: string;
  /** The payload files and suites, relative and with `/` between their parts. */
  readonly usingFiles: readonly string[];
  readonly hasMoreFiles?: boolean;
  readonly readText: (file: string) => Promise<string>;
  readonly read: ReadSkill;
  readonly language: Language;
}

/** The maximum number of skills that are read at the same time. */
const maxAtOnce = 4;

/**
 * Compares every skill that is reviewed or used in a repository with its reviews: the worst drift first, then by name.
 * Skips skills that have only violations and statements.
 */
export async function checkTeam({
  reviewsText,
  usingFiles,
  hasMoreFiles = false,
  readText,
  read: readUncached,
  language,
  ...check
}: TeamCheck): Promise<readonly ReportItem[]> {
  const { files } = check;
  const { read, isLimitReached: isSpent } = readOnce(readUncached);
  // Sorted, so that every front end names the same file as the first use.
  const using = usingFiles.filter(isUsingFile).toSorted();
  const { uses, unread } = await skillUses(using, readText, read, language);
  const bySkill = reviewsBySkill(files.reviews);
  const lastEntries = lastEntriesIn(files, reviewsText);
  const reviewed = files.reviews.filter(isVersionReview).map(({ skill }) => skill);
  const slugs = new Set([...[...uses.keys()].toSorted(), ...reviewed.toSorted()]);
  const sorted = [...slugs];
  const items: ReportItem[] = [];
  let next = 0;
  for (; next < sorted.length && !isSpent(); next += maxAtOnce) {
    const batch = sorted.slice(next, next + maxAtOnce).map(async (slug) => {
      const { versions = [], file } = uses.get(slug) ?? {};
      const own = { ...files, reviews: bySkill.get(slug) ?? [] };
      const standing = await checkSkill(slug, [...versions], { ...check, files: own, read });
      return standingItem(standing, file, lastEntries, files.policy, language);
    });
    items.push(...(await Promise.all(batch)));
  }
  const rank = ({ findings: [worst] }: ReportItem) => driftRank(worst?.rule);
  const byName = items.toSorted(({ name: one }, { name: other }) => (one < other ? -1 : 1));
  return [
    ...byName.toSorted((one, other) => rank(one) - rank(other)),
    ...unread,
    ...notCompared(sorted.length - next, language),
    ...(hasMoreFiles ? moreFiles(usingFiles.length, language) : []),
  ];
}

/** Reports skills beyond the maximum, which were not compared. */
function notCompared(count: number, { t }: Language): readonly ReportItem[] {
  if (count <= 0) return [];
  return unreadPart(
    t("{count} more skills were not compared: one check reads at most {limit} versions.", {
      count,
      limit: maxVersionsRead,
    }),
  );
}

/** Reports that there are more files than were read. */
function moreFiles(count: number, { t }: Language): readonly ReportItem[] {
  return unreadPart(
    t("Only {count} payload files and suites were read. The others may use more skills.", {
      count,
    }),
  );
}

function unreadPart(message: string): readonly ReportItem[] {
  const finding: Finding = { rule: "unread", severity: "warning", message, file: "" };
  return [{ name: reviewFolder, file: "", state: "unknown", findings: [finding] }];
}

/** The use of a skill in a repository. An empty version is the registry's current one. */
interface SkillUse {
  /** The first file that uses it. */
  readonly file: string;
  readonly versions: Set<string>;
}

/** Returns whether a file uses a skill by its name (a payload or a suite), and belongs to the repository itself. */
export function isUsingFile(path: string): boolean {
  const isOwn = path.split("/").every((name) => !name.startsWith(".") && name !== "node_modules");
  return isOwn && (isPayloadFile(path) || isSuiteFile(path));
}

/**
 * Finds the skills that payload files and suites use, by slug. The name of a payload file may have a label after the
 * slug; then the registry's skills decide where the slug ends. Reports unreadable files; invalid suites are reported
 * elsewhere.
 */
async function skillUses(
  files: readonly string[],
  readText: (file: string) => Promise<string>,
  read: ReadSkill,
  language: Language,
): Promise<{
  readonly uses: ReadonlyMap<string, SkillUse>;
  readonly unread: readonly ReportItem[];
}> {
  const uses = new Map<string, SkillUse>();
  const unread: ReportItem[] = [];
  for (const file of files) {
    const address = isPayloadFile(file)
      ? { slug: await knownSlug(slugsOfPayloadFile(file), read), version: "" }
      : await suiteAddress(file, readText, language);
    if (address === "unread") unread.push(unreadItem(file, language));
    if (address === "unread" || address?.slug === undefined) continue;
    const use = uses.get(address.slug) ?? { file, versions: new Set() };
    use.versions.add(address.version);
    uses.set(address.slug, use);
  }
  return { uses, unread };
}

/** Reports an unreadable file of the repository, whose skills are unknown. */
function unreadItem(file: string, { t }: Language): ReportItem {
  const message = t("This file could not be read.");
  const finding: Finding = { rule: "unread", severity: "warning", message, file };
  return { name: file, file, state: "unknown", findings: [finding] };
}

/** Returns the first slug that the registry knows, else the first. */
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
  const text = await readText(file).catch(() => undefined);
  if (text === undefined) return "unread";
  const suite = readSuite(text, language);
  return suite.ok ? suite.value.address : undefined;
}
