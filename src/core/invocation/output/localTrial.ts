import { isSuccessStatus } from "../../registry/httpStatus";
import type { RegistryFailure } from "../../registry/registryFailure";
import { isLoopbackName } from "../../registry/registryOrigin";
import type { SkillDetail } from "../../skill/skill";
import { type Language, sizeText } from "../../text/language";
import type { Notice } from "../../text/notice";
import { parseUrl } from "../../text/parseUrl";
import { asSentence, oneLine } from "../../text/plainText";
import { type EndFacts, endFacts, runningFacts } from "../outcome";
import { type InvocationRecord, recordFormat } from "../record/invocationRecord";

/**
 * The end of a payload that was sent to a publisher's own code instead of a registry. `isSent` is false only if
 * certainly nothing was sent.
 */
export type LocalOutcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** The body if it is JSON, as received. */
      readonly outputText?: string;
      /**
       * Whether a JSON body has another content type than `application/json`. The public gateway returns it as a text.
       */
      readonly isTypedAsText?: boolean;
      /** The beginning of a body that is no JSON; empty for no body. */
      readonly start: string;
      /** The origin of a redirect, which was not followed; empty if it could not be parsed. */
      readonly redirectTarget?: string;
    }
  | { readonly kind: "failed"; readonly failure: RegistryFailure; readonly isSent: boolean };

/**
 * Returns the address of a manifest's code if it is an HTTP service of this machine, with neither user name nor
 * fragment. Undefined for any other address, and for a skill of a registry.
 */
export function localAddressOf({ isLocal, runtime }: SkillDetail): string | undefined {
  if (isLocal !== true || runtime?.type !== "http") return undefined;
  const url = parseUrl(runtime.entry ?? "");
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (!isLoopbackName(url.hostname) || url.username !== "" || url.password !== "") return undefined;
  url.hash = "";
  return url.href;
}

/**
 * Describes a running trial like an invocation, for its result alone; `keptTrialOf` returns what is kept. Its address
 * stands in place of a registry. It costs nothing, like a test run.
 */
export function localRecord(
  { summary }: SkillDetail,
  address: string,
  { id, startedAt }: Pick<InvocationRecord, "id" | "startedAt">,
): InvocationRecord {
  return {
    format: recordFormat,
    ...{ id, startedAt, endsBefore: Number.MAX_SAFE_INTEGER },
    registry: address,
    skillSlug: summary.slug,
    version: summary.version,
    kind: "trial",
    ...runningFacts,
    durationMs: 0,
    caller: { kind: "person" },
    profile: "",
  };
}

/** Returns the facts about the end of a trial. Success is JSON with a status of 2xx, and nothing else. */
export function localEnd(outcome: LocalOutcome): EndFacts {
  if (outcome.kind === "failed") {
    const { failure, isSent } = outcome;
    return endFacts(
      isSent ? { kind: "outcomeUnknown", failure, durationMs: 0 } : { kind: "notSent", failure },
    );
  }
  if (outcome.redirectTarget !== undefined) {
    return { status: "refused", ran: "no", reason: "redirected" };
  }
  const isSuccess = isSuccessStatus(outcome.status) && outcome.outputText !== undefined;
  return { status: isSuccess ? "success" : "error", ran: "yes" };
}

/** Reports the end of a trial at `address`. Undefined for a success, and for a cancellation before sending. */
export function localNotice(
  skill: string,
  address: string,
  outcome: LocalOutcome,
  language: Language,
): Notice | undefined {
  const { t } = language;
  const notice = (message: string, severity: Notice["severity"] = "error"): Notice => {
    return { severity, message, actions: [] };
  };
  if (outcome.kind === "failed") {
    const { failure, isSent } = outcome;
    if (failure.kind === "cancelled" && !isSent) return undefined;
    const text = failureText(skill, new URL(address).origin, failure, language);
    const settings = { action: "openSettings", title: t("Open Settings") } as const;
    const isLimit = failure.kind === "timeout" || failure.kind === "tooLarge";
    return { ...notice(text, isSent ? "warning" : "error"), actions: isLimit ? [settings] : [] };
  }
  const { status, outputText, isTypedAsText, start, redirectTarget } = outcome;
  if (redirectTarget !== undefined) {
    const target = redirectTarget || t("an unreadable address");
    return notice(
      t(
        "{skill} redirected the payload to {target}, which was not followed. Put the final address into the manifest.",
        { skill, target },
      ),
    );
  }
  if (!isSuccessStatus(status)) {
    const answered = t("{skill} answered with HTTP {status}", { skill, status });
    return notice(asSentence(start === "" ? answered : `${answered}: ${oneLine(start, 200)}`));
  }
  if (isTypedAsText === true) {
    return notice(
      t(
        "The output of {skill} does not have the content type application/json, so the public gateway returns it as a text. Set the content type.",
        { skill },
      ),
      "warning",
    );
  }
  if (outputText !== undefined) return undefined;
  return notice(
    t("{skill} answered without JSON (HTTP {status}). Let it return its output as JSON.", {
      skill,
      status,
    }),
  );
}

function failureText(
  skill: string,
  origin: string,
  failure: RegistryFailure,
  { t, locale }: Language,
): string {
  switch (failure.kind) {
    case "cancelled":
      return t("{skill} may have run: you canceled it after the payload was sent.", { skill });
    case "containsKey":
      return t(
        "Not sent: the payload contains a key, a token or a secret of an environment. Remove it and try again.",
      );
    case "unreachable":
      return failure.cause === "certificate"
        ? t("The certificate of {origin} is not trusted ({detail}). Nothing was sent.", {
            origin,
            detail: failure.detail,
          })
        : t("Nothing answers at {origin}. Start your skill, then try again.", { origin });
    case "timeout":
      return t("{skill} did not answer within {seconds} s. The limit is in your settings.", {
        skill,
        seconds: failure.seconds,
      });
    case "tooLarge":
      return t("The answer of {skill} exceeds {size}. The limit is in your settings.", {
        skill,
        size: sizeText(failure.limitBytes, { t, locale }),
      });
    default:
      return t("The answer of {skill} broke off or could not be read.", { skill });
  }
}
