import * as vscode from "vscode";
import { oneLine } from "../../core/text/plainText";

/** A question that is answered by a line of text. */
export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder?: string;
  /** The text to start with. */
  readonly value?: string;
  /** Whether the text is a secret, which is not shown. */
  readonly password?: boolean;
  /** Says while it is typed what is wrong with a text; empty for nothing. Default: every text will do. */
  readonly problemOf?: (text: string) => string;
}

/**
 * Asks for a line of text, and resolves to it without the blanks around it. Stays open while another window has
 * the focus, so that nothing typed is lost. Undefined where the user canceled.
 */
export async function ask({
  title,
  prompt,
  placeHolder = "",
  value = "",
  password = false,
  problemOf = () => "",
}: TextQuestion): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: oneLine(title),
    prompt: oneLine(prompt, 500),
    placeHolder,
    value,
    password,
    ignoreFocusOut: true,
    validateInput: (typed) => problemOf(typed) || undefined,
  });
  return text === undefined || problemOf(text) !== "" ? undefined : text.trim();
}

/** Creates a box whose owner answers what is typed, and that stays open like a question of `ask`. */
export function createBox(
  parts: Partial<Pick<vscode.InputBox, "title" | "prompt" | "placeholder" | "password">>,
): vscode.InputBox {
  return Object.assign(vscode.window.createInputBox(), { ...parts, ignoreFocusOut: true });
}
