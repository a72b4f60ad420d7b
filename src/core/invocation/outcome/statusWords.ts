import type { Language } from "../../text/language";
import type { InvocationRecord } from "../record/invocationRecord";
import type { InvocationStatus } from "./invocationStatus";

/** Says a status to a reader. The output channel and exports keep the English word, for scripts. */
export function statusWords(status: InvocationStatus, { t }: Language): string {
  switch (status) {
    case "running":
      return t("running");
    case "success":
      return t("success");
    case "error":
      return t("error");
    case "blocked":
      return t("blocked");
    case "refused":
      return t("refused");
    case "cancelled":
      return t("cancelled");
    case "outcome unknown":
      return t("outcome unknown");
  }
}

/** Says to a reader how a call on record ended, or that it runs. */
export function endingWords(
  { acceptedNotRun, status }: Pick<InvocationRecord, "acceptedNotRun" | "status">,
  language: Language,
): string {
  return acceptedNotRun === true ? language.t("accepted, not run") : statusWords(status, language);
}
