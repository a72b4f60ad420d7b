import { join } from "node:path";
import type { Invocation, InvocationOutcome } from "../../core/invocation/invocation";
import type { RateScope } from "../../core/invocation/rateLimit";
import { pause } from "../../registry/wait";
import { takeLock } from "../files/lock";
import { sha256 } from "../sha256";
import type { RateClocks } from "./rateClock";

/** How an invocation ended: it was not sent, the user canceled it after it was sent, or it ended by itself. */
export type InvocationResult = "notSent" | "cancelled" | "done";

/** Returns how an invocation ended, from its outcome. */
export function endOf(outcome: InvocationOutcome): InvocationResult {
  if (outcome.kind === "notSent") return "notSent";
  const isCancelled = outcome.kind === "outcomeUnknown" && outcome.failure.kind === "cancelled";
  return isCancelled ? "cancelled" : "done";
}

/** The dependencies of claiming an invocation among all windows; claims are files in `lockFolder`. */
export interface ClaimParts {
  readonly clocks: RateClocks;
  readonly lockFolder: string;
}

/** An invocation that this window may send, is in progress already, or would come too early. */
export type InvocationClaim =
  | {
      readonly kind: "acquired";
      /** When it counts as sent, in milliseconds since 1970. */
      readonly sentAt: number;
      /** Ends the claim; an invocation that was not sent releases its place in the rate limit. */
      readonly release: (end: InvocationResult) => Promise<void>;
    }
  | { readonly kind: "inProgress" }
  /** Nobody knows whether it is in progress, and it may only be sent by whoever does. */
  | { readonly kind: "unclaimed" }
  | { readonly kind: "rateLimited"; readonly waitMs: number };

/** The options of a claim. */
export interface ClaimOptions {
  /** Also where the same invocation is in progress already. */
  readonly twice: boolean;
  /** Only where the claim could be written, so that nobody else sends the same. */
  readonly isRequired?: boolean;
  /** Whether the second click of a double click may follow, which must find the claim. True where it is left out. */
  readonly awaitsSecondClick?: boolean;
  /** How many invocations its caller allows itself in a minute, besides the registry's limit. */
  readonly perMinute?: number | undefined;
  /** The latest time of its end, in milliseconds since 1970. */
  readonly endsBefore: number;
}

/**
 * Claims an invocation among all windows of this machine: once unless `twice`, and not before the rate limit
 * allows it. Never rejects.
 */
export async function claimInvocation(
  { clocks, lockFolder }: ClaimParts,
  scope: RateScope,
  invocation: Invocation,
  { twice, isRequired, endsBefore, perMinute, awaitsSecondClick = true }: ClaimOptions,
): Promise<InvocationClaim> {
  const intent = await dedupeAcrossWindows(lockFolder, scope.registry, invocation, endsBefore);
  if (intent.kind === "held" && !twice) return { kind: "inProgress" };
  if (intent.kind === "unavailable" && isRequired === true) return { kind: "unclaimed" };
  const unlock = async (end: InvocationResult) => {
    if (intent.kind === "taken") await intent.release(awaitsSecondClick && end === "done");
  };
  const sentAt = Date.now();
  const waitMs = await clocks.claim(scope, sentAt, perMinute);
  if (waitMs > 0) {
    await unlock("notSent");
    return { kind: "rateLimited", waitMs };
  }
  const release = async (end: InvocationResult) => {
    await unlock(end);
    if (end === "notSent") await clocks.giveBack(scope, sentAt);
  };
  return { kind: "acquired", sentAt, release };
}

/** The second click of a double click comes within this time, in any window. */
export const doubleClickMs = 600;

/** An invocation claimed here, in progress somewhere, or one whose claim could not be written. */
export type InvocationLock =
  | {
      readonly kind: "taken";
      /** Ends the claim: immediately, or not before a double click is over where its second click may still come. */
      readonly release: (awaitsSecondClick: boolean) => Promise<void>;
    }
  | { readonly kind: "held" }
  | { readonly kind: "unavailable" };

/**
 * Claims an invocation among all windows of this machine, so that the same payload started in two of them is
 * sent once. The claim is a short-lived file in `folder`; it ends with `release`, with the window, or at
 * `endsBefore` (milliseconds since 1970).
 */
export async function dedupeAcrossWindows(
  folder: string,
  registry: string,
  invocation: Invocation,
  endsBefore: number,
): Promise<InvocationLock> {
  const { skillSlug, version, inputText } = invocation;
  const name = sha256([registry, skillSlug, version, inputText].join("\0")).slice(0, 40);
  const startedAt = performance.now();
  const answer = await takeLock(join(folder, `${name}.lock`), endsBefore);
  if (answer.kind !== "taken") return answer;
  return {
    kind: "taken",
    release: async (awaitsSecondClick) => {
      const rest = awaitsSecondClick ? doubleClickMs - (performance.now() - startedAt) : 0;
      if (rest <= 0) return answer.release();
      void pause(rest).then(answer.release);
    },
  };
}
