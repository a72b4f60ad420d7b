import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { RunRemedy } from "../../core/invocation/permission/gateNotices";
import type { QuestionOf } from "../../core/invocation/permission/question";
import type { Terms } from "../../core/invocation/permission/terms";
import type { Answers, Step } from "../../engine/asker";
import { settled } from "../../registry/wait";
import { commandIds } from "../ids";
import { askModal, confirm } from "../ui/messages";
import { withProgress } from "../ui/progress";

/** The questions about a skill: the same dialogs answer them whatever payload is sent. */
type SkillAnswers = Pick<Answers, "notExpectedToRun" | "unreviewed" | "terms" | "dailyLimit">;

/**
 * Answers what is asked about a skill by modal dialogs. `solve` does what lets an invocation run that is not expected
 * to; left out where that is not offered.
 */
export function askAboutSkill(
  openSkill: () => unknown,
  solve?: (remedy: RunRemedy) => unknown,
): SkillAnswers {
  // The dialog about the reviews says what is agreed to as well.
  let seen: Terms | undefined;
  return {
    notExpectedToRun: async ({ text: { message, detail, agree }, remedy }) => {
      const open = vscode.l10n.t("Open Skill");
      const question = { message, detail: [detail], maxLineLength: 500 };
      const first = solve === undefined || remedy === undefined ? [] : [remedy.title];
      const answer = await askModal(question, ...first, agree, open);
      if (answer === open) void openSkill();
      if (remedy !== undefined && answer === remedy.title) void solve?.(remedy);
      return answer === agree ? "yes" : "no";
    },
    unreviewed: async ({ text, terms }) => {
      const review = vscode.l10n.t("Review This Skill…");
      const answer = await askForConsent(text, review);
      if (answer === review) {
        void vscode.commands.executeCommand(commandIds.reviewSkill, terms.skillSlug);
      }
      if (answer !== text.agree) return "no";
      seen = terms;
      return "yes";
    },
    terms: async ({ text, terms }) =>
      isDeepStrictEqual(terms, seen) || (await askForConsent(text)) === text.agree ? "yes" : "no",
    dailyLimit: async ({ reason }) => {
      const message = vscode.l10n.t("Exceed your daily spending limit?");
      const agree = vscode.l10n.t("Invoke Anyway");
      const isSure = await confirm({ message, detail: reason, maxLineLength: 500, agree });
      return isSure ? "yes" : "no";
    },
  };
}

function askForConsent(
  { message, detail, agree }: QuestionOf<"terms">["text"],
  ...others: readonly string[]
): Promise<string | undefined> {
  return askModal({ message, detail: [detail] }, agree, ...others);
}

/** How long a canceled invocation waits for its record; longer delays come from reading a long response. */
export const leavingMs = 25;

/**
 * Shows progress while a step takes, with a button that cancels the invocation. Resolves when the step has ended, or
 * nobody waits for it any more. `sending` is the title while it is sent. Never rejects.
 */
export async function showStep(
  step: Step,
  work: Promise<unknown>,
  { skill, sending }: { readonly skill: string; readonly sending: string },
  cancel: AbortController,
): Promise<void> {
  const title = step === "send" ? sending : stepTitle(step, skill);
  const graceMs = step === "send" ? leavingMs : 0;
  await withProgress(title, () => settled(work, cancel.signal, graceMs), cancel);
}

function stepTitle(step: Exclude<Step, "send">, skill: string): string {
  switch (step) {
    case "payload":
      return vscode.l10n.t("Checking the payload");
    case "key":
      return vscode.l10n.t("Reading the Project Key");
    case "skill":
      return vscode.l10n.t("Loading {0}", skill);
    case "record":
      return vscode.l10n.t("Loading past invocations");
    case "reviews":
      return vscode.l10n.t("Reading the reviews");
    case "claim":
      return vscode.l10n.t("Preparing {0}…", skill);
  }
}
