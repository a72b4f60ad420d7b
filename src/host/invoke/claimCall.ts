import type { Invocation } from "../../core/invocation/invocation";
import type { RatePlace } from "../../core/invocation/limits/rateClock";
import type { CallEnd } from "./callEnd";
import { lockIntent } from "./intentLock";
import type { RateClocks } from "./rateClocks";

/** What claiming a call among all windows needs; claims are files in `lockFolder`. */
export interface CallClaims {
  readonly clocks: RateClocks;
  readonly lockFolder: string;
}

/** A call that is this window's to send, is under way already, or would come too early. */
export type CallClaim =
  | {
      readonly kind: "mine";
      /** When the call counts as sent, in milliseconds since 1970. */
      readonly sentAt: number;
      /** Lets the call go; one that was not sent gives its place in the rate back. */
      readonly release: (end: CallEnd) => Promise<void>;
    }
  | { readonly kind: "underWay" }
  | { readonly kind: "held"; readonly seconds: number };

/** How a call is claimed. */
export interface ClaimOptions {
  /** Also where the same call is under way already. */
  readonly twice: boolean;
  /** When the call has ended at the latest, in milliseconds since 1970. */
  readonly endsBefore: number;
}

/**
 * Claims a call among all windows of this machine: once per intent unless `twice`, and not before the
 * rate allows it. Never rejects.
 */
export async function claimCall(
  { clocks, lockFolder }: CallClaims,
  place: RatePlace,
  call: Invocation,
  { twice, endsBefore }: ClaimOptions,
): Promise<CallClaim> {
  const intent = await lockIntent(lockFolder, place.registry, call, endsBefore);
  if (intent.kind === "held" && !twice) return { kind: "underWay" };
  const unlock = async (end: CallEnd) => {
    if (intent.kind === "taken") await intent.release(end === "done");
  };
  const sentAt = Date.now();
  const seconds = await clocks.claim(place, sentAt);
  if (seconds > 0) {
    await unlock("notSent");
    return { kind: "held", seconds };
  }
  const release = async (end: CallEnd) => {
    await unlock(end);
    if (end === "notSent") await clocks.giveBack(place, sentAt);
  };
  return { kind: "mine", sentAt, release };
}
