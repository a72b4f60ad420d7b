import type { RegistryFailure, Result } from "../registry/registryFailure";
import {
  type Contract,
  type ContractReading,
  completeContract,
  type UnknownPart,
} from "../skill/compare/contract";
import { type Change, difference } from "../skill/difference";
import { isSameVersion } from "../skill/isNewerVersion";
import type { Permissions } from "../skill/permissions";
import {
  type Coverage,
  coverageOf,
  nearestReview,
  type ReviewFiles,
  reviewedContract,
  reviewsOf,
  type VersionAtRegistry,
} from "./coverage";
import { type Drift, driftRanks, fixedChanges } from "./drift";
import { contractOf } from "./files/contractFiles";
import { isVersionReview, type Review } from "./files/reviewFiles";

/** One version of a skill as the registry describes it now. The version is empty if the registry does not name it. */
export interface SkillAtRegistry {
  readonly version: string;
  readonly contract: ContractReading;
  readonly verification?: string | undefined;
  /** The publisher as in a contract, known even if the rest of the contract is not; left out if unknown. */
  readonly publisher?: string | null | undefined;
  /** The publishers, as in a contract, that may list this skill beyond their list's end; `any` for every one. */
  readonly cutOffPublishers?: readonly string[] | "any" | undefined;
}

/** The facts to compare with the reviews of a skill. */
export interface CheckedSkill {
  readonly slug: string;
  /** The registry that was read, as in a review. */
  readonly registry: string;
  /** The used versions; empty if the skill is only reviewed. An empty version is the registry's current one. */
  readonly usedVersions: readonly string[];
  /** The registry's current version, or why it could not be read. */
  readonly current: Result<SkillAtRegistry>;
  /** Other versions that were requested and that the registry still returns. */
  readonly others: readonly SkillAtRegistry[];
}

/** Why the standing of a skill is unknown. */
export type NotKnown =
  | { readonly kind: "failure"; readonly failure: RegistryFailure }
  /** The registry does not return this version. */
  | { readonly kind: "version"; readonly version: string }
  /** A part of the contract could not be read. */
  | {
      readonly kind: "contract";
      readonly version: string;
      readonly part: UnknownPart;
    }
  /** The registry no longer provides a reviewed part that may change within a version. */
  | { readonly kind: "lost"; readonly version: string; readonly part: LosablePart }
  /**
   * The registry's list of publishers ends before this skill, or has only verified skills. The rest of the contract is
   * as reviewed.
   */
  | { readonly kind: "unlisted"; readonly version: string };

/** A part of a contract that a registry may know for some skills only. */
type LosablePart = "publisher" | "prices";

/**
 * The standing of a skill: its drift, the worst first, and why parts of it are unknown. A skill without either is as
 * reviewed.
 */
export interface SkillStanding {
  readonly slug: string;
  readonly drift: readonly Drift[];
  readonly notKnown: readonly NotKnown[];
}

/** Compares a skill with its reviews on a day (`YYYY-MM-DD` by UTC). */
export function skillStanding(
  files: ReviewFiles,
  { slug, registry, usedVersions, current, others }: CheckedSkill,
  today: string,
): SkillStanding {
  const drift: Drift[] = [];
  const notKnown: NotKnown[] = [];
  if (!current.ok) {
    const isReviewed = reviewsOf(files.reviews, slug, registry).length > 0;
    if (isReviewed && current.failure.kind === "notFound") {
      drift.push({ kind: "not-offered", version: "", status: undefined });
    } else notKnown.push({ kind: "failure", failure: current.failure });
  }
  const found = [...(current.ok ? [current.value] : []), ...others].map((item) =>
    withCompleteContract(files, { slug, registry }, item),
  );
  const checkedVersions = new Set(
    (usedVersions.length === 0 ? [""] : usedVersions).flatMap((version) => {
      if (version !== "") return [version];
      return current.ok ? [current.value.version] : [];
    }),
  );
  // Versions whose publisher is unknown. If the publisher is a trusted one, they need no review.
  const undecided = new Set<string>();
  for (const version of checkedVersions) {
    const skill = found.find((item) => isSameVersion(item.version, version));
    const at = { slug, version, registry };
    // The registry does not return this version, so use the current version's publisher.
    const publisher = publisherOf(skill ?? (current.ok ? current.value : undefined));
    const coverage = coverageOf(files, { ...at, publisher }, today);
    if (coverage.kind === "publisherUnknown") undecided.add(version);
    drift.push(...recordedDrift(files, at, skill, coverage));
    if (skill !== undefined) {
      const compared = comparedDrift(files, at, skill);
      drift.push(...compared.drift);
      for (const part of compared.lost) {
        const isUnlisted = part === "publisher" && compared.isPublisherUnlisted;
        notKnown.push(isUnlisted ? { kind: "unlisted", version } : { kind: "lost", version, part });
      }
    } else if (current.ok) notKnown.push({ kind: "version", version });
  }
  for (const skill of found) {
    const { contract, version } = skill;
    const parts = new Set([
      ...(undecided.has(version) ? (["publisher"] as const) : []),
      ...(contract.ok || isPermissionNew(drift, skill) ? [] : [contract.unknown]),
    ]);
    for (const part of parts) notKnown.push({ kind: "contract", version, part });
    if (contract.ok && !checkedVersions.has(version))
      drift.push(...changedContract(files, { slug, version, registry }, skill));
  }
  const worstFirst = drift.toSorted((one, other) => driftRanks[one.kind] - driftRanks[other.kind]);
  return { slug, drift: worstFirst, notKnown };
}

/** Completes a contract of which a Project Key shows only parts, if those parts equal the reviewed contract's. */
function withCompleteContract(
  files: ReviewFiles,
  { slug, registry }: Omit<VersionAtRegistry, "version">,
  found: SkillAtRegistry,
): SkillAtRegistry {
  const { contract, version } = found;
  if (contract.ok || contract.knownParts === undefined) return found;
  const reviewed = reviewedContract(files, { slug, registry, version });
  const read = reviewed && completeContract(contract.knownParts, reviewed);
  return read === undefined ? found : { ...found, contract: read };
}

/**
 * Returns whether a contract is unknown only because of a permission that `drift` already reports as not covered by the
 * review.
 */
function isPermissionNew(drift: readonly Drift[], { contract, version }: SkillAtRegistry): boolean {
  if (contract.ok || contract.permissions === undefined) return false;
  return drift.some(
    (item) => item.kind === "permissions-raised" && isSameVersion(item.version, version),
  );
}

/**
 * Returns the publisher of a version as in a contract. Undefined if unknown, for instance if the registry's list of
 * publishers lacks the skill.
 */
function publisherOf(skill: SkillAtRegistry | undefined): string | undefined {
  const named = skill?.contract.ok ? skill.contract.contract.publisher : undefined;
  return skill?.publisher ?? named ?? undefined;
}

/** Returns the drift that follows from the files alone: violations, and reviews that are missing or expired. */
function recordedDrift(
  files: ReviewFiles,
  at: VersionAtRegistry,
  found: SkillAtRegistry | undefined,
  coverage: Coverage,
): readonly Drift[] {
  const { slug, version, registry } = at;
  const violation = files.reviews.find((review) => isViolation(review, slug, version));
  if (violation?.kind === "violation") return [{ kind: "violation", version, violation }];
  const reviewed = nearestReview(files.reviews, at);
  const contract = found?.contract.ok ? found.contract.contract : undefined;
  if (coverage.kind === "covered" || coverage.kind === "publisherUnknown") return [];
  if (coverage.kind === "expired") {
    const { by, until } = coverage;
    return [{ kind: "expired", version, by, until }];
  }
  const { criteria } = coverage;
  const others = reviewed === undefined ? otherRegistries(files, slug) : [];
  if (others.length > 0) return [{ kind: "other-registry", version, registry, others }];
  if (reviewed === undefined || isSameVersion(reviewed.version, version)) {
    return [{ kind: "unreviewed", version, criteria }];
  }
  const before = contractOf(files.contracts, reviewed)?.contract;
  const sides = before && contract && { before, after: contract };
  const isSameContract = found?.contract.ok === true && found.contract.hash === reviewed.contract;
  const from = reviewed.version;
  return [{ kind: "version-unreviewed", version, criteria, from, isSameContract, sides }];
}

/** Lists the registries at which a skill was reviewed, each with its last reviewed version. */
function otherRegistries({ reviews }: ReviewFiles, slug: string) {
  const own = reviews.filter(isVersionReview).filter(({ skill }) => skill === slug);
  const last = new Map(own.map(({ registry, version }) => [registry, version]));
  return [...last].map(([registry, version]) => ({ registry, version }));
}

function isViolation(review: Review, slug: string, version: string): boolean {
  if (review.kind !== "violation" || review.skill !== slug) return false;
  return review.version === undefined || isSameVersion(review.version, version);
}

/** Compares the reviewed contract with that of the version in use. */
function comparedDrift(
  files: ReviewFiles,
  at: VersionAtRegistry,
  found: SkillAtRegistry,
): {
  readonly drift: readonly Drift[];
  readonly lost: readonly LosablePart[];
  readonly isPublisherUnlisted?: boolean;
} {
  const { slug, registry } = at;
  const { version, contract, verification } = found;
  const review = nearestReview(files.reviews, at);
  if (review === undefined) return { drift: [], lost: [] };
  const drift: Drift[] = [...changedContract(files, at, found)];
  const attested = reviewsOf(files.reviews, slug, registry).findLast(
    (item) => isSameVersion(item.version, review.version) && item.verification !== undefined,
  )?.verification;
  if (attested !== undefined && verification !== undefined && isLower(verification, attested)) {
    drift.push({ kind: "verification-lowered", version, before: attested, now: verification });
  } else if (verification === "suspended" || verification === "rejected") {
    drift.push({ kind: "not-offered", version, status: verification });
  }
  const before = contractOf(files.contracts, review)?.contract;
  // A contract with a permission of an unknown name cannot be reviewed, so the permission is new.
  if (before !== undefined && !contract.ok && contract.permissions !== undefined) {
    const [old, fresh] = [permissionsOf(before), contract.permissions];
    drift.push({ kind: "permissions-raised", version, before: old, now: fresh });
  }
  if (before === undefined || !contract.ok) return { drift, lost: [] };
  const now = contract.contract;
  const changes = difference(before, now, ["permissions", "publisher", "prices"]);
  // A registry that no longer declares a skill's permissions may allow it anything.
  const isRaised = changes.some(
    ({ part, kind, impact }) =>
      part === "permissions" && (kind === "unknown" ? now.permissions === null : impact !== "safe"),
  );
  if (isRaised) {
    const [old, fresh] = [permissionsOf(before), permissionsOf(now)];
    drift.push({ kind: "permissions-raised", version, before: old, now: fresh });
  }
  // What a registry no longer provides is unknown. What it provides only now was not reviewed.
  const changed = changes.filter(({ part, kind }) => {
    if (kind !== "unknown") return true;
    return part === "publisher" ? now.publisher !== null : hasEveryAmount(now.prices);
  });
  const has = (list: readonly Change[], name: LosablePart) =>
    list.some(({ part }) => part === name);
  const lost = (["publisher", "prices"] as const).filter(
    (part) => has(changes, part) && !has(changed, part),
  );
  if (has(changed, "publisher")) {
    const { publisher } = before;
    drift.push({ kind: "publisher-changed", version, before: publisher, now: now.publisher });
  }
  if (has(changed, "prices")) {
    drift.push({ kind: "price-changed", version, before: before.prices, now: now.prices });
  }
  const isSameElse = changes.length === 1 && fixedChanges({ before, after: now }).length === 0;
  return { drift, lost, isPublisherUnlisted: isSameElse && mayBeUnlisted(found, before.publisher) };
}

/** Returns whether the registry's list of publishers may lack a skill of this publisher. */
function mayBeUnlisted(
  { verification = "verified", cutOffPublishers = [] }: SkillAtRegistry,
  publisher: string | null,
): boolean {
  if (verification !== "verified" || cutOffPublishers === "any") return true;
  return publisher !== null && cutOffPublishers.includes(publisher);
}

/** Returns whether there are prices, and each is free or has an amount and a currency. */
function hasEveryAmount(prices: Contract["prices"]): boolean {
  const isStated = ({ billingModel, unitAmountCents, currency }: Contract["prices"][number]) =>
    billingModel === "free" || (unitAmountCents !== undefined && currency !== undefined);
  return prices.length > 0 && prices.every(isStated);
}

/**
 * Returns the drift of a reviewed version whose contract changed in a part that should never change within a version.
 */
function changedContract(
  files: ReviewFiles,
  { slug, registry }: VersionAtRegistry,
  { version, contract }: SkillAtRegistry,
): readonly Drift[] {
  const review = reviewsOf(files.reviews, slug, registry).findLast((item) =>
    isSameVersion(item.version, version),
  );
  if (review === undefined || !contract.ok || contract.hash === review.contract) return [];
  const before = contractOf(files.contracts, review)?.contract;
  if (before === undefined) return [{ kind: "contract-changed", version, sides: undefined }];
  const sides = { before, after: contract.contract };
  return fixedChanges(sides).length === 0 ? [] : [{ kind: "contract-changed", version, sides }];
}

/** From worst to best: blocked, unverified, deprecated (which still runs), verified. */
const verifications = ["suspended", "rejected", "draft", "submitted", "deprecated", "verified"];

/** Returns whether a verification is lower than before. False if either has no known rank. */
function isLower(now: string, before: string): boolean {
  const [rank, earlier] = [verifications.indexOf(now), verifications.indexOf(before)];
  return rank >= 0 && earlier >= 0 && rank < earlier;
}

function permissionsOf({ permissions }: Contract): Permissions | undefined {
  return permissions ?? undefined;
}
