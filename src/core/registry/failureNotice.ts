import type { NextStep, Notice } from "../text/notice";
import { failureWords } from "./failureWords";
import type { RegistryFailure } from "./registryFailure";

/** Tells the user that something could not be read from the registry. Undefined for a cancellation. */
export function failureNotice(failure: RegistryFailure): Notice | undefined {
  if (failure.kind === "cancelled") return undefined;
  return { severity: "error", message: failureWords(failure), steps: stepsFor(failure) };
}

/** Offers what may cure a failure between here and the registry. */
export function stepsFor(failure: RegistryFailure): readonly NextStep[] {
  switch (failure.kind) {
    case "cancelled":
    case "notFound":
      return [];
    case "tooLarge":
    case "timeout":
      return [{ action: "openSettings", title: "Open Settings" }];
    case "redirected":
      return [{ action: "connect", title: "Connect to Registry…" }];
    default:
      return [
        { action: "connect", title: "Connect to Registry…" },
        { action: "showLog", title: "Show Log" },
      ];
  }
}
