import type { Language } from "../../text/language";
import type { InvocationRecord } from "../record/invocationRecord";
import type { InvocationStatus } from "./invocationStatus";

/** Says a status to a reader. The output channel and exports keep the English word, for scripts. */
export function statusWords(status: InvocationStatus, { translate }: Language): string {
  switch (status) {
    case "running":
      return translate("running");
    case "success":
      return translate("success");
    case "error":
      return translate("error");
    case "blocked":
      return translate("blocked");
    case "refused":
      return translate("refused");
    case "cancelled":
      return translate("cancelled");
    case "outcome unknown":
      return translate("outcome unknown");
  }
}

/** Says to a reader how a call on record ended, or that it runs. */
export function endingWords(
  { acceptedNotRun, status }: Pick<InvocationRecord, "acceptedNotRun" | "status">,
  language: Language,
): string {
  return acceptedNotRun === true
    ? language.translate("accepted, not run")
    : statusWords(status, language);
}
