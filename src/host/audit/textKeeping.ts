import * as vscode from "vscode";
import { ChangeEvent } from "../../engine/changeEvent";
import { keepsTexts, type MachineSettings, readAnswers } from "../../engine/files/machineSettings";
import { readSettings } from "../settings";
import { inform } from "../ui/messages";
import { Owner } from "../ui/owner";
import { type Memory, StoredValue } from "../ui/stored";

/**
 * Decides whether payloads and outputs are stored with the record of an invocation: by the setting, and if that is
 * `ask`, by the user's answer for the registry.
 */
export class TextKeeping extends Owner {
  /** The questions of this window and their answers, by registry. */
  private readonly questions = new Map<string, Promise<boolean>>();

  private readonly answers: StoredValue<MachineSettings["keepTextsOf"]>;

  private readonly changed = this.own(new ChangeEvent<void>());
  /** Fires with each answer. */
  readonly onDidChange = this.changed.event;

  constructor(memory: Memory) {
    super();
    this.answers = new StoredValue(memory, "keepTexts", readAnswers);
  }

  /** The settings that every program of this machine follows. */
  get settings(): Pick<MachineSettings, "keepTexts" | "keepTextsOf"> {
    return { keepTexts: readSettings().historyKeepTexts, keepTextsOf: this.answers.get() };
  }

  /** Returns whether texts of invocations to a registry are stored; undefined if the user was not asked. */
  mayKeep(registry: string): boolean | undefined {
    return keepsTexts(this.settings, registry);
  }

  /**
   * Asks the user about a registry, once per window. Resolves to true if texts are to be stored. All callers share the
   * question. If the user closes it, texts are not stored, and the next window asks again.
   */
  ask(registry: string): Promise<boolean> {
    const asked = this.questions.get(registry) ?? this.askNow(registry);
    this.questions.set(registry, asked);
    return asked;
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
    const answers = { ...this.answers.get(), [registry]: answer === keep };
    void this.answers.set(answers).then(() => this.changed.fire());
    return answer === keep;
  }
}
