import * as vscode from "vscode";
import { type Language, type LanguageTexts, languageOf } from "../../core/text/language";

/** The editor's language, and every English text in it, for the page's own words; empty for English. */
export interface HostLanguage extends Language {
  readonly words: Readonly<Record<string, string>>;
}

/** Reads the language the editor speaks. */
export function hostLanguage(): HostLanguage {
  const { locale, words } = hostTexts();
  return { ...languageOf(locale, words), words };
}

/** Reads what the editor's language is made from, for a thread. */
export function hostTexts(): LanguageTexts {
  return { locale: vscode.env.language, words: vscode.l10n.bundle ?? {} };
}
