import {
  failureNotice,
  type RegistryFailure,
  registryFailureText,
} from "../registry/registryFailure";
import { type Language, localize } from "../text/language";
import type { Notice } from "../text/notice";
import { asSentence, oneLine } from "../text/plainText";
import { errorCodeText, isProjectGone } from "./errorCodes";
import {
  type Answered,
  type InvocationOutcome,
  namedCents,
  type RefusalReason,
} from "./invocation";
import { isStopped } from "./outcome";
import { waitText } from "./rateLimit";
import {
  type EndedInvocation,
  type InvocationRecord,
  isBilledKind,
} from "./record/invocationRecord";
import { noteActions, outcomeActions } from "./response/outcomeActions";

type Refused = Extract<InvocationOutcome, { kind: "refused" }>;

/**
 * Describes for the caller how a recorded invocation ended. In addition to `outcomeNotice`, it reports when the
 * registry ran another version, and when characters of its response were replaced.
 */
export function endNotice(ended: EndedInvocation, language: Language): Notice | undefined {
  const { outcome, record } = ended;
  const retryAfterSeconds = rateLimitSeconds(ended);
  const delayed = retryAfterSeconds === undefined ? outcome : { ...outcome, retryAfterSeconds };
  const notice = outcomeNotice(record.skillSlug, delayed, language, isBilledKind(record));
  const notes = [otherVersionText(record, language), replacedText(record, language)];
  const message = [notice?.message, ...notes].filter((text) => text !== undefined).join(" ");
  if (notice !== undefined) return { ...notice, message };
  return message === ""
    ? undefined
    : { severity: "warning", message, actions: noteActions(language) };
}

/** Reports that characters of a response were replaced, since they could not be decoded; undefined if none were. */
export function replacedText(
  { hasReplacedText }: InvocationRecord,
  { t }: Language,
): string | undefined {
  return hasReplacedText && t("Characters of the response that are not valid were replaced.");
}

/** Reports that the registry ran or accepted another version than the requested one; undefined if it did not. */
export function otherVersionText(
  { skillSlug: skill, version, askedVersion: requested, ran }: InvocationRecord,
  { t }: Language,
): string | undefined {
  if (requested === undefined) return undefined;
  const names = { skill, version, asked: requested };
  return ran === "acceptedOnly"
    ? t("The registry accepted version {version} of {skill} instead of {asked}.", names)
    : t("The registry ran version {version} of {skill} instead of {asked}.", names);
}

/** Returns for how many seconds the rate limit delays the next invocation; undefined unless it rejected this one. */
export function rateLimitSeconds({ outcome, waitSeconds }: EndedInvocation): number | undefined {
  const isRejected = outcome.kind === "refused" && outcome.reason === "rateLimit";
  return isRejected && waitSeconds > 0 ? waitSeconds : undefined;
}

/**
 * Describes the end of an invocation of `skill` for the user, with the next action. Undefined for a cancellation before
 * sending. Undefined also if the skill ran successfully, since the output then says enough. `isBilled` is false if
 * nothing is ever billed: at the built-in registry, and for a test run.
 */
export function outcomeNotice(
  skill: string,
  outcome: InvocationOutcome,
  language: Language,
  isBilled = true,
): Notice | undefined {
  const { t } = language;
  const notice = (severity: Notice["severity"], message: string): Notice => ({
    severity,
    message,
    actions: outcomeActions(outcome, language),
  });
  switch (outcome.kind) {
    case "success":
      return outcome.acceptedNotRun
        ? notice("warning", acceptedText(skill, outcome, isBilled, language))
        : undefined;
    case "skillError":
      return notice("error", failedText(skill, outcome, language));
    case "notSent": {
      if (outcome.failure.kind === "cancelled") return undefined;
      const reason = registryFailureText(outcome.failure, language);
      return notice("error", notInvokedText(skill, reason, language));
    }
    case "outcomeUnknown": {
      const reason = registryFailureText(outcome.failure, language);
      const message = isBilled
        ? t(
            "{skill} may have run and may be billed; it will not be invoked again automatically. {reason}",
            { skill, reason },
          )
        : t("{skill} may have run; it will not be invoked again automatically. {reason}", {
            skill,
            reason,
          });
      return notice("warning", message);
    }
    case "refused":
      return notice(severityOf(outcome.reason), refusalText(skill, outcome, language));
  }
}

/** Reports that nothing was sent and why. `reason` is a sentence. */
export function notInvokedText(skill: string, reason: string, { t }: Language): string {
  return `${t("{skill} was not invoked.", { skill })} ${reason}`;
}

/** Reports that nothing was sent because the skill could not be read. Undefined for a cancellation. */
export function unreadSkillNotice(
  skill: string,
  failure: RegistryFailure,
  language: Language,
): Notice | undefined {
  const notice = failureNotice(failure, language);
  return notice && { ...notice, message: notInvokedText(skill, notice.message, language) };
}

function failedText(skill: string, outcome: Answered, { t }: Language): string {
  const { runStatus: status = "" } = outcome;
  const start = isStopped(outcome)
    ? t("{skill} ended without a result; the registry's status is “{status}”", { skill, status })
    : t("{skill} ran and failed", { skill });
  return `${start}${registryMessage(outcome)}`;
}

function acceptedText(
  skill: string,
  outcome: Answered,
  isBilled: boolean,
  language: Language,
): string {
  const { t } = language;
  const { runStatus: status, invocationId: id } = outcome;
  if (status === undefined) {
    return notExecutedText(skill, isBilled && namedCents(outcome) !== 0, language);
  }
  const accepted = t(
    "{skill} was accepted and not executed yet; the registry's status is “{status}”.",
    {
      skill,
      status,
    },
  );
  return id === undefined
    ? `${accepted} ${t("The registry returned no ID to find its result with.")}`
    : `${accepted} ${t("Find its result at the registry with the ID {id}.", { id })}`;
}

/** Describes an invocation that the registry accepted and never runs. */
export function notExecutedText(skill: string, isBilled: boolean, { t }: Language): string {
  return isBilled
    ? t("{skill} was accepted and billed but not executed: the registry does not run it.", {
        skill,
      })
    : t("{skill} was accepted but not executed: the registry does not run it.", { skill });
}

/** Returns the severity. A decision about the project is a warning, since the invocation itself was valid. */
function severityOf(reason: RefusalReason): Notice["severity"] {
  return reason === "policy" || reason === "payment" || reason === "rateLimit"
    ? "warning"
    : "error";
}

function refusalText(skill: string, outcome: Refused, language: Language): string {
  const { t } = language;
  const notRun = (reason: string) => `${t("{skill} was not run:", { skill })} ${reason}`;
  const known = codeText(outcome, language);
  switch (outcome.reason) {
    case "notRegistry": {
      const { status, failure = { kind: "notRegistry", status } } = outcome;
      return notInvokedText(skill, registryFailureText(failure, language), language);
    }
    case "missingKey":
      return notRun(known ?? t("the registry requires a Project Key. Set one."));
    case "unauthorized":
      return notRun(
        known ?? unknownText(t("the registry did not accept the Project Key"), outcome, language),
      );
    case "validation": {
      const own = known ?? t("the registry rejected the payload.");
      const answered = { ...outcome, message: inputProblemText(outcome, language) };
      return notRun(unknownText(own.replace(/\.$/, ""), answered, language));
    }
    case "policy":
    case "payment":
      return notRun(known ?? unknownText(reasonText(outcome.reason, language), outcome, language));
    case "rateLimit": {
      const reason = known ?? unknownText(reasonText(outcome.reason, language), outcome, language);
      return `${notRun(reason)} ${retryText(outcome.retryAfterSeconds, language)}`;
    }
    case "signedOut":
      return notRun(t("the registry no longer accepts your session. Sign in again."));
    case "wrongRole":
      return notRun(t("your role does not allow test runs. Invoke it with a Project Key instead."));
    case "notOffered":
      return notRun(
        t("this registry does not offer test runs. Invoke it with a Project Key instead."),
      );
    case "notFound":
      if (isProjectGone(outcome.code)) {
        return notRun(t("the registry no longer has this project. Choose another one."));
      }
      return notRun(unknownText(t("the registry has no such skill or version"), outcome, language));
    case "tooLarge":
      return notRun(unknownText(t("the payload is too large for the registry"), outcome, language));
    case "redirected":
      return notRun(
        t(
          "the registry redirected the invocation to {target}, which was not followed. The Project Key was not sent there.",
          { target: outcome.redirectTarget || t("an unreadable address") },
        ),
      );
    case "notPerformed":
      return notRun(
        unknownText(
          t("the server does not accept such a request (HTTP {status})", {
            status: outcome.status,
          }),
          outcome,
          language,
        ),
      );
    case "registryError": {
      const { status } = outcome;
      const failed = t("The registry failed while handling {skill} (HTTP {status})", {
        skill,
        status,
      });
      const whether = t("It is not known whether the skill ran.");
      return `${unknownText(failed, outcome, language)} ${whether}`;
    }
  }
}

function codeText({ code }: Refused, language: Language): string | undefined {
  const known = errorCodeText(code);
  return known && localize(known, language);
}

/** Ends a sentence with the registry's message, and for an unknown code also with the code and the ID. */
function unknownText(
  start: string,
  { code, invocationId: id, message }: Pick<Refused, "code" | "invocationId"> & RegistryMessage,
  { t }: Language,
): string {
  const words = `${start}${registryMessage({ message })}`;
  if (errorCodeText(code) !== undefined) return words;
  return [
    words,
    ...(code === undefined ? [] : [t("Code: {code}.", { code })]),
    ...(id === undefined ? [] : [t("Invocation ID: {id}.", { id })]),
  ].join(" ");
}

function reasonText(reason: RefusalReason, { t }: Language): string {
  switch (reason) {
    case "policy":
      return t("a policy of the project does not allow it");
    case "payment":
      return t("its payment is not set up");
    default:
      return t("it was invoked too often");
  }
}

function retryText(seconds: number | undefined, language: Language): string {
  const { t } = language;
  return seconds === undefined
    ? t("Try again later; retrying too soon also counts against the limit.")
    : t("It can be invoked again in {wait}; retrying sooner also counts against the limit.", {
        wait: waitText(seconds, language),
      });
}

/** The maximum number of listed problems; the rest are counted. */
const maxListedProblems = 3;

function inputProblemText(outcome: Refused, { t }: Language): string | undefined {
  const { inputProblems = [] } = outcome;
  if (inputProblems.length === 0) return outcome.message;
  const listed = inputProblems
    .slice(0, maxListedProblems)
    .map(({ message, pointer }) =>
      pointer === "" ? message : t("{message} (at {pointer})", { message, pointer }),
    );
  const others = inputProblems.length - listed.length;
  return [...listed, ...(others === 0 ? [] : [t("{count} more", { count: others })])].join("; ");
}

/** The registry's own message, of any length. */
interface RegistryMessage {
  readonly message?: string | undefined;
}

/** The maximum length of the message. It leaves room for the text after it. */
const maxMessage = 200;

/** Ends a sentence with the registry's own message, if there is one. */
function registryMessage({ message = "" }: RegistryMessage): string {
  const words = oneLine(message, maxMessage);
  return words === "" ? "." : `: ${asSentence(words)}`;
}
