import { type Finding, findingsOf, type ReportItem } from "../findings/report";
import { jsonRanges } from "../payload/schemaRanges";
import { lineStartsOf, positionIn } from "../payload/textPosition";
import type { Result } from "../registry/registryFailure";
import type { SkillDetail } from "../skill/skill";
import type { SkillAddress } from "../skill/slug";
import type { Language } from "../text/language";
import { contractPublisher, readContract } from "./contract";
import { nearestReview, type ReviewFiles } from "./coverage";
import { type Drift, type SkillAtRegistry, type SkillStanding, skillStanding } from "./drift";
import { driftText, notKnownText } from "./driftText";
import { reviewFolder, reviewsFileName } from "./reviewFiles";
import type { BrokenFile } from "./reviewFolder";

/** Reads a version of a skill from the registry, and no other; an empty version is the current one. */
export type ReadSkill = (address: SkillAddress) => Promise<Result<SkillDetail>>;

/** Asks for each version of a skill once, and remembers what was said. */
export function readOnce(read: ReadSkill): ReadSkill {
  const known = new Map<string, ReturnType<ReadSkill>>();
  return (address) => {
    const name = `${address.slug}@${address.version}`;
    const reading = known.get(name) ?? read(address);
    known.set(name, reading);
    return reading;
  };
}

/** Takes from a skill what is compared with its reviews. `digest` is as for `readContract`. */
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
  /** The one that is asked, as in a review. */
  readonly registry: string;
  /** `YYYY-MM-DD` by UTC. */
  readonly today: string;
}

/**
 * Asks the registry about a skill and compares it with its reviews: the current version, and those that
 * were reviewed or are used where they are others. `usedVersions` is as in `CheckedSkill`.
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
export function standingItem(
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
