import * as vscode from "vscode";
import { builtInRegistryName } from "../../core/invocation/record/invocationRecord";
import { notificationText } from "../../core/text/plainText";
import { readSettings } from "../settings";
import { AskedOnce } from "./askedOnce";

const memoryName = "keepTexts";

/**
 * Decides whether inputs and outputs are stored with the record of an invocation: by the setting, and where
 * that is `ask`, by the user's answer for the registry.
 */
export class TextKeeping {
  private readonly questions = new AskedOnce<boolean>();

  constructor(private readonly memory: vscode.Memento) {}

  /** Returns whether texts of invocations to a registry are stored; undefined where the user was not asked. */
  decided(registry: string): boolean | undefined {
    const setting = readSettings().historyKeepTexts;
    if (setting !== "ask") return setting === "always";
    if (registry === builtInRegistryName) return true;
    const answer = this.answers()[registry];
    return typeof answer === "boolean" ? answer : undefined;
  }

  /**
   * Asks the user for a registry, once a window: closing the question leaves texts unstored until the next.
   * Resolves to true where they are to be stored, for all callers while the question is open.
   */
  ask(registry: string): Promise<boolean> {
    return this.questions.ask(registry, () => this.askNow(registry));
  }

  private async askNow(registry: string): Promise<boolean> {
    const keep = vscode.l10n.t("Keep");
    const answer = await vscode.window.showInformationMessage(
      notificationText(
        vscode.l10n.t(
          "Keep the payloads and outputs of invocations at {0} on this machine? Only then can an invocation be opened in full, compared and repeated later.",
          registry,
        ),
      ),
      keep,
      vscode.l10n.t("Do Not Keep"),
    );
    if (answer === undefined) return false;
    // If the answer cannot be stored, the next window asks again.
    this.memory
      .update(memoryName, { ...this.answers(), [registry]: answer === keep })
      .then(undefined, () => undefined);
    return answer === keep;
  }

  private answers(): Readonly<Record<string, unknown>> {
    const kept: unknown = this.memory.get(memoryName);
    return typeof kept === "object" && kept !== null ? { ...kept } : {};
  }
}
