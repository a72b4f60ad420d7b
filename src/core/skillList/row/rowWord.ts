import { levelWord } from "../../skill/trust/powerWords";
import { verificationWords } from "../../skill/trust/verificationWords";
import type { Language } from "../../text/language";

/** Says a verification state as it stands in a row; a registry's own word stays as it is. */
export function stateWord(state: string, language: Language): string {
  return withinRow(verificationWords(state, language).word, state, language);
}

/** Says a permission level as it stands in a row, such as "low power"; a registry's own word stays. */
export function powerWord(level: string, language: Language): string {
  return withinRow(levelWord(level, language), level, language);
}

/** English words that begin a line elsewhere begin with a small letter here; German nouns may not. */
function withinRow(word: string, own: string, { locale }: Language): string {
  return word === own || !locale.startsWith("en")
    ? word
    : word.charAt(0).toLowerCase() + word.slice(1);
}
