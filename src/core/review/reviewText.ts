import type { ReportItem } from "../findings/report";
import { contractPartTitle } from "../skill/differenceText";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import { reviewFolder } from "./files/reviewFiles";
import {
  changesSinceReview,
  isContractUnchanged,
  type NewReview,
  type ReviewRecording,
} from "./newReview";

/** Names the subject of a review: a version, or the step to it. At most 120 characters. */
export function reviewTitle(
  { review: { skill, version, from } }: NewReview,
  { t }: Language,
): string {
  const title =
    from === undefined
      ? t("Review {skill}@{version}", { skill, version })
      : t("Review {skill}: changes from {from} to {version}", { skill, from, version });
  return oneLine(title, 120);
}

/** Asks which criteria the person attests, after listing the changes since the last review. */
export function attestPrompt(draft: NewReview, language: Language): string {
  const { t } = language;
  const changes = changesSinceReview(draft);
  if (changes === undefined) return t("What do you attest?");
  if (isContractUnchanged(draft)) return t("Its contract is unchanged. What do you attest?");
  const parts = new Set(changes.map(({ part }) => contractPartTitle(part, language)));
  return parts.size === 0
    ? t("Nothing that a caller depends on has changed. What do you attest?")
    : t("Changed: {parts}. What do you attest?", { parts: [...parts].join(", ") });
}

/** Reports that reviews cannot be used until one of their files is fixed. */
export function brokenReviewsText({ t }: Language): string {
  return t("A review file is invalid. Fix it first.");
}

/** Describes why a review was not recorded. */
export function recordingProblem(
  recording: Exclude<ReviewRecording, { kind: "recorded" }>,
  language: Language,
): string {
  const { t } = language;
  switch (recording.kind) {
    case "broken":
      return brokenReviewsText(language);
    case "refused": {
      const { problem } = recording;
      const file = `${reviewFolder}/${recording.file}`;
      return t("The review was not written: {file} would be invalid. {problem}", { file, problem });
    }
    case "failed": {
      const { error } = recording;
      const reason = error instanceof Error ? error.message : String(error);
      return t("The review was not written. {reason}", { reason });
    }
  }
}

/** Summarizes the check of a repository's skills, and whether all of them match their reviews. */
export function checkedSkillsText(
  items: readonly ReportItem[],
  language: Language,
): { readonly areGood: boolean; readonly text: string } {
  const { t } = language;
  const { length: count } = items;
  const [first, ...others] = items.filter(({ state }) => state !== "good");
  if (first === undefined) return { areGood: true, text: matchText(count, language) };
  const differing = 1 + others.length;
  const text = items.some(({ state }) => state === "broken")
    ? brokenReviewsText(language)
    : differing > 1
      ? t("{differing} of {count} skills differ from their reviews or could not be compared.", {
          differing,
          count,
        })
      : t("{skill} differs from its review or could not be compared.", {
          skill: oneLine(first.name, 100),
        });
  return { areGood: false, text };
}

function matchText(count: number, { t }: Language): string {
  if (count === 0) return t("No skill is used or reviewed in this workspace yet.");
  return count === 1
    ? t("The skill matches its review.")
    : t("All {count} skills match their reviews.", { count });
}
