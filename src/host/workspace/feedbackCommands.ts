import * as vscode from "vscode";
import type { ComparedInvocation } from "../../core/project/serverRecord";
import {
  categoryText,
  feedbackLengths,
  feedbackNotice,
  feedbackProblem,
  type ReportCategory,
  type ReportSeverity,
  reportCategories,
  reportSeverities,
  severityText,
  withInvocationId,
} from "../../core/project/skillFeedback";
import type { Result } from "../../core/registry/registryFailure";
import { type DialogDetail, labelText } from "../../core/text/plainText";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { signedInUser } from "../account/accountCommands";
import { chooseInvocation } from "../audit/auditCommands";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, inform } from "../ui/messages";
import { withProgress } from "../ui/progress";
import { ask } from "../ui/quickInput/ask";
import { choose } from "../ui/quickInput/choose";
import { askInTurn, type Step } from "../ui/quickInput/quickInput";
import { showNotice } from "../ui/showNotice";
import type { ProjectParts } from "./inProject";
import type { SignedIn } from "./signedIn";

/** The subject of a rating or report. */
interface FeedbackSubject {
  readonly skillSlug: string;
  readonly invocationId?: string;
}

/**
 * Rates the skill of a past invocation, by stars, title and text, which the registry's moderators see first, or
 * reports it to the registry's staff.
 */
export async function rateSkill(parts: ProjectParts, argument: unknown): Promise<void> {
  const at = await start(parts, argument, vscode.l10n.t("Rate or Report Skill"));
  if (at === undefined) return;
  const stars = await choose<number | "report">(
    [
      ...[5, 4, 3, 2, 1].map((count) => ({
        label: starsOf(count),
        description: vscode.l10n.t("{0} of 5", count),
        value: count,
      })),
      {
        label: vscode.l10n.t("Report a Problem…"),
        description: vscode.l10n.t("Only the registry's staff reads it"),
        icon: "report",
        value: "report",
      },
    ],
    { title: at.heading, placeHolder: vscode.l10n.t("Select a rating") },
  );
  if (stars === "report") await sendReport(parts, at);
  else if (stars !== undefined) await sendRating(parts, at, stars);
}

function starsOf(count: number): string {
  return "★".repeat(count) + "☆".repeat(5 - count);
}

/** The user, what they give feedback on, and the title of the dialogs. */
interface Feedback {
  readonly who: SignedIn;
  readonly subject: FeedbackSubject;
  readonly heading: string;
}

async function sendRating(
  parts: ProjectParts,
  { who, subject, heading }: Feedback,
  stars: number,
): Promise<void> {
  const answers = await askInTurn<[string, string]>(
    textQuestion(heading, "title", vscode.l10n.t("Title of the rating")),
    textQuestion(heading, "body", vscode.l10n.t("What others should know")),
  );
  if (answers === undefined) return;
  const [headline, body] = answers;
  const rating = { rating: stars, title: headline, body };
  const isSure = await agrees(
    vscode.l10n.t("Send this rating of {0}?", subject.skillSlug),
    [
      [`${starsOf(stars)}  ${headline}`, body],
      vscode.l10n.t(
        "Sent to {0} with your name. It is public once moderators approve it.",
        who.registry.isBuiltIn ? who.registry.name : who.registry.origin,
      ),
    ],
    vscode.l10n.t("Send Rating"),
  );
  if (!isSure) return;
  await send(
    parts,
    who,
    vscode.l10n.t("Rating sent. It appears once moderators approve it."),
    (signal) => who.routes.rateSkill(subject.skillSlug, rating, signal),
  );
}

async function sendReport(parts: ProjectParts, { who, subject, heading }: Feedback): Promise<void> {
  const language = hostLanguage();
  const { invocationId } = subject;
  const answers = await askInTurn<[ReportCategory, ReportSeverity, string, string]>(
    (step) =>
      choose(
        reportCategories.map((one) => ({ label: categoryText(one, language), value: one })),
        { title: heading, placeHolder: vscode.l10n.t("What is it about?"), ...step },
      ),
    (step) =>
      choose(
        reportSeverities.map((one) => ({ label: severityText(one, language), value: one })),
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
  const [category, severity, headline, given] = answers;
  const description = withInvocationId(given, invocationId);
  const report = {
    category,
    severity,
    title: headline,
    description,
  };
  const isSure = await agrees(
    vscode.l10n.t("Send this report of {0}?", subject.skillSlug),
    [
      [
        `${categoryText(category, language)} · ${severityText(severity, language)}`,
        headline,
        ...description.split("\n"),
      ],
      vscode.l10n.t(
        "Sent to the staff of {0} with your name.",
        who.registry.isBuiltIn ? who.registry.name : who.registry.origin,
      ),
    ],
    vscode.l10n.t("Send Report"),
  );
  if (!isSure) return;
  await send(parts, who, vscode.l10n.t("Report sent to the registry."), (signal) =>
    who.routes.reportSkill(subject.skillSlug, report, signal),
  );
}

/** Finds the invocation a command applies to, or asks. Undefined where the user canceled. */
async function feedbackSubject(
  history: InvocationHistory,
  argument: unknown,
  title: string,
): Promise<FeedbackSubject | undefined> {
  // A row of the Project view may be an invocation that only the registry has.
  const { server, own } = (argument ?? {}) as Partial<ComparedInvocation>;
  const skillSlug = server?.skillSlug ?? own?.skillSlug;
  if (skillSlug === undefined) return chooseInvocation(history, argument, { title });
  const invocationId = server?.id ?? own?.invocationId;
  return { skillSlug, ...(invocationId !== undefined && { invocationId }) };
}

async function start(
  parts: ProjectParts,
  argument: unknown,
  title: string,
): Promise<Feedback | undefined> {
  const subject = await feedbackSubject(parts.history, argument, title);
  if (subject === undefined) return undefined;
  const who = await signedInUser(parts);
  const heading = `${title}: ${labelText(subject.skillSlug, 60)}`;
  return who && { who, subject, heading };
}

function textQuestion(title: string, part: Parameters<typeof feedbackProblem>[1], prompt: string) {
  const problemOf = (typed: string) => feedbackProblem(typed, part, hostLanguage());
  return (step: Step, value = "") => ask({ title, prompt, problemOf, value, ...step });
}

/** Shows the whole text that is sent, whose length is already limited. */
function agrees(message: string, detail: DialogDetail, agree: string): Promise<boolean> {
  const maxLineLength = feedbackLengths.description;
  return confirm({ severity: "information", message, detail, maxLineLength, agree });
}

/** Sends once; sending again would create a second one. */
async function send(
  { project }: ProjectParts,
  { session }: SignedIn,
  done: string,
  work: (signal: AbortSignal) => Promise<Result<true>>,
): Promise<void> {
  const answer = await withProgress(vscode.l10n.t("Sending to the registry"), work);
  if (answer.ok) return void inform(done);
  await project.noteFailure(session, answer.failure);
  void showNotice(feedbackNotice(answer.failure, hostLanguage()));
}
