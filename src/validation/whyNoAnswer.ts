import { shortened } from "../core/jsonSchema/failures/failureWords";
import { type LocalizableText, l10nText } from "../core/text/localizableText";
import type { ThreadAnswer } from "./checkThread";

/** Says in one sentence why a thread gave no result. */
export function whyNoAnswer(answer: Exclude<ThreadAnswer, { kind: "done" }>): LocalizableText {
  switch (answer.kind) {
    case "tooSlow":
      if (answer.phase === "starting") {
        return l10nText("This JSON could not be checked: the checker did not start in time.");
      }
      return answer.pattern === undefined
        ? l10nText("This JSON could not be checked: the skill's schema takes too long to apply.")
        : l10nText(
            "This JSON could not be checked: the schema's pattern {pattern} takes too long.",
            {
              pattern: shortened(answer.pattern, 100),
            },
          );
    case "tooMuchMemory":
      return l10nText(
        "This JSON could not be checked: applying the skill's schema takes too much memory.",
      );
    case "crashed":
      return l10nText("This JSON could not be checked: the checker stopped unexpectedly.");
  }
}
