import { failureWords } from "../../registry/failureWords";
import type { RegistryFailure } from "../../registry/registryFailure";
import type { Language } from "../../text/language";
import { oneLine } from "../../text/plainText";

/** Says that what is shown could not be read again, since when it stands, and why. `readAt` is in milliseconds since 1970. */
export function staleWords(failure: RegistryFailure, readAt: number, language: Language): string {
  const format = new Intl.DateTimeFormat(language.locale, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const reason = oneLine(failureWords(failure, language), 1000);
  const values = { time: format.format(readAt), reason };
  return language.t("Read {time}; it could not be read again. {reason}", values);
}
