import type { Language } from "../../text/language";

/** Says a whole number of seconds in a sentence: `1 second`, `42 seconds`. */
export function secondsWords(seconds: number, { t }: Language): string {
  return seconds === 1 ? t("1 second") : t("{seconds} seconds", { seconds });
}
