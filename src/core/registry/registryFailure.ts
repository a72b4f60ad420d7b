import { numberFormat } from "../text/formats";
import type { Language, Translate } from "../text/language";
import type { Notice, NoticeAction } from "../text/notice";
import { asSentence } from "../text/plainText";
import type { CredentialProblem } from "./credential";

/** Why a registry returned no usable data. Contains no Project Key. */
export type RegistryFailure =
  /** The caller stopped the request. */
  | { readonly kind: "cancelled" }
  /**
   * No connection: the request was never sent. `detail` is the system's code, such as ECONNREFUSED. `withoutProxy` is
   * set if neither settings nor system named a proxy.
   */
  | {
      readonly kind: "unreachable";
      readonly cause: "name" | "refused" | "certificate" | "proxy" | "network";
      readonly detail: string;
      readonly withoutProxy?: true;
    }
  /** The request would have sent a Project Key to a public route; it was not sent. */
  | { readonly kind: "containsKey" }
  /** The credential does not fit the registry or route of the request, which was not sent. */
  | { readonly kind: "wrongCredential"; readonly problem: CredentialProblem }
  /** Not sent: between the last check and sending, so much time passed that the check may be outdated. */
  | { readonly kind: "outdated" }
  /** No complete response within the timeout. */
  | { readonly kind: "timeout"; readonly seconds: number }
  /** The connection broke before the response was complete. */
  | { readonly kind: "connectionLost"; readonly detail: string }
  /** The editor window that sent the request for a terminal's command no longer answers, so its response is lost. */
  | { readonly kind: "windowGone" }
  /** The response, or its headers, exceeded the size limit. */
  | { readonly kind: "tooLarge"; readonly limitBytes: number }
  /** The response has more members or values than the editor can show without blocking; `limit` is the maximum. */
  | { readonly kind: "tooManyValues"; readonly what: "members" | "values"; readonly limit: number }
  /** The registry redirected the request, which was not followed. `target` is an origin. */
  | { readonly kind: "redirected"; readonly target: string }
  /** Not requested: one check reads at most `limit` versions. */
  | { readonly kind: "notAsked"; readonly limit: number }
  /** The registry responded that the requested item does not exist. */
  | {
      readonly kind: "notFound";
      readonly message?: string;
      /** The version that the registry returned instead of the payload's version. */
      readonly returned?: string;
    }
  /** Any other error response, with the registry's message if it has one. */
  | {
      readonly kind: "errorAnswer";
      readonly status: number;
      readonly code?: string;
      readonly message?: string;
      /** Whether the registry's status says that its database is down. */
      readonly isDatabaseOut?: true;
    }
  /** Another server answered instead of the registry, such as a proxy, a firewall or a sign-in page. */
  | {
      readonly kind: "notRegistry";
      readonly status: number;
      readonly mediaType?: string;
      /** The `Server` header field. */
      readonly server?: string;
      /** The title of the page, the messages of an XML document, or a text; shortened. */
      readonly title?: string;
    }
  /** The registry's own status of an invocation is an unknown word. */
  | { readonly kind: "unknownStatus"; readonly word: string; readonly message?: string }
  /** A field of the response from `route` could not be read. An empty `field` means the whole body. */
  | {
      readonly kind: "unreadable";
      readonly route: string;
      readonly field: string;
      /** Set if compressed data ended too early. */
      readonly isCut?: true;
    };

/** A value or the reason there is none. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: RegistryFailure };

const kindsOfOneSkill: readonly RegistryFailure["kind"][] = [
  "notFound",
  "unreadable",
  "tooLarge",
  "tooManyValues",
  "redirected",
];

/** Returns whether a failure concerns only the skill that was read, rather than the registry or the connection. */
export function isOfOneSkill({ kind }: RegistryFailure): boolean {
  return kindsOfOneSkill.includes(kind);
}

/** Describes in one sentence what went wrong with the registry. Adds no markup. */
export function registryFailureText(failure: RegistryFailure, language: Language): string {
  const { t } = language;
  switch (failure.kind) {
    case "cancelled":
      return t("You canceled the request.");
    case "unreachable":
      return unreachableText(failure, language) + proxyHint(failure, language);
    case "containsKey":
      return t("Not sent: this text contains your Project Key. Remove it and try again.");
    case "wrongCredential":
      return failure.problem === "otherOrigin"
        ? t(
            "Not sent: this credential is for another registry. Sign in again or set the key for this registry.",
          )
        : t(
            "Not sent: this request needs another kind of credential. Sign in again or set the key for this registry.",
          );
    case "outdated":
      return t("Not sent: it took too long to record. Try again.");
    case "timeout":
      return t("The registry did not respond within {seconds} s.", {
        seconds: failure.seconds,
      });
    case "connectionLost":
      return t("The connection to the registry was lost ({detail}).", {
        detail: failure.detail,
      });
    case "windowGone":
      return t("The window that sent it no longer answers.");
    case "tooLarge":
      return t("The response (or its headers) exceeds {size}. The limit is in your settings.", {
        size: size(failure.limitBytes, language),
      });
    case "tooManyValues": {
      const limit = { limit: numberFormat(language.locale).format(failure.limit) };
      return failure.what === "members"
        ? t(
            "The registry's description of this skill is too large: more than {limit} properties.",
            limit,
          )
        : t(
            "The registry's description of this skill is too large: more than {limit} values.",
            limit,
          );
    }
    case "redirected":
      return t("The registry redirected the request to {target}, which was not followed.", {
        target: failure.target || t("an unreadable address"),
      });
    case "notAsked":
      return t("It was not requested: one check reads at most {limit} versions.", {
        limit: failure.limit,
      });
    case "notFound":
      return failure.message ?? t("The registry has no such skill.");
    case "errorAnswer":
      return failure.isDatabaseOut === true
        ? t("The registry reports that its database is down (HTTP {status}). Try again later.", {
            status: failure.status,
          })
        : errorResponseText(failure.status, failure.message, language);
    case "notRegistry": {
      const { status, mediaType, server, title = "" } = failure;
      const facts = [`HTTP ${status}`, mediaType, server].filter((fact) => fact !== undefined);
      const start = t("A proxy or firewall answered ({facts})", { facts: facts.join(", ") });
      return asSentence(title === "" ? start : `${start}: ${title}`);
    }
    case "unknownStatus": {
      const start = t("The registry's status “{status}” is unknown", { status: failure.word });
      return asSentence(failure.message === undefined ? start : `${start}: ${failure.message}`);
    }
    case "unreadable":
      if (failure.isCut === true) {
        return t("The response from {route} ended before it was complete.", {
          route: failure.route,
        });
      }
      return failure.field === ""
        ? t(
            "The response from {route} could not be read. Check that the address leads to a registry.",
            { route: failure.route },
          )
        : t(
            "The response from {route} could not be read: “{field}” is missing or has an unexpected type.",
            { route: failure.route, field: failure.field },
          );
  }
}

type Unreachable = Extract<RegistryFailure, { kind: "unreachable" }>;

function unreachableText({ cause, detail }: Unreachable, { t }: Language): string {
  switch (cause) {
    case "name":
      return t(
        "The registry's name could not be found ({detail}). Check the address and your connection.",
        { detail },
      );
    case "refused":
      return t("No server is listening at the registry's address ({detail}).", { detail });
    case "certificate":
      return t("The registry's certificate is not trusted ({detail}). Nothing was sent.", {
        detail,
      });
    case "proxy":
      if (detail === "UNSUPPORTED_SCHEME") {
        return t(
          "This type of proxy is not supported. Set an http://, https:// or socks5:// proxy in http.proxy or HTTPS_PROXY.",
        );
      }
      return t(
        "The connection through the proxy failed ({detail}). Check the http.proxy setting or HTTPS_PROXY.",
        { detail },
      );
    case "network":
      return t("The registry could not be reached ({detail}).", { detail });
  }
}

function proxyHint({ withoutProxy }: Unreachable, { t }: Language): string {
  if (withoutProxy !== true) return "";
  return ` ${t("If your network needs a proxy, set it in the http.proxy setting or in HTTPS_PROXY.")}`;
}

function errorResponseText(status: number, message: string | undefined, { t }: Language): string {
  const reason = message === undefined ? "" : `: ${message.trim()}`;
  return asSentence(`${t("The registry returned an error (HTTP {status})", { status })}${reason}`);
}

function size(bytes: number, { locale }: Language): string {
  const [amount, unit] =
    bytes < 1_000_000
      ? ([Math.round(bytes / 1024), "kilobyte"] as const)
      : ([Math.round(bytes / 1_000_000), "megabyte"] as const);
  return numberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(amount);
}

/** Reports that reading from the registry failed. Undefined for a cancellation. */
export function failureNotice(failure: RegistryFailure, language: Language): Notice | undefined {
  if (failure.kind === "cancelled") return undefined;
  return {
    severity: "error",
    message: registryFailureText(failure, language),
    actions: actionsFor(failure, language),
  };
}

/** Lists the actions that may solve a connection failure. */
export function actionsFor(failure: RegistryFailure, { t }: Language): readonly NoticeAction[] {
  switch (failure.kind) {
    case "cancelled":
    case "containsKey":
    case "wrongCredential":
    case "tooManyValues":
    case "unknownStatus":
      return [];
    case "notFound": {
      const { returned: version } = failure;
      if (version === undefined) return [];
      return [{ action: "updatePayload", title: t("Update Payload to {version}", { version }) }];
    }
    case "tooLarge":
    case "timeout":
      return [{ action: "openSettings", title: t("Open Settings") }];
    case "redirected":
      return [{ action: "connect", title: t("Connect to Registry…") }];
    case "unreachable":
      return failure.cause === "proxy" || failure.withoutProxy === true
        ? [{ action: "openProxySettings", title: t("Proxy Settings") }, ...connectionActions(t)]
        : connectionActions(t);
    case "notRegistry":
      return [{ action: "openProxySettings", title: t("Proxy Settings") }, ...connectionActions(t)];
    default:
      return connectionActions(t);
  }
}

function connectionActions(t: Translate): readonly NoticeAction[] {
  return [
    { action: "connect", title: t("Connect to Registry…") },
    { action: "showLog", title: t("Show Log") },
  ];
}
