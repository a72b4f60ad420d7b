import * as vscode from "vscode";
import { type Language, type LanguageTexts, languageOf } from "../../core/text/language";

/** The editor's language, with the translations of all English texts for pages; empty for English. */
export interface HostLanguage extends Language {
  readonly words: Readonly<Record<string, string>>;
}

/** Reads the language of the editor. */
export function hostLanguage(): HostLanguage {
  const { locale, words } = hostTexts();
  return { ...languageOf(locale, words), words };
}

/** Reads the data of the editor's language, for a thread. */
export function hostTexts(): LanguageTexts {
  return { locale: vscode.env.language, words: vscode.l10n.bundle ?? {} };
}
