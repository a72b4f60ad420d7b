import type { Language } from "../../text/language";
import { localize } from "../../text/localizableText";
import type { PayloadProblem } from "../payloadCheck";
import { findSecrets } from "./findSecrets";

/**
 * Marks what looks like a credential in a text, as warnings that block nothing by themselves; `known`
 * are found wherever they stand. No message repeats what was found.
 */
export function secretProblems(
  text: string,
  known: readonly string[],
  language: Language,
): PayloadProblem[] {
  return findSecrets(text, known).map(({ start, end, kind }) => ({
    code: "secret",
    message: language.t(
      "This looks like {kind}. Whoever runs the skill could use it, so you are asked before it is sent.",
      { kind: localize(kind, language) },
    ),
    severity: "warning",
    start,
    end,
    pointer: "",
  }));
}
