import { contractPublisher, readContract } from "../skill/compare/contract";
import { isSameVersion } from "../skill/isNewerVersion";
import type { SkillDetail, SkillSummary } from "../skill/skill";
import { dateFormat } from "../text/formats";
import type { Language } from "../text/language";
import { skillAtRegistry } from "./checkTeam";
import {
  coverageOf,
  type ReviewFiles,
  reviewedElsewhere,
  reviewsOf,
  type VersionAtRegistry,
} from "./coverage";
import { firstLines, standingLines } from "./driftText";
import { type SkillAtRegistry, skillStanding } from "./skillStanding";
import {
  type StandingName,
  standingLabel,
  standingName,
  type TeamStanding,
  teamStandingName,
} from "./standing";

/** The reviews of all folders of a workspace, or only those of one skill. */
export interface TeamReviews {
  /** The files of each folder that reviews skills. */
  readonly files: readonly ReviewFiles[];
  /** Unreadable files, whose contents are unknown. */
  readonly broken: readonly string[];
  /** The registry in use, as in a review. */
  readonly registry: string;
}

/** Compares a version of a skill with the reviews of every folder on a day (`YYYY-MM-DD` by UTC). */
export function teamStanding(
  { files, broken, registry }: TeamReviews,
  slug: string,
  skill: SkillAtRegistry,
  today: string,
): TeamStanding {
  const checked = {
    slug,
    registry,
    usedVersions: [skill.version],
    current: { ok: true as const, value: skill },
    others: [],
  };
  const standings = files.map((file) => skillStanding(file, checked, today));
  return {
    slug,
    drift: standings.flatMap(({ drift }) => drift),
    notKnown: standings.flatMap(({ notKnown }) => notKnown),
    broken,
  };
}

/**
 * Returns the key of an objection that the user is asked about only once: a missing review of this contract at this
 * registry. Undefined for any other objection.
 */
export function missingReviewKey(
  standing: TeamStanding,
  skill: SkillDetail,
  registry: string,
  digest: (text: string) => string,
): string | undefined {
  if (standing.broken.length > 0 || teamStandingName(standing) !== "unreviewed") return undefined;
  const contract = readContract(skill, digest);
  const { slug, version } = skill.summary;
  return contract.ok ? `${registry} ${slug}@${version} ${contract.hash}` : undefined;
}

/** A skill's standing with the workspace's reviews, as text for its page. */
export interface ReviewNote {
  readonly name: StandingName;
  readonly word: string;
  /** The objections, or who reviewed it. */
  readonly lines: readonly string[];
  /** The registry of its reviews, if another one is in use and connecting to it may help. */
  readonly reviewedAt?: string;
}

/**
 * Describes the standing of a skill. Undefined without reviews. In an untrusted workspace, also undefined for a good
 * standing, since the workspace's author could vouch for anything.
 */
export function reviewNote(
  reviews: TeamReviews,
  skill: SkillDetail,
  { today, isTrusted, digest }: ReviewContext,
  language: Language,
): ReviewNote | undefined {
  if (reviews.files.length + reviews.broken.length === 0) return undefined;
  const { slug } = skill.summary;
  const found = skillAtRegistry(skill, digest);
  const standing = teamStanding(reviews, slug, found, today);
  const name = teamStandingName(standing);
  const word = standingLabel(name, language);
  if (name !== "reviewed") {
    const isLoading = name === "unknown" && skill.loading !== undefined && skill.loading.length > 0;
    const lines = isLoading
      ? [language.t("Still loading from the registry.")]
      : standingLines(standing, language);
    const all = reviews.files.flatMap((files) => files.reviews);
    const isElsewhere = standing.drift.some(({ kind }) => kind === "other-registry");
    const reviewedAt = isElsewhere ? reviewedElsewhere(all, slug, reviews.registry) : undefined;
    return { name, word, lines, ...(reviewedAt !== undefined && { reviewedAt }) };
  }
  if (!isTrusted) return undefined;
  const lines = reviews.files.map((files) =>
    coveredText(files, { slug, registry: reviews.registry }, found, today, language),
  );
  return { name, word, lines: firstLines(lines) };
}

/** The other inputs of a note. `digest` is as for `readContract`. */
interface ReviewContext {
  /** `YYYY-MM-DD` by UTC. */
  readonly today: string;
  /** Whether the user trusts the workspace. */
  readonly isTrusted: boolean;
  readonly digest: (text: string) => string;
}

/** The standing that a row shows. */
export type RowStanding = Exclude<StandingName, "unknown">;

/**
 * Returns the standing that a skill's row shows. A row has no contract, so its standing depends on missing or expired
 * reviews, violations, and the verification. `byContract` is the standing by the contract, if that was read. Undefined if the
 * skill needs no review.
 */
export function rowStanding(
  reviews: TeamReviews,
  summary: SkillSummary,
  today: string,
  byContract?: RowStanding,
): RowStanding | undefined {
  const name = byContract ?? standingByRow(reviews, summary, today);
  if (name !== "reviewed") return name;
  const { files, broken, registry } = reviews;
  const { slug, version } = summary;
  // An unreadable file may contain an objection.
  const isReviewed =
    broken.length === 0 &&
    files.some((file) =>
      reviewsOf(file.reviews, slug, registry).some((review) =>
        isSameVersion(review.version, version),
      ),
    );
  return isReviewed ? name : undefined;
}

function standingByRow(
  { files, registry }: TeamReviews,
  summary: SkillSummary,
  today: string,
): RowStanding | undefined {
  const { slug, version, verificationStatus: verification } = summary;
  const skill: SkillAtRegistry = {
    version,
    verification,
    // A row may lack a publisher that the skill has.
    publisher: contractPublisher(summary) ?? undefined,
    contract: { ok: false, unknown: "values" },
  };
  const { drift } = teamStanding({ files, broken: [], registry }, slug, skill, today);
  const name = standingName({ slug, drift, notKnown: [] });
  return name === "unknown" ? undefined : name;
}

function coveredText(
  files: ReviewFiles,
  { slug, registry }: Omit<VersionAtRegistry, "version">,
  { version, publisher = null }: SkillAtRegistry,
  today: string,
  { t, locale }: Language,
): string {
  const coverage = coverageOf(files, { slug, version, registry, publisher }, today);
  const by = coverage.kind === "covered" ? coverage.by : "review";
  switch (by) {
    case "exemption":
      return t("Exempted from reviews in this workspace, for now.");
    case "publisher":
      return t("This workspace trusts its publisher, for now.");
    case "review": {
      const review = reviewsOf(files.reviews, slug, registry).findLast((item) =>
        isSameVersion(item.version, version),
      );
      if (review === undefined) return t("It needs no review in this workspace.");
      const { who, when, criteria } = review;
      const day = dateFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
      const date = day.format(new Date(when));
      return t("{version} matches the review by {who} for {criteria}, {date}.", {
        version,
        who,
        criteria: criteria.join(", "),
        date,
      });
    }
  }
}
