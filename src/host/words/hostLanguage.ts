import * as vscode from "vscode";
import type { Language } from "../../core/text/language";
import { languageOf } from "../../core/text/languageOf";

/** The editor's language, and every English text in it, for the page's own words; empty for English. */
export interface HostLanguage extends Language {
  readonly words: Readonly<Record<string, string>>;
}

/** Reads the language the editor speaks. */
export function hostLanguage(): HostLanguage {
  const words = vscode.l10n.bundle ?? {};
  return { ...languageOf(vscode.env.language, words), words };
}
