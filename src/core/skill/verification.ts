import type { Language } from "../text/language";
import { isLatest, type SkillDetail } from "./skill";

/** How good or bad a status is for the reader. Each tone has its own icon and color. */
export type Tone = "good" | "neutral" | "caution" | "bad";

/** The verification of a skill for people: its name and what to do about it. */
export interface VerificationText {
  readonly word: string;
  /** Empty if the name needs no advice. */
  readonly advice: string;
  readonly tone: Tone;
}

/**
 * Describes what a verification status means for somebody about to use the skill. An unknown one keeps its own word.
 */
export function verificationText(status: string | undefined, { t }: Language): VerificationText {
  switch (status) {
    case undefined:
    case "":
      return {
        word: t("Verification not provided"),
        advice: t("Verification not provided by this registry."),
        tone: "neutral",
      };
    case "verified":
      return {
        word: t("Verified"),
        advice: "",
        tone: "good",
      };
    case "submitted":
      return {
        word: t("Submitted"),
        advice: t("Not verified yet. Invocations may be rejected."),
        tone: "caution",
      };
    case "draft":
      return {
        word: t("Draft"),
        advice: t("Not finished. Invocations may be rejected."),
        tone: "caution",
      };
    case "deprecated":
      return {
        word: t("Deprecated"),
        advice: t("Plan to migrate to another version or skill."),
        tone: "caution",
      };
    case "rejected":
      return {
        word: t("Rejected"),
        advice: t("Rejected by the registry. Do not use it."),
        tone: "bad",
      };
    case "suspended":
      return {
        word: t("Suspended"),
        advice: t("Disabled by the registry. Invocations will be rejected."),
        tone: "bad",
      };
    default:
      return {
        word: status,
        advice: t("Custom status of this registry. Ask the registry what it means."),
        tone: "neutral",
      };
  }
}

/** Returns the version whose status is shown, if that is not the version that was read. */
export function versionOfStatus(skill: SkillDetail): string | undefined {
  const { summary, latestVersion } = skill;
  return summary.verificationStatus && !isLatest(skill) ? latestVersion : undefined;
}

/** Names a review status. An unknown one keeps its own word; empty if the registry provides none. */
export function registryReviewText(state: string | undefined, { t }: Language): string {
  switch (state) {
    case undefined:
      return "";
    case "queued":
      return t("Waiting for review");
    case "in_review":
      return t("Being reviewed");
    case "approved":
      return t("Approved");
    case "rejected":
      return t("Rejected");
    case "blocked":
      return t("Blocked");
    default:
      return state;
  }
}

/** An icon of the editor's own set, with a color of its themes. The shape alone identifies the status. */
export interface RowIcon {
  readonly id: string;
  readonly color?: string;
}

/**
 * Chooses the icon of a row: first a reason against using the skill, then a permission level above low, then the
 * verification.
 */
export function rowIcon(state: string | undefined, level: string | undefined): RowIcon {
  if (state === "rejected" || state === "suspended") return verificationIcon(state);
  switch (level?.toLowerCase()) {
    case "high":
      return { id: "shield", color: "list.errorForeground" };
    case "medium":
      return state === "verified" || state === undefined
        ? { id: "key", color: "list.warningForeground" }
        : verificationIcon(state);
    default:
      return verificationIcon(state);
  }
}

/** Picks the icon that stands for a verification; an unknown one gets a question mark. */
export function verificationIcon(state: string | undefined): RowIcon {
  switch (state) {
    case "verified":
      return { id: "verified", color: "charts.green" };
    case "submitted":
    case "draft":
      return { id: "circle-large-outline", color: "list.warningForeground" };
    case "deprecated":
      return { id: "warning", color: "list.warningForeground" };
    case "rejected":
    case "suspended":
      return { id: "circle-slash", color: "list.errorForeground" };
    default:
      return { id: "question" };
  }
}
