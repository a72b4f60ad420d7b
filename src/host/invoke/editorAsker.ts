import * as vscode from "vscode";
import type { RunRemedy } from "../../core/invocation/permission/gateNotices";
import { joinedQuestion } from "../../core/invocation/permission/question";
import type { Answers, Step } from "../../engine/asker";
import { settled } from "../../registry/wait";
import { commandIds } from "../ids";
import { askModal, confirm } from "../ui/messages";
import { withProgress } from "../ui/progress";

/** The questions about a skill. Their dialogs do not depend on the payload. */
type SkillAnswers = Pick<
  Answers,
  "notExpectedToRun" | "unreviewed" | "terms" | "dailyLimit" | "uncounted"
>;

/**
 * Asks questions about a skill in modal dialogs. `solve` removes an obstacle of the invocation; left out if that is not
 * offered. `asker` are lines that name the caller if it is not the person at the dialog.
 */
export function askAboutSkill(
  openSkill: () => unknown,
  solve?: (remedy: RunRemedy) => unknown,
  asker: readonly string[] = [],
): SkillAnswers {
  const review = vscode.l10n.t("Review This Skill…");
  const openReview = (slug: string) =>
    void vscode.commands.executeCommand(commandIds.reviewSkill, slug);
  return {
    notExpectedToRun: async (question) => {
      const { remedy, next } = question;
      const { message, detail, agree } = joinedQuestion(question);
      const solution = solve === undefined ? undefined : remedy?.title;
      const look = next?.kind === "unreviewed" ? review : vscode.l10n.t("Open Skill");
      // Enter presses the first button, so sending never comes first.
      const buttons = solution === undefined ? [look, agree] : [solution, agree, look];
      const asked = { message, detail: [asker, detail], maxLineLength: 500 };
      const answer = await askModal(asked, ...buttons);
      if (answer === look)
        void (next?.kind === "unreviewed" ? openReview(next.terms.skillSlug) : openSkill());
      if (remedy !== undefined && answer === solution) void solve?.(remedy);
      return answer === agree ? "all" : "no";
    },
    unreviewed: async ({ text: { message, detail, agree }, terms }) => {
      const answer = await askModal({ message, detail: [asker, detail] }, review, agree);
      if (answer === review) openReview(terms.skillSlug);
      // The dialog shows the terms too, so one answer covers both.
      return answer === agree ? "all" : "no";
    },
    terms: async ({ text: { message, detail, agree } }) =>
      (await askModal({ message, detail: [asker, detail] }, agree)) === agree ? "yes" : "no",
    dailyLimit: async ({ reason }) => {
      const message = vscode.l10n.t("Exceed your daily spending limit?");
      const agree = vscode.l10n.t("Invoke Anyway");
      const isSure = await confirm({ message, detail: reason, maxLineLength: 500, agree });
      return isSure ? "yes" : "no";
    },
    uncounted: async () => {
      const message = vscode.l10n.t("Invoke without counting it?");
      const detail = vscode.l10n.t("A limit is set, and what was spent today is not known.");
      const agree = vscode.l10n.t("Invoke Anyway");
      return (await confirm({ message, detail, agree })) ? "yes" : "no";
    },
  };
}

/**
 * The maximum time to wait for the record of a canceled invocation, in milliseconds. Only reading a long response takes
 * longer.
 */
export const cancelGraceMs = 25;

/**
 * Shows progress during a step, with a button that cancels the invocation. Resolves when the step ended or was
 * canceled. `sending` is the title of the step that sends the invocation. Never rejects.
 */
export async function showStep(
  step: Step,
  work: Promise<unknown>,
  { skill, sending }: { readonly skill: string; readonly sending: string },
  cancel: AbortController,
): Promise<void> {
  const title = step === "send" ? sending : stepTitle(step, skill);
  const graceMs = step === "send" ? cancelGraceMs : 0;
  await withProgress(title, () => settled(work, cancel.signal, graceMs), cancel);
}

/** The steps of a run of many invocations that a window shows. The Test Explorer or the terminal shows the others. */
export const shownStepsOfRun: readonly Step[] = ["skill", "record", "reviews"];

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
