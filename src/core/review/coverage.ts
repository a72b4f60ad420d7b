import type { KnownContract } from "../skill/compare/contract";
import { isNewerVersion, isSameVersion } from "../skill/isNewerVersion";
import type { SkillAddress } from "../skill/skillAddress";
import { type Contracts, contractOf } from "./files/contractFiles";
import {
  isVersionReview,
  type Review,
  type ReviewPolicy,
  type VersionReview,
} from "./files/reviewFiles";

/** The parsed review files of a repository. */
export interface ReviewFiles {
  readonly policy: ReviewPolicy;
  /** The oldest first. */
  readonly reviews: readonly Review[];
  readonly contracts: Contracts;
}

/**
 * Whether the reviews allow a version. `missing` names the criteria without a review. `publisherUnknown` means that
 * trust in some publisher would cover the version, but its publisher is unknown.
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

/** A version of a skill at a registry, and its publisher as in a contract; undefined if unknown. */
interface CoveredVersion extends VersionAtRegistry {
  readonly publisher: string | null | undefined;
}

/** Returns the criteria for which a skill must be reviewed. */
export function requiredCriteria({ require, skills = {} }: ReviewPolicy, slug: string) {
  return Object.hasOwn(skills, slug) ? (skills[slug]?.require ?? require) : require;
}

/** Returns whether a version is covered on a day (`YYYY-MM-DD`) for all criteria that its skill requires. */
export function coverageOf(files: ReviewFiles, version: CoveredVersion, today: string): Coverage {
  const { policy } = files;
  const required = requiredCriteria(policy, version.slug);
  const attested = attestedBits(policy, required);
  const grants = [
    ...reviewGrants(reviewsOf(files.reviews, version.slug, version.registry), version, attested),
    ...otherGrants(policy, version, attested, today),
  ];
  const verdicts = required.map((criterion, index) => ({
    criterion,
    grants: grants.filter(({ bits }) => (bits & bitOf(index)) !== 0n),
  }));
  const isOpen = (grants: readonly Grant[]) => !grants.some((grant) => isLasting(grant, today));
  const open = verdicts.flatMap(({ grants }, index) => (isOpen(grants) ? [index] : []));
  if (open.length > 0 && mayBeTrusted(policy, version, { open, attested }, today)) {
    return { kind: "publisherUnknown" };
  }
  const missing = verdicts.filter(({ grants }) => grants.length === 0);
  if (missing.length > 0) {
    return { kind: "missing", criteria: missing.map(({ criterion }) => criterion) };
  }
  const lasting = verdicts.map(({ grants }) => grants.toSorted(compareEnds).at(-1));
  const [first] = lasting.filter((grant) => grant !== undefined).toSorted(compareEnds);
  if (first === undefined) return { kind: "covered", by: "review" };
  const { by, until } = first;
  return until !== undefined && !isLasting(first, today)
    ? { kind: "expired", by, until }
    : { kind: "covered", by };
}

/** Returns whether the publisher is unknown and some publisher is trusted for all open criteria. */
function mayBeTrusted(
  policy: ReviewPolicy,
  { registry, publisher }: CoveredVersion,
  { open, attested }: { readonly open: readonly number[]; readonly attested: AttestedBits },
  today: string,
): boolean {
  if (publisher !== undefined) return false;
  const wanted = open.reduce((bits, index) => bits | bitOf(index), 0n);
  const trusted = new Map<string, bigint>();
  for (const trust of trustedPublishersAt(policy, registry, today)) {
    if (!isLasting(trust, today)) continue;
    const bits = (trusted.get(trust.publisher) ?? 0n) | attested(trust.criteria);
    if ((bits & wanted) === wanted) return true;
    trusted.set(trust.publisher, bits);
  }
  return false;
}

/**
 * Returns the required criteria that a list attests, directly or by implication, as bits. The first required criterion
 * is the lowest bit.
 */
type AttestedBits = (criteria: readonly string[]) => bigint;

function bitOf(index: number): bigint {
  return 1n << BigInt(index);
}

/**
 * Creates a function that returns attested criteria as bits. It resolves the implications of each criterion only once,
 * since the file may have thousands of lists.
 */
function attestedBits(policy: ReviewPolicy, required: readonly string[]): AttestedBits {
  const known = new Map<string, bigint>();
  const bitsOf = (criterion: string) => {
    const met = new Set([criterion]);
    for (const name of met) {
      const { implies = [] } =
        (Object.hasOwn(policy.criteria, name) && policy.criteria[name]) || {};
      for (const other of implies) met.add(other);
    }
    return required.reduce((bits, name, index) => (met.has(name) ? bits | bitOf(index) : bits), 0n);
  };
  return (criteria) => {
    let all = 0n;
    for (const criterion of criteria) {
      const bits = known.get(criterion) ?? bitsOf(criterion);
      known.set(criterion, bits);
      all |= bits;
    }
    return all;
  };
}

/** The permission to use a version, for the criteria in `bits`, until its last day; forever without one. */
interface Grant {
  readonly by: "review" | "exemption" | "publisher";
  readonly until?: string | undefined;
  readonly bits: bigint;
}

function otherGrants(
  policy: ReviewPolicy,
  { slug, version, registry, publisher }: CoveredVersion,
  attested: AttestedBits,
  today: string,
): readonly Grant[] {
  const exemptions = (policy.exemptions ?? []).filter(
    (exemption) =>
      appliesAt(exemption, registry) &&
      exemption.skill === slug &&
      (exemption.version === undefined || isSameVersion(exemption.version, version)),
  );
  const trusted = trustedPublishersAt(policy, registry, today).filter(
    (item) => item.publisher === publisher,
  );
  return [
    ...exemptions.map((exemption) => ({ ...exemption, by: "exemption" as const })),
    ...trusted.map((item) => ({ ...item, by: "publisher" as const })),
  ].map(({ by, until, criteria }) => ({ by, until, bits: attested(criteria) }));
}

/** Lists the policy's entries for trusted publishers that apply at a registry and have begun. Some may have ended. */
function trustedPublishersAt(
  { trustedPublishers = [] }: ReviewPolicy,
  registry: string,
  today: string,
): NonNullable<ReviewPolicy["trustedPublishers"]> {
  return trustedPublishers.filter(
    (trustedPublisher) => appliesAt(trustedPublisher, registry) && trustedPublisher.from <= today,
  );
}

function appliesAt(entry: { readonly registry?: string }, registry: string): boolean {
  return entry.registry === undefined || entry.registry === registry;
}

/**
 * Lists what the reviews of a skill allow. A review covers a whole version, or a step from a reviewed version. A chain
 * of steps is valid until its first step expires. Reviews are processed from the longest valid to the shortest, so the
 * review that completes a chain sets the chain's end. Each step is followed once per criterion, in whatever order the
 * file lists the steps.
 */
function reviewGrants(
  reviews: readonly VersionReview[],
  { version }: CoveredVersion,
  attested: AttestedBits,
): readonly Grant[] {
  const grants: Grant[] = [];
  const reached = new Map<string, bigint>();
  const steps = new Map<string, { readonly to: string; readonly bits: bigint }[]>();
  for (const { from, version: to, until, criteria } of reviews.toSorted(byLastDay)) {
    const bits = attested(criteria);
    if (from !== undefined) {
      const known = steps.get(from);
      if (known === undefined) steps.set(from, [{ to, bits }]);
      else known.push({ to, bits });
    }
    const next = [{ to, bits: from === undefined ? bits : bits & (reached.get(from) ?? 0n) }];
    for (const one of next) {
      const before = reached.get(one.to) ?? 0n;
      const fresh = one.bits & ~before;
      if (fresh === 0n) continue;
      reached.set(one.to, before | fresh);
      if (isSameVersion(one.to, version)) grants.push({ by: "review", until, bits: fresh });
      for (const step of steps.get(one.to) ?? []) {
        next.push({ to: step.to, bits: step.bits & fresh });
      }
    }
  }
  return grants;
}

function byLastDay(one: VersionReview, other: VersionReview): number {
  return compareEnds(other, one);
}

/** Groups reviews by their skill, in their order. */
export function reviewsBySkill(reviews: readonly Review[]): ReadonlyMap<string, readonly Review[]> {
  const bySkill = new Map<string, Review[]>();
  for (const review of reviews) {
    const own = bySkill.get(review.skill);
    if (own === undefined) bySkill.set(review.skill, [review]);
    else own.push(review);
  }
  return bySkill;
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
 * Finds the review to compare a version with: the last review of the same version, else of the newest earlier version,
 * else of any.
 */
export function nearestReview(
  reviews: readonly Review[],
  { slug, version, registry }: VersionAtRegistry,
): VersionReview | undefined {
  const own = reviewsOf(reviews, slug, registry);
  const same = own.findLast((review) => isSameVersion(review.version, version));
  if (same !== undefined) return same;
  const older = own.filter((review) => isNewerVersion(version, review.version));
  const newest = older.reduce<VersionReview | undefined>(
    (best, review) =>
      best === undefined || !isNewerVersion(best.version, review.version) ? review : best,
    undefined,
  );
  return newest ?? own.at(-1);
}

function isLasting({ until }: Pick<Grant, "until">, today: string): boolean {
  return until === undefined || until >= today;
}

/** Compares the ends of grants: the earliest comes first, no end last. */
function compareEnds(one: Pick<Grant, "until">, other: Pick<Grant, "until">): number {
  if (one.until === other.until) return 0;
  if (one.until === undefined) return 1;
  return other.until !== undefined && one.until > other.until ? 1 : -1;
}

/** Returns the contract of a version's last review; undefined without a review, or without its file. */
export function reviewedContract(
  files: ReviewFiles,
  { slug, registry, version }: VersionAtRegistry,
): KnownContract | undefined {
  const review = reviewsOf(files.reviews, slug, registry).findLast((item) =>
    isSameVersion(item.version, version),
  );
  return review && contractOf(files.contracts, review);
}

/** Returns the registry of a skill's last review, if no review is of the registry in use. */
export function reviewedElsewhere(
  reviews: readonly Review[],
  slug: string,
  inUse: string,
): string | undefined {
  const own = reviews.filter(isVersionReview).filter(({ skill }) => skill === slug);
  return own.some(({ registry }) => registry === inUse) ? undefined : own.at(-1)?.registry;
}
