import * as vscode from "vscode";
import {
  secretsQuestion,
  uncheckedQuestion,
} from "../../core/invocation/permission/payloadQuestions";
import type { QuestionOf, Stopped } from "../../core/invocation/permission/question";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { DialogQuestion } from "../../core/text/notice";
import { oneLine } from "../../core/text/plainText";
import type { Asker, Step } from "../../engine/asker";
import { stopped } from "../../engine/attempt";
import type { QuestionGate } from "../../window/questionGate";
import type { CommandInvocation } from "../../window/requests";
import { askAboutSkill, shownStepsOfRun, showStep } from "../invoke/editorAsker";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm } from "../ui/messages";

/** Callbacks to the command that needs answers, and the facts that the dialogs show. */
export interface CommandSide {
  /** Reports that a question is visible. */
  readonly asking: () => void;
  /** Lets the command decide whether to wait. Rejects if the command is gone. */
  readonly wait: (
    question: QuestionOf<"rateLimit" | "inProgress">,
  ) => Promise<"yes" | "later" | "no">;
  /**
   * Reports the record of a starting invocation to the command. The invocation is sent after this resolves, and not at
   * all if it rejects.
   */
  readonly started: (record: InvocationRecord) => Promise<void>;
  readonly openSkill: (slug: string) => unknown;
  /** The payload as written; empty for a question about several payloads together. */
  readonly text: string;
  readonly cancel: AbortController;
}

/** Names the caller of an invocation, in a line of a dialog. */
function commandLine(command: string, folder: string): string {
  return vscode.l10n.t(
    "For {0} in a terminal, in {1}",
    oneLine(command, 100),
    oneLine(folder, 200),
  );
}

/**
 * Answers for a command in a terminal with dialogs of this window, one at a time. The options of the command answer
 * none of the questions, since a program may have started it.
 */
export class CommandAsker {
  readonly asker: Asker;
  private no: "declined" | "quiet" | undefined;

  constructor(
    private readonly wanted: CommandInvocation,
    private readonly gate: QuestionGate,
    private readonly side: CommandSide,
  ) {
    const { slug } = wanted;
    const about = askAboutSkill(() => side.openSkill(slug), undefined, this.lines);
    const gated =
      <Asked, Answer extends string>(answer: (question: Asked) => Answer | Promise<Answer>) =>
      (question: Asked) =>
        this.ask(async () => {
          side.asking();
          return answer(question);
        });
    this.asker = {
      isPerson: true,
      answers: {
        notExpectedToRun: gated(about.notExpectedToRun),
        unreviewed: gated(about.unreviewed),
        terms: gated(about.terms),
        dailyLimit: gated(about.dailyLimit),
        uncounted: gated(about.uncounted),
        unchecked: gated(({ check }: QuestionOf<"unchecked">) =>
          this.agreesTo(uncheckedQuestion(check, hostLanguage())),
        ),
        secrets: gated(async ({ found }: QuestionOf<"secrets">) => {
          const question = secretsQuestion("send", side.text, found, hostLanguage());
          return question === undefined ? "yes" : this.agreesTo(question);
        }),
        inProgress: async (question) => {
          const answer = await side.wait(question);
          if (answer !== "yes") return answer;
          const message = vscode.l10n.t(
            "{0} is being invoked with this payload. Send it twice?",
            slug,
          );
          const agree = vscode.l10n.t("Send Twice");
          return this.ask(() => this.agreesTo({ message, detail: [], agree }));
        },
        rateLimit: async (question) => ((await side.wait(question)) === "no" ? "no" : "later"),
        agentCall: () => "noPerson",
      },
      agreedBefore: () => undefined,
      waiting: (step, work) => this.show(step, work),
      started: side.started,
      ended: () => undefined,
    };
  }

  /**
   * Asks whether commands may invoke a harmless skill. In the editor such an invocation needs no question, but a
   * command may run while nobody is present. `isKnown` returns whether the user has allowed the skill meanwhile.
   */
  async allowsSkill(skill: string, isKnown: () => boolean): Promise<boolean> {
    const message = vscode.l10n.t("Invoke {0} for a command in a terminal?", skill);
    const detail = [this.lines, vscode.l10n.t("You are asked once in this window.")];
    const agree = vscode.l10n.t("Invoke");
    const answer = await this.ask(async () => {
      if (isKnown()) return "yes";
      this.side.asking();
      return (await confirm({ severity: "information", message, detail, agree })) ? "yes" : "no";
    });
    return answer === "yes";
  }

  /** Replaces the reason for not sending, if this window is the reason. */
  reasonOf(end: Stopped): Stopped {
    if (this.no !== undefined) return stopped({ kind: "atWindow", why: this.no });
    if (end.stop.kind !== "noSender") return end;
    // The user was asked for a key, and set none.
    this.gate.close();
    return stopped({ kind: "atWindow", why: "noSender" });
  }

  private get lines(): readonly string[] {
    const { command, folder } = this.wanted;
    return [commandLine(`skill-registry ${command}`, folder)];
  }

  private async agreesTo(question: DialogQuestion): Promise<"yes" | "no"> {
    const { message, detail, agree } = question;
    const asked = { message, detail: [this.lines, detail], maxLineLength: 500, agree };
    return (await confirm(asked)) ? "yes" : "no";
  }

  private async ask<Answer extends string>(
    question: () => Promise<Answer>,
  ): Promise<Answer | "no"> {
    const answer = await this.gate.ask(question, (item) => item === "no");
    if (answer === "refused") this.no = "quiet";
    else if (answer === "no") this.no = "declined";
    return answer === "refused" ? "no" : answer;
  }

  private show(step: Step, work: Promise<unknown>): void {
    const { slug, command } = this.wanted;
    const isShown = command === "invoke" ? step !== "payload" : shownStepsOfRun.includes(step);
    if (!isShown) return;
    const sending = vscode.l10n.t("Invoking {0} for a command in a terminal", slug);
    void showStep(step, work, { skill: slug, sending }, this.side.cancel);
  }
}
