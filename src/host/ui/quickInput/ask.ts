import * as vscode from "vscode";
import { oneLine } from "../../../core/text/plainText";
import { submitInBox } from "./quickInput";

/** A question that is answered by a line of text. */
export interface TextQuestion<Earlier = never> {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder?: string;
  /** The text to start with. */
  readonly value?: string;
  /** Whether the text is a secret, and hidden. */
  readonly password?: boolean;
  /** Describes the problem with a text while typing; empty for none. Default: every text is valid. */
  readonly problemOf?: (text: string) => string;
  /** Goes back to the previous question. A button, and the editor's key for going back, resolve to its result. */
  readonly back?: () => Promise<Earlier | undefined>;
}

/**
 * Asks for a line of text, and resolves to it without surrounding blanks. Stays open while another window has the
 * focus, so that nothing typed is lost. Undefined if the user canceled.
 */
export function ask<Earlier = never>({
  title,
  prompt,
  placeHolder: placeholder = "",
  value = "",
  password = false,
  problemOf = () => "",
  back,
}: TextQuestion<Earlier>): Promise<string | Earlier | undefined> {
  const buttons = back === undefined ? [] : [vscode.QuickInputButtons.Back];
  const parts = { title, prompt: oneLine(prompt, 500), placeholder, value, password, buttons };
  const submit = async (text: string) => ({ ok: true, value: text.trim() }) as const;
  return submitInBox(createBox(parts), { problemOf, submit, back });
}

/** Creates an input box that stays open like a question of `ask`. Its owner handles the text. */
export function createBox({
  title,
  ...parts
}: Partial<
  Pick<vscode.InputBox, "title" | "prompt" | "placeholder" | "value" | "password" | "buttons">
>): vscode.InputBox {
  const options = { ...parts, title: oneLine(title ?? ""), ignoreFocusOut: true };
  return Object.assign(vscode.window.createInputBox(), options);
}
