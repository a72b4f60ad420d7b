import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Who proves: both sides do, so that a token is told to nobody who listens in a window's place. */
type Side = "window" | "command";

/** A number that is used once, by each side. */
export interface Nonces {
  readonly window: string;
  readonly command: string;
}

/** Creates a number that is used once. */
export function newNonce(): string {
  return randomBytes(32).toString("hex");
}

/** Proves to know the token, for one connection. */
export function proofOf(side: Side, token: string, nonces: Nonces): string {
  const about = [side, nonces.window, nonces.command].join("\n");
  return createHmac("sha256", token).update(about).digest("hex");
}

/** Returns whether a proof is that of a side. */
export function isProofOf(side: Side, token: string, nonces: Nonces, proof: string): boolean {
  const [given, expected] = [proof, proofOf(side, token, nonces)].map((text) => Buffer.from(text));
  return (
    given !== undefined && expected?.length === given.length && timingSafeEqual(given, expected)
  );
}
