import { join } from "node:path";
import type { Invocation } from "../../core/invocation/invocation";
import { type LockAnswer, takeLock } from "../audit/fileLock";
import { sha256 } from "./sha256";

/** The second click of two that mean one call comes within this time, in whichever window. */
const doubleClickMs = 600;

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
): Promise<LockAnswer> {
  const { skillSlug, version, inputText } = call;
  const name = sha256([registry, skillSlug, version, inputText].join("\0")).slice(0, 40);
  const startedAt = performance.now();
  const answer = await takeLock(join(folder, `${name}.lock`), endsBefore);
  if (answer.kind !== "taken") return answer;
  return {
    kind: "taken",
    release: async () => {
      const rest = doubleClickMs - (performance.now() - startedAt);
      if (rest <= 0) return answer.release();
      setTimeout(() => void answer.release(), rest);
    },
  };
}
