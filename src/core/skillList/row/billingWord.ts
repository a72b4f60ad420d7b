import type { Language } from "../../text/language";

/** Says a billing model in a word for a row: free, per call, subscription; a registry's own word stays. */
export function billingWord(model: string, { t }: Language): string {
  switch (model) {
    case "free":
      return t("free");
    case "per_call":
      return t("per call");
    case "subscription":
      return t("subscription");
    default:
      return model;
  }
}
