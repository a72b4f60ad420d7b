import { isSameVersion } from "./isNewerVersion";
import { statedLevel, withoutLevel, withPermissions } from "./permissions";
import {
  type Feedback,
  isLatest,
  type Price,
  type Publisher,
  type SkillDetail,
  type SkillNumbers,
  type SkillPart,
  type SkillSummary,
} from "./skill";

/** The response of the skill's own route; it takes precedence over all other sources. */
export interface OwnDetail
  extends Omit<SkillDetail, "unanswered" | "loading" | "summary" | "prices" | "feedback"> {
  readonly summary: SkillSummary;
  readonly prices?: readonly Price[];
  readonly feedback?: Feedback;
}

/** The sources of a skill's page. Undefined for a source that returned nothing. */
export interface SkillSources {
  readonly own: OwnDetail;
  readonly row: SkillSummary | undefined;
  readonly prices: readonly Price[] | undefined;
  readonly feedback: Feedback | undefined;
  /** The skill's publisher in the registry's list of publishers. */
  readonly publisher: Publisher | undefined;
  /** The parts whose source has not responded; left out for none. */
  readonly unanswered?: readonly SkillPart[];
  /** The parts whose source may still respond; left out for none. */
  readonly loading?: readonly SkillPart[];
}

/** Merges everything known about a skill, and lists the parts that are not known yet. */
export function mergeSkill({
  own,
  row,
  publisher: listedPublisher,
  unanswered: missingSources = [],
  loading: lateSources = [],
  ...separate
}: SkillSources): SkillDetail {
  const publisher = own.summary.publisher ?? row?.publisher ?? listedPublisher;
  const prices = own.prices ?? separate.prices;
  const feedback = own.feedback ?? separate.feedback;
  const summary = mergeSummary(own, row, publisher);
  const values: Readonly<Record<SkillPart, unknown>> = {
    listing: summary.verificationStatus,
    prices,
    feedback,
    publisher,
  };
  const unanswered = missingSources.filter((part) => values[part] === undefined);
  const loading = unanswered.filter((part) => lateSources.includes(part));
  const latest = latestVersion(own, row);
  const merged = {
    ...own,
    ...(latest !== undefined && { latestVersion: latest }),
    summary,
    prices,
    feedback,
    ...(unanswered.length > 0 && { unanswered }),
    ...(loading.length > 0 && { loading }),
  };
  return isLatest(merged) ? merged : withoutReview(merged);
}

function latestVersion({ latestVersion, versions }: OwnDetail, row: SkillSummary | undefined) {
  return [latestVersion, row?.version, versions[0]?.version].find((version) => version);
}

function withoutReview({ reviewState: _, reviewedAt: __, ...rest }: SkillDetail): SkillDetail {
  return rest;
}

function mergeSummary(
  own: OwnDetail,
  row: SkillSummary | undefined,
  publisher: Publisher | undefined,
): SkillSummary {
  const summary = own.summary;
  // The level, permissions and runtime in a row are those of the row's version.
  const sameVersionRow =
    summary.version === "" || isSameVersion(summary.version, row?.version) ? row : undefined;
  const level = summary.permissionLevel ?? (sameVersionRow && statedLevel(sameVersionRow));
  const { runtimeType: _, ...anyVersion } = row ?? {};
  const merged = {
    ...withoutLevel({ ...(sameVersionRow ?? anyVersion), ...summary }),
    ...(own.author !== undefined && { author: own.author }),
    displayName:
      summary.displayName === summary.slug
        ? (row?.displayName ?? summary.slug)
        : summary.displayName,
    description: summary.description || (row?.description ?? ""),
    tags: summary.tags.length > 0 ? summary.tags : (row?.tags ?? []),
    version: summary.version || (row?.version ?? ""),
    numbers: { ...row?.numbers, ...definedOnly(summary.numbers) },
    ...(publisher !== undefined && { publisher }),
  };
  const permissions = own.permissions ?? sameVersionRow?.permissions;
  const stated = level === undefined ? merged : { ...merged, permissionLevel: level };
  return permissions === undefined ? stated : withPermissions(stated, permissions);
}

function definedOnly(numbers: SkillNumbers): SkillNumbers {
  return Object.fromEntries(
    Object.entries(numbers).filter(([, value]) => value !== undefined),
  ) as SkillNumbers;
}
