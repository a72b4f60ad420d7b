import type { Language } from "../../text/language";
import type { Feedback } from "../skill";
import { dateWords, ratingWords } from "./numberWords";
import type { FeedbackWords } from "./skillDescription";

/** Puts what users said into words. Undefined where the registry gave no feedback. */
export function describeFeedback(
  feedback: Feedback | undefined,
  now: number,
  language: Language,
): FeedbackWords | undefined {
  if (feedback === undefined) return undefined;
  return {
    summary: summaryOf(feedback, language),
    breakdown: breakdownOf(feedback, language),
    entries: feedback.entries.slice(0, 24).map((entry) => {
      const { rating, title = "", text, useCase = "", author = "", reply = "", createdAt } = entry;
      return {
        rating: rating === undefined ? "" : ratingWords(rating, language),
        title: title.slice(0, 200),
        text: text.slice(0, 4000),
        useCase: useCase.slice(0, 1000),
        author: author.slice(0, 200),
        date: createdAt === undefined ? "" : dateWords(createdAt, now, language),
        reply: reply.slice(0, 4000),
      };
    }),
  };
}

function summaryOf({ averageRating, publishedCount }: Feedback, language: Language): string {
  const { t } = language;
  if (publishedCount === 0) return "";
  const count =
    publishedCount === undefined
      ? ""
      : publishedCount === 1
        ? t("1 rating")
        : t("{count} ratings", { count: publishedCount });
  if (averageRating === undefined) return count;
  return [ratingWords(averageRating, language), count].filter((part) => part !== "").join(", ");
}

function breakdownOf(
  { ratingBreakdown = {} }: Feedback,
  { t }: Language,
): FeedbackWords["breakdown"] {
  const counts = [5, 4, 3, 2, 1].map((stars) => Math.max(0, ratingBreakdown[stars] ?? 0));
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return [];
  return counts.map((count, index) => ({
    label: index === 4 ? t("1 star") : t("{count} stars", { count: 5 - index }),
    count,
    share: count / total,
  }));
}
