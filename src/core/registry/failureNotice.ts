import type { Language, Translate } from "../text/language";
import type { Notice, NoticeAction } from "../text/notice";
import type { RegistryFailure } from "./registryFailure";
import { registryFailureText } from "./registryFailureText";

/** Tells the user that something could not be read from the registry. Undefined for a cancellation. */
export function failureNotice(failure: RegistryFailure, language: Language): Notice | undefined {
  if (failure.kind === "cancelled") return undefined;
  return {
    severity: "error",
    message: registryFailureText(failure, language),
    steps: actionsFor(failure, language),
  };
}

/** Offers what may cure a failure between here and the registry. */
export function actionsFor(failure: RegistryFailure, { t }: Language): readonly NoticeAction[] {
  switch (failure.kind) {
    case "cancelled":
    case "containsKey":
    case "wrongCredential":
    case "notFound":
    case "tooManyValues":
      return [];
    case "tooLarge":
    case "timeout":
      return [{ action: "openSettings", title: t("Open Settings") }];
    case "redirected":
      return [{ action: "connect", title: t("Connect to Registry…") }];
    case "unreachable":
      return failure.cause === "proxy" || failure.withoutProxy === true
        ? [{ action: "openProxySettings", title: t("Proxy Settings") }, ...connectionActions(t)]
        : connectionActions(t);
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
