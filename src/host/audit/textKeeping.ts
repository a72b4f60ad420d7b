import * as vscode from "vscode";
import { keepsTexts, type MachineSettings, readAnswers } from "../../engine/machineSettings";
import { readSettings } from "../settings";
import { inform } from "../ui/messages";
import { AskedOnce } from "./askedOnce";

const memoryName = "keepTexts";

/**
 * Decides whether inputs and outputs are stored with the record of an invocation: by the setting, and where
 * that is `ask`, by the user's answer for the registry.
 */
export class TextKeeping {
  private readonly questions = new AskedOnce<boolean>();

  /** `answered` hears of each answer. */
  constructor(
    private readonly memory: vscode.Memento,
    private readonly answered: () => unknown,
  ) {}

  /** What decides, as every caller of this machine goes by it. */
  get settings(): Pick<MachineSettings, "keepTexts" | "keepTextsOf"> {
    const keepTextsOf = readAnswers(this.memory.get(memoryName));
    return { keepTexts: readSettings().historyKeepTexts, keepTextsOf };
  }

  /** Returns whether texts of invocations to a registry are stored; undefined where the user was not asked. */
  decided(registry: string): boolean | undefined {
    return keepsTexts(this.settings, registry);
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
    const answer = await inform(
      vscode.l10n.t(
        "Keep the payloads and outputs of invocations at {0} on this machine? Only then can an invocation be opened in full, compared and repeated later.",
        registry,
      ),
      keep,
      vscode.l10n.t("Do Not Keep"),
    );
    if (answer === undefined) return false;
    // If the answer cannot be stored, the next window asks again.
    this.memory
      .update(memoryName, { ...this.settings.keepTextsOf, [registry]: answer === keep })
      .then(this.answered, () => undefined);
    return answer === keep;
  }
}
