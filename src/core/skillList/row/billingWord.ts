import type { Language } from "../../text/language";

/** Says a billing model in a word for a row: free, per call, subscription; a registry's own word stays. */
export function billingWord(model: string, { translate }: Language): string {
  switch (model) {
    case "free":
      return translate("free");
    case "per_call":
      return translate("per call");
    case "subscription":
      return translate("subscription");
    default:
      return model;
  }
}
