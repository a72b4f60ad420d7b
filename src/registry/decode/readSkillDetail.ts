import { type JsonObject, type JsonValue, optional } from "../../core/json/jsonValue";
import type { Result } from "../../core/registry/registryFailure";
import { mergeSkill, type OwnDetail } from "../../core/skill/mergeSkill";
import type {
  Feedback,
  FeedbackEntry,
  Price,
  SkillDetail,
  SkillExample,
  SkillRuntime,
  SkillVersion,
} from "../../core/skill/skill";
import { currencyOf } from "../../core/text/money";
import {
  amountOf,
  listOf,
  member,
  numberOf,
  objectOf,
  readSlug,
  redactedCount,
  textOf,
  timeOf,
  unwrapList,
  unwrapObject,
  versionOf,
  wordOf,
} from "./field";
import { unreadable } from "./readErrorBody";
import { readAuthor, readPermissions, readSummary } from "./readSkillRows";

/** An object with at least one of these members describes a skill. */
const detailFields = ["inputSchema", "permissions", "runtime", "version", "displayName"];

/** The maximum number of a manifest's top-level members. A real manifest has about thirty. */
const maxMembers = 1000;

/**
 * Reads the response of a skill's own route: a bare manifest, or a detail that contains it. Fields outside the manifest
 * take precedence.
 */
export function readSkillDetail(body: JsonValue, slug: string, route: string): Result<OwnDetail> {
  const outer = unwrapObject(body, "skill");
  if (outer === undefined) return unreadable(route, "");
  const manifest = objectOf(member(outer, "manifest")) ?? outer;
  if ([outer, manifest].some((object) => Object.keys(object).length > maxMembers)) {
    return unreadable(route, "manifest");
  }
  const merged = { ...manifest, ...withoutEmpty(outer) };
  if (member(merged, ...detailFields) === undefined) {
    return unreadable(route, "manifest");
  }
  return { ok: true, value: readParts(merged, manifest, slug) };
}

/** Reads a publisher's manifest as the skill that a registry would list. Undefined if its name is not usable. */
export function readLocalSkill(manifest: JsonObject): SkillDetail | undefined {
  const slug = readSlug(manifest["name"]);
  const read = slug === undefined ? undefined : readSkillDetail({ manifest }, slug, "");
  if (!read?.ok) return undefined;
  const none = { row: undefined, prices: undefined, feedback: undefined, publisher: undefined };
  return { ...mergeSkill({ own: read.value, ...none }), isLocal: true };
}

function readParts(merged: JsonObject, manifest: JsonObject, slug: string): OwnDetail {
  const review = objectOf(member(merged, "review")) ?? {};
  return {
    summary: readSummary(merged, slug),
    manifest,
    inputSchema: readSchema(member(merged, "inputSchema")),
    outputSchema: readSchema(member(merged, "outputSchema")),
    permissions: readPermissions(member(merged, "permissions")),
    runtime: readRuntime(member(merged, "runtime")),
    ...optional("author", readAuthor(member(manifest, "author"))),
    ...optional("latestVersion", versionOf(member(merged, "latestVersion"))),
    ...optional(
      "reviewState",
      wordOf(member(merged, "reviewState", "reviewStatus") ?? member(review, "state", "status")),
    ),
    ...optional("reviewedAt", timeOf(member(merged, "reviewedAt") ?? member(review, "reviewedAt"))),
    versions: listOf(member(merged, "versions"), readVersion, 1000),
    examples: listOf(member(merged, "examples"), readExample),
    ...optional("prices", readPrices(member(merged, "prices"))),
    ...optional("feedback", readFeedback(merged)),
    ...optional("supportUrl", textOf(member(merged, "supportUrl"), 2000)),
  };
}

/** Removes null members, so that an empty field outside does not hide the manifest's. */
function withoutEmpty(source: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== null));
}

function readSchema(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "boolean" ? value : objectOf(value);
}

function readRuntime(value: JsonValue | undefined): SkillRuntime | undefined {
  if (typeof value === "string") return { type: textOf(value, 60) ?? value };
  const source = objectOf(value);
  const type = source && textOf(member(source, "type"), 60);
  if (source === undefined || type === undefined) return undefined;
  const entry = textOf(member(source, "entrypoint", "serverUrl", "command", "url"), 2000);
  return { type, ...optional("entry", entry), ...readArguments(member(source, "args")) };
}

/** Reads the arguments of a runtime. Public copies replace them with one placeholder, such as `[2 redacted args]`. */
function readArguments(value: JsonValue | undefined): Pick<SkillRuntime, "args" | "redactedArgs"> {
  if (!Array.isArray(value)) return {};
  const texts = listOf(value, (item) => textOf(item, 500));
  const counts = texts.map(redactedCount);
  const hidden = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return {
    args: texts.filter((_, index) => counts[index] === undefined),
    ...optional("redactedArgs", hidden > 0 ? hidden : undefined),
  };
}

function readVersion(value: JsonValue): SkillVersion | undefined {
  const source = objectOf(value);
  const version = versionOf(source === undefined ? value : member(source, "version"));
  if (version === undefined) return undefined;
  if (source === undefined) return { version };
  return {
    version,
    ...optional("publishedAt", timeOf(member(source, "publishedAt", "createdAt"))),
    ...optional("changes", textOf(member(source, "changes", "changelog"), 10_000)),
    ...optional("status", wordOf(member(source, "reviewStatus", "verificationStatus", "status"))),
  };
}

function readExample(value: JsonValue): SkillExample | undefined {
  const source = objectOf(value);
  // null is a valid input, so check for the member and not for its value.
  if (source === undefined || !Object.hasOwn(source, "input")) return undefined;
  return {
    name: textOf(member(source, "name", "title")) ?? "",
    input: source["input"] ?? null,
    ...(Object.hasOwn(source, "output") && { output: source["output"] ?? null }),
  };
}

/** Reads a list of prices, bare or in an envelope. Undefined for none. */
export function readPrices(body: JsonValue | undefined): readonly Price[] | undefined {
  const list = body === undefined ? undefined : unwrapList(body, "prices");
  return list && listOf([...list.items], readPrice);
}

/** Reads a price. Undefined for anything without a billing model. */
export function readPrice(value: JsonValue | undefined): Price | undefined {
  const source = objectOf(value);
  const billingModel = source && wordOf(member(source, "billingModel", "model"));
  if (source === undefined || billingModel === undefined) return undefined;
  return {
    billingModel,
    ...optional("unitAmountCents", amountOf(member(source, "unitAmountCents", "amountCents"))),
    ...optional("currency", readCurrency(member(source, "currency"))),
    ...optional("status", wordOf(member(source, "status"))),
  };
}

/** Reads and normalizes a currency; undefined if it is missing. */
export function readCurrency(value: JsonValue | undefined): string | undefined {
  const word = textOf(value, 20);
  return word === undefined ? undefined : currencyOf(word) || undefined;
}

/** Reads `{feedback:[…],summary:{…}}`, bare or in an envelope. Undefined if both are missing. */
export function readFeedback(body: JsonValue): Feedback | undefined {
  const list = member(unwrapObject(body) ?? {}, "feedback") ?? body;
  const entries = Array.isArray(list) ? { items: list } : unwrapList(list, "feedback");
  const summary = objectOf(member(unwrapObject(body) ?? {}, "summary", "feedbackSummary"));
  if (!Array.isArray(entries?.items) && summary === undefined) return undefined;
  return {
    ...(summary && readFeedbackSummary(summary)),
    entries: listOf([...(entries?.items ?? [])], readEntry),
  };
}

function readFeedbackSummary(source: JsonObject): Omit<Feedback, "entries"> {
  return {
    ...optional("averageRating", numberOf(member(source, "averageRating"))),
    ...optional("publishedCount", numberOf(member(source, "publishedCount", "count"))),
    ...optional("ratingBreakdown", readBreakdown(objectOf(member(source, "ratingBreakdown")))),
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
    ...optional("rating", rating),
    ...optional("title", title),
    ...optional("useCase", textOf(member(source, "useCase"), 1000)),
    ...optional("reply", readReply(source)),
    ...optional(
      "author",
      textOf(author) ?? textOf(member(objectOf(author) ?? {}, "name", "displayName")),
    ),
    ...optional("createdAt", timeOf(member(source, "createdAt"))),
  };
}

/** Reads the publisher's reply, as text or as an object with its time. The gateway's member name comes first. */
function readReply(source: JsonObject): string | undefined {
  const names = [
    "publisherResponseBody",
    "publisherResponse",
    "publisherReply",
    "response",
    "reply",
  ];
  const reply = member(source, ...names);
  return textOf(member(objectOf(reply) ?? {}, "text", "body", "message") ?? reply, 5000);
}
