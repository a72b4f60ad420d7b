import type { Contract } from "./contract";
import { nearestReview, type ReviewFiles } from "./coverage";
import type { SkillAtRegistry } from "./drift";
import {
  contractFileName,
  contractNameFor,
  contractOf,
  contractsFolder,
  type ReviewPolicy,
  type VersionReview,
  writeTeamFile,
} from "./reviewFiles";

/** The version that a person attests, as the registry describes it at that moment. */
export interface Attestation {
  readonly slug: string;
  /** As in a review. */
  readonly registry: string;
  readonly skill: SkillAtRegistry;
  readonly criteria: readonly string[];
  readonly who: string;
  /** An ISO time in UTC. */
  readonly when: string;
  readonly until?: string | undefined;
  readonly notes?: string | undefined;
  /** Attests the whole version, even where a step from a reviewed version would suffice. */
  readonly isWhole: boolean;
}

/** A new review, and what was compared for it. */
export interface NewReview {
  readonly review: VersionReview;
  /** The last review, of this version or of the nearest other one; undefined where there is none. */
  readonly before: { readonly version: string; readonly contract: Contract } | undefined;
  /** The contract that was reviewed. */
  readonly contract: Contract;
}

/**
 * Makes a review: the step from the nearest reviewed version, or the whole version where there is none.
 * Undefined where the skill's contract is not known.
 */
export function newReview(files: ReviewFiles, attestation: Attestation): NewReview | undefined {
  const { slug, registry, skill, criteria, who, when, until, notes, isWhole } = attestation;
  const { version, verification, contract } = skill;
  if (!contract.ok || version === "") return undefined;
  const nearest = nearestReview(files.reviews, { slug, version, registry });
  const from = isWhole || nearest?.version === version ? undefined : nearest?.version;
  const before = nearest && contractOf(files.contracts, nearest);
  const review: VersionReview = {
    kind: from === undefined ? "version" : "step",
    skill: slug,
    ...(from !== undefined && { from }),
    version,
    registry,
    contract: contract.hash,
    ...(verification !== undefined && { verification }),
    criteria,
    who,
    when,
    ...(until !== undefined && { until }),
    ...(notes !== undefined && { notes }),
  };
  return { review, contract: contract.contract, before };
}

/** Writes the files of a folder with a new review: its contract, by path, and all reviews. */
export function reviewFileTexts(
  { reviews, contracts }: ReviewFiles,
  { review, contract }: NewReview,
): { readonly contract: readonly [path: string, text: string]; readonly reviews: string } {
  const { skill: slug, version, registry } = review;
  const name = contractNameFor(reviews, contracts, { slug, version, registry }, review.contract);
  const { registry: at } = name;
  const file = {
    format: 1,
    skill: slug,
    version,
    ...(at !== undefined && { registry: at }),
    contract,
  };
  return {
    contract: [`${contractsFolder}/${contractFileName(name)}`, writeTeamFile(file)],
    reviews: writeTeamFile({ format: 1, reviews: [...reviews, review] }),
  };
}

/** The policy a repository starts with: every skill must be safe to try. */
export function firstPolicy(): ReviewPolicy & { readonly format: 1 } {
  return {
    format: 1,
    criteria: {
      "safe-to-try": {
        description:
          "Schemas, permissions and price were read; what goes in may leave this machine.",
      },
      "customer-facing": {
        description: "Also fit for customers: owner, failures and costs are looked after.",
        implies: ["safe-to-try"],
      },
    },
    require: ["safe-to-try"],
  };
}
