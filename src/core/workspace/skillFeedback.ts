import { type RegistryFailure, registryFailureText } from "../registry/registryFailure";
import type { Language } from "../text/language";
import type { Notice } from "../text/notice";
import { oneLine } from "../text/plainText";
import { isUndecided } from "./account";
import { changeNotice } from "./changes";

/** A rating of a skill, which the registry shows once its moderators have agreed to it. */
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

/** What a report can be about, the gravest first. */
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

/** How grave it is, the gravest first. */
export const reportSeverities = ["critical", "high", "medium", "low"] as const;

/** How many characters the gateway takes. */
export const feedbackLengths = { title: 140, body: 1800, description: 4000 } as const;

/** Says what is wrong with a text; empty for one that will do. */
export function feedbackProblem(
  text: string,
  part: keyof typeof feedbackLengths,
  { t }: Language,
): string {
  const count = feedbackLengths[part];
  if (text.trim() === "") return t("Enter a text.");
  return text.trim().length > count ? t("Enter {count} characters at most.", { count }) : "";
}

/** Names what a report is about. */
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

/** Names how grave a report is. */
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

/** Adds the invocation that a report is about to its description; the description gives way where both are too long. */
export function withInvocationId(description: string, invocationId: string | undefined): string {
  if (invocationId === undefined) return description.trim();
  // It is the registry's: with line ends in it, it could write more of the report than itself.
  const line = `\n\nInvocation ID: ${oneLine(invocationId.slice(0, 200))}`;
  return description.trim().slice(0, feedbackLengths.description - line.length) + line;
}

/** Tells why a rating or report was not taken, or that it may have been: a second one would stand beside it. */
export function feedbackNotice(failure: RegistryFailure, language: Language): Notice {
  if (!isUndecided(failure)) return changeNotice(failure, language);
  const message = language.t(
    "It is not known whether the registry received this: {reason} Sending it again may create a duplicate.",
    { reason: registryFailureText(failure, language) },
  );
  return { severity: "warning", message, actions: [] };
}
