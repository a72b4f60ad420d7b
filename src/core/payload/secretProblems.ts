import { findSecrets } from "./findSecrets";
import type { PayloadProblem } from "./payloadCheck";

/**
 * Marks what looks like a credential in a text, as warnings that block nothing by themselves; `known`
 * are found wherever they stand. No message repeats what was found.
 */
export function secretProblems(text: string, known: readonly string[]): PayloadProblem[] {
  return findSecrets(text, known).map(({ start, end, kind }) => ({
    code: "secret",
    message: `This looks like ${kind.text}. Whoever runs the skill could use it, so you are asked before it is sent.`,
    severity: "warning",
    start,
    end,
    pointer: "",
  }));
}
