import type { Language } from "../text/language";
import type { RegistryFailure } from "./registryFailure";

/** Says in one sentence what went wrong between here and the registry. Contains no markup of ours. */
export function failureWords(failure: RegistryFailure, language: Language): string {
  const { translate } = language;
  switch (failure.kind) {
    case "cancelled":
      return translate("You cancelled the request.");
    case "unreachable":
      return unreachableWords(failure, language) + proxyHint(failure, language);
    case "timeout":
      return translate("The registry did not answer within {seconds} s.", {
        seconds: failure.seconds,
      });
    case "connectionLost":
      return translate("The connection to the registry broke ({detail}).", {
        detail: failure.detail,
      });
    case "tooLarge":
      return translate(
        "The registry's answer, or its headers, are larger than {size}. The limit for answers is in your settings.",
        { size: size(failure.limitBytes, language) },
      );
    case "redirected":
      return translate("The registry sent the request on to {target}. It was not followed.", {
        target: failure.target || translate("an unreadable address"),
      });
    case "notFound":
      return failure.message ?? translate("The registry has no such skill.");
    case "errorAnswer":
      return errorAnswerWords(failure.status, failure.message, language);
    case "unreadable":
      return failure.field === ""
        ? translate("The registry's answer to {route} could not be read.", { route: failure.route })
        : translate(
            "The registry's answer to {route} could not be read: “{field}” is missing or of another type than expected.",
            { route: failure.route, field: failure.field },
          );
  }
}

type Unreachable = Extract<RegistryFailure, { kind: "unreachable" }>;

function unreachableWords({ cause, detail }: Unreachable, { translate }: Language): string {
  switch (cause) {
    case "name":
      return translate(
        "The registry's name could not be found ({detail}). Check the address and your connection.",
        { detail },
      );
    case "refused":
      return translate("Nothing answers at the registry's address ({detail}).", { detail });
    case "certificate":
      return translate("The registry's certificate is not trusted ({detail}). Nothing was sent.", {
        detail,
      });
    case "proxy":
      if (detail === "UNSUPPORTED_SCHEME") {
        return translate(
          "Your proxy is of a kind that cannot be used here. Name one that starts with http://, https:// or socks5:// in the http.proxy setting.",
        );
      }
      return translate(
        "The proxy did not let the request through ({detail}). Check the http.proxy setting.",
        { detail },
      );
    case "network":
      return translate("The registry could not be reached ({detail}).", { detail });
  }
}

function proxyHint({ withoutProxy }: Unreachable, { translate }: Language): string {
  if (withoutProxy !== true) return "";
  return ` ${translate("If your network needs a proxy, name it in the http.proxy setting.")}`;
}

function errorAnswerWords(
  status: number,
  message: string | undefined,
  { translate }: Language,
): string {
  const said = message === undefined ? "" : `: ${message.trim()}`;
  const words = `${translate("The registry answered with an error (HTTP {status})", { status })}${said}`;
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

function size(bytes: number, { locale }: Language): string {
  const [amount, unit] =
    bytes < 1_000_000
      ? ([Math.round(bytes / 1024), "kilobyte"] as const)
      : ([Math.round(bytes / 1_000_000), "megabyte"] as const);
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(
    amount,
  );
}
