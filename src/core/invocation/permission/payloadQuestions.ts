import type { FoundSecret } from "../../payload/findSecrets";
import {
  errorCount,
  lineStartsOf,
  type PayloadCheck,
  positionIn,
  problemText,
} from "../../payload/payloadCheck";
import { type Language, localize } from "../../text/language";
import type { DialogQuestion } from "../../text/notice";
import { isJsonText } from "../invocationCopies";

/**
 * Decides by the check of a payload whether it is sent: `yes`, after the question about unchecked parts (`ask`), or not
 * at all. A text that is no JSON is never sent, since it could not be inserted into a request.
 */
export function maySend({ state }: PayloadCheck, text: string): "yes" | "ask" | "no" {
  if (state === "valid") return "yes";
  return state === "unchecked" && isJsonText(text) ? "ask" : "no";
}

/**
 * Builds the question whether to send a payload that could not be checked, or only in part. Warns of the cost unless
 * the payload goes to the publisher's own code.
 */
export function uncheckedQuestion(
  check: PayloadCheck,
  language: Language,
  isLocal = false,
): DialogQuestion {
  const { t } = language;
  const cost = isLocal
    ? ""
    : t("Registries do not validate payloads either, so a mistake may cost money.");
  return {
    message: uncheckedText(errorCount(check), language),
    detail: [`${check.reason ?? ""} ${cost}`.trim()],
    agree: t("Send Unchecked"),
  };
}

/** Returns the question about a payload with `count` problems in its checked part. */
function uncheckedText(count: number, { t }: Language): string {
  if (count === 0) return t("The payload could not be checked. Send it anyway?");
  return count === 1
    ? t("The payload has a problem, and not all of it could be checked. Send it anyway?")
    : t("The payload has {count} problems, and not all of it could be checked. Send it anyway?", {
        count,
      });
}

/** Reports that a payload for `skill` was not sent because of its problems, or because it is no JSON. */
export function invalidText(skill: string, check: PayloadCheck, { t }: Language): string {
  // An unchecked payload gets here only if it is not JSON: JSON may be sent unchecked.
  if (check.state === "unchecked") {
    return t("Not sent: the payload for {skill} is not JSON.", { skill });
  }
  const count = errorCount(check);
  const first = check.problems.find(({ severity }) => severity === "error");
  return count === 1 && first !== undefined
    ? t("Not sent: the payload for {skill} has a problem. {problem}", {
        skill,
        problem: problemText(first),
      })
    : t("Not sent: the payload for {skill} has {count} problems.", { skill, count });
}

/**
 * Builds the question whether to send or copy a text that seems to contain the credentials `found`. Undefined for none.
 */
export function secretsQuestion(
  use: "send" | "copy",
  text: string,
  found: readonly FoundSecret[],
  language: Language,
): DialogQuestion | undefined {
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  const { t } = language;
  const facts = {
    line: positionIn(lineStartsOf(text), first.start).line + 1,
    secret: localize(first.kind, language),
    more: others.length,
  };
  if (use === "send") {
    return {
      message:
        others.length === 0
          ? t("Line {line} appears to contain {secret}. Send anyway?", facts)
          : t("Line {line} appears to contain {secret} (and {more} more). Send anyway?", facts),
      detail: [
        t(
          "Whoever runs the skill could use it. Remove it from the payload, or send it this once if the skill is meant to have it.",
        ),
      ],
      agree: t("Send This Once"),
    };
  }
  return {
    message:
      others.length === 0
        ? t("Line {line} appears to contain {secret}. Copy anyway?", facts)
        : t("Line {line} appears to contain {secret} (and {more} more). Copy anyway?", facts),
    detail: [
      t(
        "The copied text would contain it in plain sight. Remove it from the payload, or copy it this once.",
      ),
    ],
    agree: t("Copy This Once"),
  };
}
