import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** The side that proves. Both do, so that nobody who listens in a window's place learns a token. */
type Side = "window" | "command";

/** The numbers of both sides, each used once. */
export interface Nonces {
  readonly window: string;
  readonly command: string;
}

/** Creates a number that is used once. */
export function newNonce(): string {
  return randomBytes(32).toString("hex");
}

/** Returns the proof that a side knows the token, for one connection. */
export function proofOf(side: Side, token: string, nonces: Nonces): string {
  const about = [side, nonces.window, nonces.command].join("\n");
  return createHmac("sha256", token).update(about).digest("hex");
}

/** Returns whether a proof comes from a side. */
export function isProofOf(side: Side, token: string, nonces: Nonces, proof: string): boolean {
  const [given, expected] = [proof, proofOf(side, token, nonces)].map((text) => Buffer.from(text));
  return (
    given !== undefined && expected?.length === given.length && timingSafeEqual(given, expected)
  );
}
