import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * The side that proves that it knows the token. Both sides must prove it, so that a program that pretends to be a
 * window learns nothing.
 */
type Side = "window" | "command";

/** The nonces of both sides. */
interface Nonces {
  readonly window: string;
  readonly command: string;
}

/** Creates a nonce. */
export function newNonce(): string {
  return randomBytes(32).toString("hex");
}

/** Returns a side's proof that it knows the token, for one connection. */
export function proofOf(side: Side, token: string, nonces: Nonces): string {
  const signed = [side, nonces.window, nonces.command].join("\n");
  return createHmac("sha256", token).update(signed).digest("hex");
}

/** Verifies the proof of a side. */
export function isProofOf(side: Side, token: string, nonces: Nonces, proof: string): boolean {
  const [given, expected] = [proof, proofOf(side, token, nonces)].map((text) => Buffer.from(text));
  return (
    given !== undefined && expected?.length === given.length && timingSafeEqual(given, expected)
  );
}
