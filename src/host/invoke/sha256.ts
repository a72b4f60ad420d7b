import { createHash } from "node:crypto";

/** Digests a text's UTF-8 bytes: SHA-256 in hex, 64 characters. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
