import type { Contract } from "../skill/compare/contract";
import { type Change, difference } from "../skill/difference";
import type { Sides } from "../skill/differenceText";
import type { Permissions } from "../skill/permissions";
import type { Coverage } from "./coverage";
import type { Violation } from "./files/reviewFiles";

/** The rank of each kind of drift, the worst first. A kind without a rank does not compile. */
export const driftRanks: Readonly<Record<Drift["kind"], number>> = {
  violation: 0,
  "not-offered": 1,
  "contract-changed": 2,
  "permissions-raised": 3,
  "verification-lowered": 4,
  "publisher-changed": 5,
  "price-changed": 6,
  "other-registry": 7,
  "version-unreviewed": 8,
  expired: 9,
  unreviewed: 10,
};

/** Ranks a kind of drift in a report, the worst first. Other rules come last. */
export function driftRank(rule: string | undefined): number {
  const all = Object.entries(driftRanks);
  return all.find(([kind]) => kind === rule)?.[1] ?? all.length;
}

/** One way in which a skill differs from its reviews. */
export type Drift = { readonly version: string } & (
  | { readonly kind: "violation"; readonly violation: Violation }
  /**
   * The reviewed version cannot be invoked: its status is suspended or rejected, or undefined if the registry no longer
   * has the skill.
   */
  | { readonly kind: "not-offered"; readonly status: string | undefined }
  /**
   * The same version has another contract. Price and publisher may change within a version and are separate
   * kinds.
   */
  | {
      readonly kind: "contract-changed";
      /** Undefined if the reviewed contract was not stored. */
      readonly sides: Sides | undefined;
    }
  | {
      readonly kind: "permissions-raised";
      readonly before: Permissions | undefined;
      readonly now: Permissions | undefined;
    }
  | { readonly kind: "verification-lowered"; readonly before: string; readonly now: string }
  | {
      readonly kind: "publisher-changed";
      readonly before: string | null;
      readonly now: string | null;
    }
  | {
      readonly kind: "price-changed";
      readonly before: Contract["prices"];
      readonly now: Contract["prices"];
    }
  /** The skill was reviewed only at other registries, and a review counts only at its own. */
  | {
      readonly kind: "other-registry";
      readonly registry: string;
      /** The other registries, each with the last version reviewed there. */
      readonly others: readonly { readonly registry: string; readonly version: string }[];
    }
  /** Another version is reviewed. A review of the step from that version would suffice. */
  | {
      readonly kind: "version-unreviewed";
      readonly criteria: readonly string[];
      readonly from: string;
      /** Whether the whole contract equals that of `from`. */
      readonly isSameContract: boolean;
      /** Undefined if either contract is unknown. */
      readonly sides: Sides | undefined;
    }
  | ({ readonly kind: "expired" } & Pick<Extract<Coverage, { kind: "expired" }>, "by" | "until">)
  /** No review of the skill attests these criteria. */
  | { readonly kind: "unreviewed"; readonly criteria: readonly string[] }
);

/** Lists the changes in parts that must not change within a version. */
export function fixedChanges({ before, after }: Sides): readonly Change[] {
  return difference(before, after, ["permissions", "runtime", "inputSchema", "outputSchema"]);
}

/** Lists the changes of a step to another version, without those that are a kind of drift themselves. */
export function stepChanges({ before, after }: Sides): readonly Change[] {
  return difference(before, after, ["runtime", "inputSchema", "outputSchema"]);
}

/** Returns the remedy for a finding; null for none, and for a finding that is no drift. */
export function driftRemedy(rule: string): "compare" | "review" | null {
  return Object.entries(driftRemedies).find(([kind]) => kind === rule)?.[1] ?? null;
}

/**
 * The remedy for each kind of drift: `compare` for a review after a comparison of two contracts, `review` for a review
 * alone, null if neither helps.
 */
const driftRemedies: Readonly<Record<Drift["kind"], "compare" | "review" | null>> = {
  violation: null,
  "not-offered": null,
  "contract-changed": "compare",
  "permissions-raised": "compare",
  "verification-lowered": "review",
  "publisher-changed": "compare",
  "price-changed": "compare",
  "other-registry": "review",
  "version-unreviewed": "compare",
  expired: "review",
  unreviewed: "review",
};
