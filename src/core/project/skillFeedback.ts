import { mayHaveTakenEffect } from "../account/sessions";
import { sharedTextProblem } from "../payload/sharedText";
import { type RegistryFailure, registryFailureText } from "../registry/registryFailure";
import type { Language } from "../text/language";
import type { Notice } from "../text/notice";
import { oneLine } from "../text/plainText";
import { type ChangeQuestion, changeNotice } from "./changes";

/** A rating of a skill, which the registry publishes after moderation. */
export interface SkillRating {
  /** 1 to 5. */
  readonly rating: number;
  readonly title: string;
  readonly body: string;
}

/** A report of a skill to the registry's staff. */
export interface SkillReport {
  readonly category: ReportCategory;
  readonly severity: ReportSeverity;
  readonly title: string;
  readonly description: string;
}

export type ReportCategory = (typeof reportCategories)[number];
export type ReportSeverity = (typeof reportSeverities)[number];

/** The subjects of a report, the most serious first. */
export const reportCategories = [
  "malicious",
  "security",
  "privacy",
  "copyright",
  "spam",
  "quality",
  "billing",
  "other",
] as const;

/** The severities, the most serious first. */
export const reportSeverities = ["critical", "high", "medium", "low"] as const;

/** The gateway's limits, in characters. */
export const feedbackLengths = { title: 140, body: 1800, description: 4000 } as const;

/** A text of a rating or a report. */
export type FeedbackPart = keyof typeof feedbackLengths;

/** Describes the problem with a text; empty for a valid one. */
export function feedbackProblem(text: string, part: FeedbackPart, language: Language): string {
  const { t } = language;
  const count = feedbackLengths[part];
  if (text.trim() === "") return t("Enter a text.");
  if (text.trim().length > count) return t("Enter {count} characters at most.", { count });
  return sharedTextProblem(text, language);
}

/** Names the subject of a report. */
export function categoryText(category: ReportCategory, { t }: Language): string {
  switch (category) {
    case "malicious":
      return t("Malicious behavior");
    case "security":
      return t("Security problem");
    case "privacy":
      return t("Privacy");
    case "copyright":
      return t("Copyright");
    case "spam":
      return t("Spam");
    case "quality":
      return t("Quality");
    case "billing":
      return t("Billing");
    case "other":
      return t("Something else");
  }
}

/** Names the severity of a report. */
export function severityText(severity: ReportSeverity, { t }: Language): string {
  switch (severity) {
    case "critical":
      return t("Critical");
    case "high":
      return t("High");
    case "medium":
      return t("Medium");
    case "low":
      return t("Low");
  }
}

/** Draws a number of stars, of five. */
export function starsText(count: number): string {
  return "★".repeat(count) + "☆".repeat(5 - count);
}

/** Builds the question whether to send a rating to the registry named `where`. Shows the whole rating. */
export function ratingQuestion(
  skill: string,
  { rating, title, body }: SkillRating,
  where: string,
  { t }: Language,
): ChangeQuestion {
  return {
    message: t("Send this rating of {skill}?", { skill }),
    detail: [
      [`${starsText(rating)}  ${title}`, body],
      t("Sent to {registry} with your name. It is public once moderators approve it.", {
        registry: where,
      }),
    ],
    agree: t("Send Rating"),
  };
}

/** Builds the question whether to send a report to the staff of the registry named `where`. Shows the whole report. */
export function reportQuestion(
  skill: string,
  { category, severity, title, description }: SkillReport,
  where: string,
  language: Language,
): ChangeQuestion {
  const { t } = language;
  return {
    message: t("Send this report of {skill}?", { skill }),
    detail: [
      [
        `${categoryText(category, language)} · ${severityText(severity, language)}`,
        title,
        ...description.split("\n"),
      ],
      t("Sent to the staff of {registry} with your name.", { registry: where }),
    ],
    agree: t("Send Report"),
  };
}

/** Adds the ID of the reported invocation to the description. Shortens the description if both are too long. */
export function withInvocationId(description: string, invocationId: string | undefined): string {
  if (invocationId === undefined) return description.trim();
  // The ID comes from the registry. Line breaks in it could add lines to the report.
  const line = `\n\nInvocation ID: ${oneLine(invocationId.slice(0, 200))}`;
  return description.trim().slice(0, feedbackLengths.description - line.length) + line;
}

/**
 * Describes why a rating or report was rejected. If the registry may have accepted it, warns that sending it again may
 * create a duplicate.
 */
export function feedbackNotice(failure: RegistryFailure, language: Language): Notice {
  if (!mayHaveTakenEffect(failure)) return changeNotice(failure, language);
  const message = language.t(
    "It is not known whether the registry received this: {reason} Sending it again may create a duplicate.",
    { reason: registryFailureText(failure, language) },
  );
  return { severity: "warning", message, actions: [] };
}
