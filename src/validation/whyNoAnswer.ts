import { shortened } from "../core/jsonSchema/failures/failureWords";
import { type Wording, wording } from "../core/text/wording";
import type { ThreadAnswer } from "./checkThread";

/** Says in one sentence why a thread gave no result. */
export function whyNoAnswer(answer: Exclude<ThreadAnswer, { kind: "done" }>): Wording {
  switch (answer.kind) {
    case "tooSlow":
      if (answer.phase === "starting") {
        return wording("This JSON could not be checked: the checker did not start in time.");
      }
      return answer.pattern === undefined
        ? wording("This JSON could not be checked: the skill's schema takes too long to apply.")
        : wording(
            "This JSON could not be checked: the schema's pattern {pattern} takes too long.",
            {
              pattern: shortened(answer.pattern, 100),
            },
          );
    case "tooMuchMemory":
      return wording(
        "This JSON could not be checked: applying the skill's schema takes too much memory.",
      );
    case "crashed":
      return wording("This JSON could not be checked: the checker stopped unexpectedly.");
  }
}
