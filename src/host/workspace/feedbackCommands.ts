import * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { ChangeQuestion } from "../../core/project/changes";
import type { ComparedInvocation } from "../../core/project/serverRecord";
import {
  categoryText,
  type FeedbackPart,
  feedbackLengths,
  feedbackNotice,
  feedbackProblem,
  type ReportCategory,
  type ReportSeverity,
  ratingQuestion,
  reportCategories,
  reportQuestion,
  reportSeverities,
  severityText,
  starsText,
  withInvocationId,
} from "../../core/project/skillFeedback";
import type { Result } from "../../core/registry/registryFailure";
import { labelText } from "../../core/text/plainText";
import { chooseInvocation, orOnScreen } from "../audit/auditCommands";
import { registryTitle } from "../connect/registryConnection";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, inform } from "../ui/messages";
import { withProgress } from "../ui/progress";
import { ask } from "../ui/quickInput/ask";
import { choose } from "../ui/quickInput/choose";
import { askInTurn, type Step } from "../ui/quickInput/quickInput";
import { showNotice } from "../ui/showNotice";
import { signedInUser } from "./account/accountCommands";
import type { ProjectParts } from "./inProject";
import { showSwitched } from "./makeChange";
import type { SignedIn } from "./signedIn";

/** The user, the subject of their feedback, and the title of the dialogs. */
interface Feedback {
  readonly who: SignedIn;
  readonly skill: string;
  readonly invocationId: string | undefined;
  readonly heading: string;
}

/**
 * Lets the user rate the skill of a past invocation by stars, title and text, or report a problem to the registry's
 * staff. Moderators of the registry see a rating before others do.
 */
export async function rateSkill(parts: ProjectParts, argument: unknown): Promise<void> {
  const at = await start(parts, argument, vscode.l10n.t("Rate or Report Skill"));
  if (at === undefined) return;
  const act = await choose(
    [
      ...[5, 4, 3, 2, 1].map((count) => ({
        label: starsText(count),
        description: vscode.l10n.t("{0} of 5", count),
        value: () => sendRating(parts, at, count),
      })),
      {
        label: vscode.l10n.t("Report a Problem…"),
        description: vscode.l10n.t("Only the registry's staff reads it"),
        icon: "report",
        value: () => sendReport(parts, at),
      },
    ],
    { title: at.heading, placeHolder: vscode.l10n.t("Select a rating") },
  );
  await act?.();
}

async function sendRating(
  parts: ProjectParts,
  { who, skill, heading }: Feedback,
  stars: number,
): Promise<void> {
  const answers = await askInTurn<[string, string]>(
    textQuestion(heading, "title", vscode.l10n.t("Title of the rating")),
    textQuestion(heading, "body", vscode.l10n.t("What others should know")),
  );
  if (answers === undefined) return;
  const [title, body] = answers;
  const rating = { rating: stars, title, body };
  const question = ratingQuestion(skill, rating, registryTitle(who.registry), hostLanguage());
  const done = vscode.l10n.t("Rating sent. It appears once moderators approve it.");
  await send(parts, who, question, done, (signal) => who.routes.rateSkill(skill, rating, signal));
}

async function sendReport(
  parts: ProjectParts,
  { who, skill, invocationId, heading }: Feedback,
): Promise<void> {
  const language = hostLanguage();
  const answers = await askInTurn<[ReportCategory, ReportSeverity, string, string]>(
    (step) =>
      choose(
        reportCategories.map((reportCategory) => ({
          label: categoryText(reportCategory, language),
          value: reportCategory,
        })),
        { title: heading, placeHolder: vscode.l10n.t("What is it about?"), ...step },
      ),
    (step) =>
      choose(
        reportSeverities.map((reportSeverity) => ({
          label: severityText(reportSeverity, language),
          value: reportSeverity,
        })),
        { title: heading, placeHolder: vscode.l10n.t("How severe is it?"), ...step },
      ),
    textQuestion(heading, "title", vscode.l10n.t("Title of the report")),
    textQuestion(
      heading,
      "description",
      invocationId === undefined
        ? vscode.l10n.t("What happened")
        : vscode.l10n.t("What happened. The invocation ID is added; payload and output are not."),
    ),
  );
  if (answers === undefined) return;
  const [category, severity, title, given] = answers;
  const report = { category, severity, title, description: withInvocationId(given, invocationId) };
  const question = reportQuestion(skill, report, registryTitle(who.registry), language);
  const done = vscode.l10n.t("Report sent to the registry.");
  await send(parts, who, question, done, (signal) => who.routes.reportSkill(skill, report, signal));
}

/** Finds the invocation of a command, or asks for it, and the user. Undefined if they canceled. */
async function start(
  parts: ProjectParts,
  argument: unknown,
  title: string,
): Promise<Feedback | undefined> {
  // A row of the Project view may be an invocation that only the registry has.
  const { server, own } = (argument ?? {}) as Partial<ComparedInvocation>;
  const given = server?.skillSlug ?? own?.skillSlug;
  const words = (record: InvocationRecord) => parts.outputs.words(record);
  const { skillSlug: skill, invocationId } =
    given === undefined
      ? ((await chooseInvocation(parts.history, orOnScreen(argument), { title, words })) ?? {})
      : { skillSlug: given, invocationId: server?.id ?? own?.invocationId };
  if (skill === undefined) return undefined;
  const who = await signedInUser(parts);
  return who && { who, skill, invocationId, heading: `${title}: ${labelText(skill, 60)}` };
}

function textQuestion(title: string, part: FeedbackPart, prompt: string) {
  const problemOf = (typed: string) => feedbackProblem(typed, part, hostLanguage());
  return (step: Step, value = "") => ask({ title, prompt, problemOf, value, ...step });
}

/**
 * Sends feedback after a question that shows its whole text. Sends it once, since a repetition would create a second
 * rating or report.
 */
async function send(
  { project }: ProjectParts,
  who: SignedIn,
  question: ChangeQuestion,
  done: string,
  work: (signal: AbortSignal) => Promise<Result<true>>,
): Promise<void> {
  const maxLineLength = feedbackLengths.description;
  if (!(await confirm({ severity: "information", ...question, maxLineLength }))) return;
  if (!(await project.accounts.isStillHere(who))) return void showSwitched();
  const answer = await withProgress(vscode.l10n.t("Sending to the registry"), work);
  if (answer.ok) return void inform(done);
  await project.noteFailure(who.session, answer.failure);
  void showNotice(feedbackNotice(answer.failure, hostLanguage()));
}
