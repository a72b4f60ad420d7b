import { join } from "node:path";
import type { Invocation } from "../../core/invocation/invocation";
import { takeLock } from "../audit/fileLock";
import { sha256 } from "./sha256";

/** The second click of two that mean one call comes within this time, in whichever window. */
const doubleClickMs = 600;

/** A call claimed here, under way somewhere, or one the disk takes no claim for. */
export type IntentLock =
  | {
      readonly kind: "taken";
      /** Ends the claim: at once, or not before a double click is over where its second may still come. */
      readonly release: (awaitsSecondClick: boolean) => Promise<void>;
    }
  | { readonly kind: "held" }
  | { readonly kind: "unavailable" };

/**
 * Claims a call among all windows of this machine, so that the same input started in two of them is
 * sent once. The claim is a short-lived file in `folder`; it ends with `release`, with the window, or
 * at `endsBefore` (milliseconds since 1970).
 */
export async function lockIntent(
  folder: string,
  registry: string,
  call: Invocation,
  endsBefore: number,
): Promise<IntentLock> {
  const { skillSlug, version, inputText } = call;
  const name = sha256([registry, skillSlug, version, inputText].join("\0")).slice(0, 40);
  const startedAt = performance.now();
  const answer = await takeLock(join(folder, `${name}.lock`), endsBefore);
  if (answer.kind !== "taken") return answer;
  return {
    kind: "taken",
    release: async (awaitsSecondClick) => {
      const rest = awaitsSecondClick ? doubleClickMs - (performance.now() - startedAt) : 0;
      if (rest <= 0) return answer.release();
      setTimeout(() => void answer.release(), rest);
    },
  };
}
