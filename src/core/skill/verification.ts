import type { Language } from "../text/language";
import { lowerFirst } from "../text/plainText";
import { isLatest, type SkillDetail } from "./skill";

/** How good or bad a status is for the reader. Each tone has its own color. */
export type Tone = "good" | "neutral" | "caution" | "bad";

/** What an icon says. The shield means trust alone: a registry's check of a skill. */
export type Sign = "shield" | "pass" | "pending" | "caution" | "stop" | "unknown";

/** The icon of a fact, and its tone. */
export interface FactSign {
  readonly sign: Sign;
  readonly tone: Tone;
}

const passed: FactSign = { sign: "pass", tone: "good" };
const pending: FactSign = { sign: "pending", tone: "caution" };
const warned: FactSign = { sign: "caution", tone: "caution" };
const stopped: FactSign = { sign: "stop", tone: "bad" };

/** The icon of a fact that is not known. */
export const unknownSign: FactSign = { sign: "unknown", tone: "neutral" };

/**
 * The icon of each fact about trust, for the head, card, row, list, comparison and form. Their words are
 * `verificationText`, `describeCallability` and `teamNote`.
 */
export const trustSigns = {
  verification: {
    verified: { sign: "shield", tone: "good" },
    submitted: pending,
    draft: pending,
    deprecated: warned,
    rejected: stopped,
    suspended: stopped,
  } satisfies Record<string, FactSign> as Readonly<Record<string, FactSign>>,
  callability: {
    yes: passed,
    probably: { sign: "pass", tone: "neutral" },
    no: stopped,
    unknown: unknownSign,
  },
  review: { reviewed: passed, unreviewed: warned, drifted: stopped, unknown: unknownSign },
} as const;

/** Returns the icon of a verification status. Also serves for a registry's own word, which is unknown. */
function verificationSign(status: string | undefined): FactSign {
  const signs = trustSigns.verification;
  return (Object.hasOwn(signs, status ?? "") ? signs[status ?? ""] : undefined) ?? unknownSign;
}

/** The verification of a skill for people: its icon, its name and what to do about it. */
export interface VerificationText extends FactSign {
  readonly word: string;
  /** Empty if the name needs no advice. */
  readonly advice: string;
}

/**
 * Describes what a verification status means for somebody about to use the skill. An unknown one keeps its own word.
 */
export function verificationText(
  status: string | undefined,
  { t }: Pick<Language, "t">,
): VerificationText {
  const sign = verificationSign(status);
  switch (status) {
    case undefined:
    case "":
      return { ...sign, word: t("Verification not provided"), advice: "" };
    case "verified":
      return { ...sign, word: t("Verified"), advice: "" };
    case "submitted":
      return {
        ...sign,
        word: t("Submitted"),
        advice: t("Not verified yet. Invocations may be rejected."),
      };
    case "draft":
      return {
        ...sign,
        word: t("Draft"),
        advice: t("Not finished. Invocations may be rejected."),
      };
    case "deprecated":
      return {
        ...sign,
        word: t("Deprecated"),
        advice: t("Plan to migrate to another version or skill."),
      };
    case "rejected":
      return {
        ...sign,
        word: t("Rejected"),
        advice: t("Rejected by the registry. Do not use it."),
      };
    case "suspended":
      return {
        ...sign,
        word: t("Suspended"),
        advice: t("Disabled by the registry. Invocations will be rejected."),
      };
    default:
      return {
        ...sign,
        word: status,
        advice: t("Custom status of this registry. Ask the registry what it means."),
      };
  }
}

/**
 * Describes the verification of a version by that of `other`, the only one of which the registry states it. A reason
 * against the skill keeps its tone.
 */
export function verificationOfOther(
  { version, other, status }: { version: string; other: string; status: string | undefined },
  language: Language,
): VerificationText {
  const { t } = language;
  const { word, tone } = verificationText(status, language);
  const values = { version: other, status: lowerInRow(word, status ?? "", language) };
  return {
    sign: unknownSign.sign,
    tone: tone === "good" ? unknownSign.tone : tone,
    word: t("Unknown for {version}", { version }),
    advice: t("{version} is {status}.", values),
  };
}

/**
 * Lower-cases the first letter of a word, within a row or a sentence. A registry's own word stays. The German word for
 * a draft is a noun and keeps its capital.
 */
export function lowerInRow(word: string, status: string, { locale }: Language): string {
  const isNoun = status === "draft" && !locale.startsWith("en");
  return word === status || isNoun ? word : lowerFirst(word);
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
      return { id: "unlock", color: "list.errorForeground" };
    case "medium":
      return state === "verified" || state === undefined
        ? { id: "key", color: "list.warningForeground" }
        : verificationIcon(state);
    default:
      return verificationIcon(state);
  }
}

/** Returns the editor's icon for a verification. */
export function verificationIcon(state: string | undefined): RowIcon {
  const { sign, tone } = verificationSign(state);
  const color = toneColors[tone];
  return color === undefined ? { id: editorIcons[sign] } : { id: editorIcons[sign], color };
}

const editorIcons: Readonly<Record<Sign, string>> = {
  shield: "workspace-trusted",
  pass: "pass",
  pending: "circle-large-outline",
  caution: "warning",
  stop: "circle-slash",
  unknown: "question",
};

const toneColors: Readonly<Record<Tone, string | undefined>> = {
  good: "charts.green",
  neutral: undefined,
  caution: "list.warningForeground",
  bad: "list.errorForeground",
};
