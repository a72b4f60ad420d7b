import type { Feedback, FeedbackEntry } from "../../core/skill/skill";
import type { JsonObject, JsonValue } from "../../core/text/json";
import { unwrapList, unwrapObject } from "./envelope";
import { given, listOf, member, numberOf, objectOf, textOf, timeOf } from "./field";

/** Reads `{feedback:[…],summary:{…}}`, bare or in an envelope. Undefined where there is neither. */
export function readFeedback(body: JsonValue): Feedback | undefined {
  const list = member(unwrapObject(body) ?? {}, "feedback") ?? body;
  const entries = Array.isArray(list) ? { items: list } : unwrapList(list, "feedback");
  const summary = objectOf(member(unwrapObject(body) ?? {}, "summary", "feedbackSummary"));
  if (!Array.isArray(entries?.items) && summary === undefined) return undefined;
  return {
    ...(summary && readSummary(summary)),
    entries: listOf([...(entries?.items ?? [])], readEntry),
  };
}

function readSummary(source: JsonObject): Omit<Feedback, "entries"> {
  return {
    ...given("averageRating", numberOf(member(source, "averageRating"))),
    ...given("publishedCount", numberOf(member(source, "publishedCount", "count"))),
    ...given("ratingBreakdown", readBreakdown(objectOf(member(source, "ratingBreakdown")))),
  };
}

function readBreakdown(source: JsonObject | undefined): Record<string, number> | undefined {
  if (source === undefined) return undefined;
  const stars = ["1", "2", "3", "4", "5"].flatMap((star) => {
    const count = numberOf(member(source, star));
    return count === undefined ? [] : [[star, count] as const];
  });
  return Object.fromEntries(stars);
}

function readEntry(value: JsonValue): FeedbackEntry | undefined {
  const source = objectOf(value);
  if (source === undefined) return undefined;
  const author = member(source, "author", "displayName");
  const title = textOf(member(source, "title"));
  const text = textOf(member(source, "text", "comment", "body", "message"), 5000) ?? "";
  const rating = numberOf(member(source, "rating"));
  if (text === "" && title === undefined && rating === undefined) return undefined;
  return {
    text,
    ...given("rating", rating),
    ...given("title", title),
    ...given("useCase", textOf(member(source, "useCase"), 1000)),
    ...given("reply", readReply(source)),
    ...given(
      "author",
      textOf(author) ?? textOf(member(objectOf(author) ?? {}, "name", "displayName")),
    ),
    ...given("createdAt", timeOf(member(source, "createdAt"))),
  };
}

/** What the publisher answered, as text or with its time. */
function readReply(source: JsonObject): string | undefined {
  const reply = member(source, "publisherResponse", "publisherReply", "response", "reply");
  return textOf(member(objectOf(reply) ?? {}, "text", "body", "message") ?? reply, 5000);
}
