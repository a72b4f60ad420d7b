import type { Language } from "../../text/language";

/** Says a whole number of seconds in a sentence: `1 second`, `42 seconds`. */
export function secondsWords(seconds: number, { translate }: Language): string {
  return seconds === 1 ? translate("1 second") : translate("{seconds} seconds", { seconds });
}
