import type { Language } from "../../text/language";

/** Says how many calls there are: `1 call`, `3 calls`. */
export function callCountWords(count: number, { translate }: Language): string {
  return count === 1 ? translate("1 call") : translate("{count} calls", { count });
}
