import * as vscode from "vscode";
import { eventually } from "./eventually";
import type { EditorWindow } from "./window/window";

/** The problems this extension shows in the active editor, as `code text`, sorted. */
export function problemsOfActiveEditor(): string[] {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) return [];
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ source }) => source === "skill-registry")
    .map(({ code, range }) => `${code} ${document.getText(range)}`)
    .sort();
}

/** Opens a new input for a skill and waits until it was checked. */
export async function openPayload(window: EditorWindow, slug: string): Promise<vscode.TextEditor> {
  await vscode.commands.executeCommand("skillRegistry.newPayload", slug);
  const editor = await eventually(`an input for ${slug}`, () => {
    const active = vscode.window.activeTextEditor;
    return active?.document.fileName.includes(`${slug}.`) && active;
  });
  await window.statusBarItem(new RegExp(`${slug}@.*: (valid|\\d+ problem)`)).waitFor();
  return editor;
}

/** Replaces the active input's text as a person types it, and waits until it was checked as valid. */
export async function writeValidInput(window: EditorWindow, text: string): Promise<void> {
  await window.replaceText(text);
  await window.statusBarItem(/: valid/).waitFor();
}
