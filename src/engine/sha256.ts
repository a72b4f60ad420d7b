import { createHash } from "node:crypto";
import { sliceLength, textSlices } from "../core/text/chunked";
import { yieldToEventLoop } from "../registry/wait";

/** Returns the SHA-256 of a text's UTF-8 bytes in hex, 64 characters. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** Returns the SHA-256 of a text of any length. Yields to the event loop in between. */
export async function sha256Async(text: string): Promise<string> {
  if (text.length <= sliceLength) return sha256(text);
  const hash = createHash("sha256");
  for (const slice of textSlices(text)) {
    hash.update(slice, "utf8");
    await yieldToEventLoop();
  }
  return hash.digest("hex");
}
