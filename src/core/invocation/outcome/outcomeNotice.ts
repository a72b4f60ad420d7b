import { failureWords } from "../../registry/failureWords";
import type { Language } from "../../text/language";
import type { Notice } from "../../text/notice";
import { spoken } from "../../text/wording";
import type { InvocationOutcome, RefusalReason } from "../invocation";
import { secondsWords } from "../limits/secondsWords";
import { errorCodeWords } from "./errorCodeWords";
import { outcomeSteps } from "./outcomeSteps";

type Refused = Extract<InvocationOutcome, { kind: "refused" }>;

/**
 * Tells the user what became of a call of `skill`, with the next step for each case. Undefined for
 * a success, which the output shows by itself, and for a cancellation before anything was sent.
 */
export function outcomeNotice(
  skill: string,
  outcome: InvocationOutcome,
  language: Language,
): Notice | undefined {
  const { translate } = language;
  const told = (severity: Notice["severity"], message: string): Notice => ({
    severity,
    message,
    steps: outcomeSteps(outcome, language),
  });
  switch (outcome.kind) {
    case "success":
      return undefined;
    case "skillError":
      return told("error", `${translate("{skill} ran and failed", { skill })}${said(outcome)}`);
    case "notSent": {
      if (outcome.failure.kind === "cancelled") return undefined;
      const reason = failureWords(outcome.failure, language);
      return told("error", `${translate("{skill} was not called.", { skill })} ${reason}`);
    }
    case "outcomeUnknown": {
      const reason = failureWords(outcome.failure, language);
      const message = translate(
        "It is not known whether {skill} ran. {reason} The call was sent and may be billed; it is not sent again by itself.",
        { skill, reason },
      );
      return told("warning", message);
    }
    case "refused":
      return told(severityOf(outcome.reason), refusalWords(skill, outcome, language));
  }
}

/** What the project decides is a warning: the call was in order. */
function severityOf(reason: RefusalReason): Notice["severity"] {
  return reason === "policy" || reason === "payment" || reason === "rateLimit"
    ? "warning"
    : "error";
}

function refusalWords(skill: string, outcome: Refused, language: Language): string {
  const { translate } = language;
  const notRun = (reason: string) => `${translate("{skill} was not run:", { skill })} ${reason}`;
  switch (outcome.reason) {
    case "missingKey":
      return notRun(
        codeWords(outcome, language) ?? translate("the registry asks for a Project Key. Set one."),
      );
    case "unauthorized":
      return notRun(`${translate("the registry did not accept the Project Key")}${said(outcome)}`);
    case "validation":
      return notRun(
        `${translate("the registry found fault with the input")}${said({ message: inputWords(outcome, language) })}`,
      );
    case "policy":
    case "payment":
      return notRun(gateWords(outcome, language));
    case "rateLimit":
      return `${notRun(gateWords(outcome, language))} ${waitWords(outcome.retryAfterSeconds, language)}`;
    case "notFound":
      return notRun(`${translate("the registry has no such skill or version")}${said(outcome)}`);
    case "tooLarge":
      return notRun(`${translate("the input is too large for the registry")}${said(outcome)}`);
    case "redirected":
      return notRun(
        translate(
          "the registry sent the call on to {target}, and it was not followed. The Project Key was not sent there.",
          { target: outcome.redirectTarget || translate("an unreadable address") },
        ),
      );
    case "registryError":
      return `${translate("The registry failed while handling {skill} (HTTP {status})", { skill, status: outcome.status })}${said(outcome)} ${translate("It is not known whether the skill ran.")}`;
  }
}

function codeWords({ code }: Refused, language: Language): string | undefined {
  const known = errorCodeWords(code);
  return known && spoken(known, language);
}

function gateWords(outcome: Refused, language: Language): string {
  const known = codeWords(outcome, language);
  if (known !== undefined) return known;
  const { translate } = language;
  const { code, invocationId: id } = outcome;
  const facts = [
    ...(code === undefined ? [] : [translate("Code: {code}.", { code })]),
    ...(id === undefined ? [] : [translate("Invocation ID: {id}.", { id })]),
  ];
  return [`${unknownGateWords(outcome.reason, language)}${said(outcome)}`, ...facts].join(" ");
}

function unknownGateWords(reason: RefusalReason, { translate }: Language): string {
  switch (reason) {
    case "policy":
      return translate("a policy of the project does not allow it");
    case "payment":
      return translate("its payment is not set up");
    default:
      return translate("it was called too often");
  }
}

function waitWords(seconds: number | undefined, language: Language): string {
  const { translate } = language;
  return seconds === undefined
    ? translate("Try again later; a call that comes too early counts as well.")
    : translate("It can be called again in {wait}; a call that comes earlier counts as well.", {
        wait: secondsWords(seconds, language),
      });
}

function inputWords(outcome: Refused, { translate }: Language): string | undefined {
  const first = outcome.inputProblems?.[0];
  if (first === undefined) return outcome.message;
  const { message, pointer } = first;
  return pointer === "" ? message : translate("{message} (at {pointer})", { message, pointer });
}

/** The registry's own words, at the end of a sentence. */
function said({ message }: { readonly message?: string | undefined }): string {
  return message === undefined || message === "" ? "." : `: ${sentence(message)}`;
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
