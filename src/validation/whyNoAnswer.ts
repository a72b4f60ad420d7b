import { shortened } from "../core/jsonSchema/failureWords";
import type { ThreadAnswer } from "./checkThread";

/** Says in one sentence why a thread gave no result. */
export function whyNoAnswer(answer: Exclude<ThreadAnswer, { kind: "done" }>): string {
  switch (answer.kind) {
    case "tooSlow":
      if (answer.phase === "starting") {
        return "This JSON could not be checked: the checker did not start in time.";
      }
      return answer.pattern === undefined
        ? "This JSON could not be checked: the skill's schema takes too long to apply."
        : `This JSON could not be checked: the schema's pattern ${shortened(answer.pattern, 100)} takes too long.`;
    case "tooMuchMemory":
      return "This JSON could not be checked: applying the skill's schema takes too much memory.";
    case "crashed":
      return "This JSON could not be checked: the checker stopped unexpectedly.";
  }
}
