import type { FeedbackEntry } from "./skill";

/** Counts published reviews: average to two digits (null without any), and reviews per star. */
export function summarizeFeedback(entries: readonly FeedbackEntry[]) {
  const sum = entries.reduce((total, { rating }) => total + rating, 0);
  const breakdown = [1, 2, 3, 4, 5].map((stars) => [
    String(stars),
    entries.filter(({ rating }) => rating === stars).length,
  ]);
  return {
    averageRating: entries.length === 0 ? null : Math.round((sum / entries.length) * 100) / 100,
    publishedCount: entries.length,
    ratingBreakdown: Object.fromEntries(breakdown) as Readonly<Record<string, number>>,
  };
}
