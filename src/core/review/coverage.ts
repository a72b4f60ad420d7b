import { isNewerVersion } from "../skill/isNewerVersion";
import type { SkillAddress } from "../skill/skillAddress";
import {
  type Contracts,
  isVersionReview,
  type Review,
  type ReviewPolicy,
  type VersionReview,
} from "./reviewFiles";

/** All that a repository's files say about reviewed skills. */
export interface ReviewFiles {
  readonly policy: ReviewPolicy;
  /** The oldest first. */
  readonly reviews: readonly Review[];
  readonly contracts: Contracts;
}

/**
 * Whether the reviews allow a version. `missing` names the criteria that nothing attests; `publisherUnknown`
 * is a version that trust in its publisher would cover if the publisher were known.
 */
export type Coverage =
  | { readonly kind: "covered"; readonly by: "review" | "exemption" | "publisher" }
  | {
      readonly kind: "expired";
      readonly by: "review" | "exemption" | "publisher";
      readonly until: string;
    }
  | { readonly kind: "missing"; readonly criteria: readonly string[] }
  | { readonly kind: "publisherUnknown" };

/** A version of a skill at a registry, which is named as in a review. */
export interface VersionAtRegistry extends SkillAddress {
  readonly registry: string;
}

/** A version of a skill at a registry, and its publisher as a contract names it; undefined where unknown. */
interface CoveredVersion extends VersionAtRegistry {
  readonly publisher: string | null | undefined;
}

/** Names the criteria a skill must be reviewed for. */
export function requiredCriteria({ require, skills = {} }: ReviewPolicy, slug: string) {
  return Object.hasOwn(skills, slug) ? (skills[slug]?.require ?? require) : require;
}

/** Returns whether a version is covered on a day (`YYYY-MM-DD`) for all criteria its skill requires. */
export function coverageOf(files: ReviewFiles, version: CoveredVersion, today: string): Coverage {
  const verdicts = requiredCriteria(files.policy, version.slug).map((criterion) => ({
    criterion,
    grants: grantsOf(files, version, criterion, today),
  }));
  const open = verdicts.filter(({ grants }) => !grants.some((grant) => isLasting(grant, today)));
  const criteria = open.map(({ criterion }) => criterion);
  if (open.length > 0 && mayBeTrusted(files.policy, version, criteria, today)) {
    return { kind: "publisherUnknown" };
  }
  const missing = verdicts.filter(({ grants }) => grants.length === 0);
  if (missing.length > 0) {
    return { kind: "missing", criteria: missing.map(({ criterion }) => criterion) };
  }
  const lasting = verdicts.map(({ grants }) => grants.toSorted(byUntil).at(-1));
  const [first] = lasting.filter((grant) => grant !== undefined).toSorted(byUntil);
  if (first === undefined) return { kind: "covered", by: "review" };
  const { by, until } = first;
  return until !== undefined && !isLasting(first, today)
    ? { kind: "expired", by, until }
    : { kind: "covered", by };
}

/** Returns whether the publisher is unknown and some publisher is trusted for all these criteria. */
function mayBeTrusted(
  policy: ReviewPolicy,
  { registry, publisher }: CoveredVersion,
  criteria: readonly string[],
  today: string,
): boolean {
  if (publisher !== undefined) return false;
  const trusted = trustAt(policy, registry, today).filter((one) => isLasting(one, today));
  const isTrusted = (name: string, criterion: string) =>
    trusted.some((one) => one.publisher === name && attests(policy, one.criteria, criterion));
  return trusted.some((one) => criteria.every((criterion) => isTrusted(one.publisher, criterion)));
}

/** Allows a version for one criterion, with the last day it does; forever where it has none. */
interface Grant {
  readonly by: "review" | "exemption" | "publisher";
  readonly until?: string | undefined;
}

function grantsOf(
  { policy, reviews }: ReviewFiles,
  { slug, version, registry, publisher }: CoveredVersion,
  criterion: string,
  today: string,
): readonly Grant[] {
  const attested = (criteria: readonly string[]) => attests(policy, criteria, criterion);
  const exemptions = (policy.exemptions ?? []).filter(
    (one) =>
      countsAt(one, registry) &&
      one.skill === slug &&
      (one.version === undefined || one.version === version) &&
      attested(one.criteria),
  );
  const trusted = trustAt(policy, registry, today).filter(
    (one) => one.publisher === publisher && attested(one.criteria),
  );
  return [
    ...reviewGrants(reviewsOf(reviews, slug, registry), version, attested),
    ...exemptions.map(({ until }) => ({ by: "exemption" as const, until })),
    ...trusted.map(({ until }) => ({ by: "publisher" as const, until })),
  ];
}

/** The trust in publishers that applies at a registry and has begun; it may have ended. */
function trustAt(
  { trustedPublishers = [] }: ReviewPolicy,
  registry: string,
  today: string,
): NonNullable<ReviewPolicy["trustedPublishers"]> {
  return trustedPublishers.filter((one) => countsAt(one, registry) && one.from <= today);
}

function countsAt(one: { readonly registry?: string }, registry: string): boolean {
  return one.registry === undefined || one.registry === registry;
}

/**
 * A version is reviewed as a whole, or by steps from one that is. A chain of steps is valid until the first
 * of them expires.
 */
function reviewGrants(
  reviews: readonly VersionReview[],
  version: string,
  attested: (criteria: readonly string[]) => boolean,
): readonly Grant[] {
  const own = reviews.filter(({ criteria }) => attested(criteria));
  const best = new Map<string, Grant>();
  // Each round of steps reaches at least one more version, or nothing changes anymore.
  for (let changed = true; changed; ) {
    changed = false;
    for (const { from, version: to, until } of own) {
      const base = from === undefined ? { by: "review" as const } : best.get(from);
      if (base === undefined) continue;
      const grant = { by: "review" as const, until: earlier(base.until, until) };
      const known = best.get(to);
      if (known !== undefined && byUntil(grant, known) <= 0) continue;
      best.set(to, grant);
      changed = true;
    }
  }
  const grant = best.get(version);
  return grant === undefined ? [] : [grant];
}

/** Lists the reviews of a skill's versions at a registry, the oldest first. */
export function reviewsOf(
  reviews: readonly Review[],
  slug: string,
  registry: string,
): readonly VersionReview[] {
  return reviews
    .filter(isVersionReview)
    .filter((review) => review.skill === slug && review.registry === registry);
}

/**
 * Finds the review to compare a version with: the last one of the same version, else of the newest version
 * before it, else the last of all.
 */
export function nearestReview(
  reviews: readonly Review[],
  { slug, version, registry }: VersionAtRegistry,
): VersionReview | undefined {
  const own = reviewsOf(reviews, slug, registry);
  const same = own.findLast((review) => review.version === version);
  if (same !== undefined) return same;
  const older = own.filter((review) => isNewerVersion(version, review.version));
  const newest = older.reduce<VersionReview | undefined>(
    (best, review) =>
      best === undefined || !isNewerVersion(best.version, review.version) ? review : best,
    undefined,
  );
  return newest ?? own.at(-1);
}

/** Returns whether criteria attest one, directly or by what they imply, over any number of steps. */
function attests(policy: ReviewPolicy, criteria: readonly string[], wanted: string): boolean {
  const met = new Set(criteria);
  for (const name of met) {
    const { implies = [] } = (Object.hasOwn(policy.criteria, name) && policy.criteria[name]) || {};
    for (const other of implies) met.add(other);
  }
  return met.has(wanted);
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

function isLasting({ until }: Pick<Grant, "until">, today: string): boolean {
  return until === undefined || until >= today;
}

/** Sorts by end, the earliest first; grants without an end come last. */
function byUntil(one: Pick<Grant, "until">, other: Pick<Grant, "until">): number {
  if (one.until === other.until) return 0;
  if (one.until === undefined) return 1;
  return other.until !== undefined && one.until > other.until ? 1 : -1;
}
