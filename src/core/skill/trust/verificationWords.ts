import type { Language } from "../../text/language";

/** How good or bad a state is for the reader; each tone has its own icon and colour. */
export type Tone = "good" | "neutral" | "caution" | "bad";

/** A state of a skill in words: what it is called and what to do about it. */
export interface StateWords {
  readonly word: string;
  readonly advice: string;
  readonly tone: Tone;
}

/** Says what a verification state means for someone about to use the skill. Unknown states keep their own word. */
export function verificationWords(status: string | undefined, { translate }: Language): StateWords {
  switch (status) {
    case undefined:
    case "":
      return {
        word: translate("State not given"),
        advice: translate("This registry does not say whether the skill was checked."),
        tone: "neutral",
      };
    case "verified":
      return {
        word: translate("Verified"),
        advice: translate("Checked by the registry. Ready to use."),
        tone: "good",
      };
    case "submitted":
      return {
        word: translate("Submitted"),
        advice: translate("Not checked yet. Read it, but do not rely on it: calls may be refused."),
        tone: "caution",
      };
    case "draft":
      return {
        word: translate("Draft"),
        advice: translate("Not finished. Read it, but do not rely on it: calls may be refused."),
        tone: "caution",
      };
    case "deprecated":
      return {
        word: translate("Deprecated"),
        advice: translate("On its way out. Plan a move to another version or skill."),
        tone: "caution",
      };
    case "rejected":
      return {
        word: translate("Rejected"),
        advice: translate("Turned down by the registry. Do not use it."),
        tone: "bad",
      };
    case "suspended":
      return {
        word: translate("Suspended"),
        advice: translate("Taken out of service by the registry. Calls will be refused."),
        tone: "bad",
      };
    default:
      return {
        word: status,
        advice: translate(
          "This registry's own word for the state. Ask the registry what it means.",
        ),
        tone: "neutral",
      };
  }
}

/** Names a review state. Unknown states keep their own word; empty where the registry gave none. */
export function reviewWords(state: string | undefined, { translate }: Language): string {
  switch (state) {
    case undefined:
      return "";
    case "queued":
      return translate("Waiting for review");
    case "in_review":
      return translate("Being reviewed");
    case "approved":
      return translate("Approved");
    case "rejected":
      return translate("Turned down");
    case "blocked":
      return translate("Blocked");
    default:
      return state;
  }
}
