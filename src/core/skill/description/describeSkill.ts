import type { JsonValue } from "../../json/jsonValue";
import { longText } from "../../json/printJson";
import { type RegistryFailure, registryFailureText } from "../../registry/registryFailure";
import { httpsUrl } from "../../registry/registryOrigin";
import { momentText } from "../../text/dates";
import type { Language } from "../../text/language";
import { oneLine, revealHiddenIn, shortened } from "../../text/plainText";
import { hostOf } from "../compare/contract";
import { isNewerVersion, isSameVersion } from "../isNewerVersion";
import { permissionLevelText, permissionSentences } from "../permissions";
import { billingText, pricesOf, priceText, sampleText } from "../price";
import { publisherFacts } from "../publisherText";
import {
  type Feedback,
  isLatest,
  type SkillDetail,
  type SkillPart,
  type SkillRuntime,
} from "../skill";
import {
  registryReviewText,
  unknownSign,
  verificationOfOther,
  verificationText,
  versionOfStatus,
} from "../verification";
import { dateText, numberLabels, ratingText } from "./numberLabels";
import type {
  ExampleText,
  Fact,
  FeedbackText,
  PublisherText,
  SkillDescription,
  VersionNote,
} from "./skillDescription";

/** The context of a description. `now` is in milliseconds since 1970. */
interface DescribeContext {
  readonly registry: { readonly name: string; readonly builtIn: boolean };
  readonly now: number;
  readonly language: Language;
  /** The requested version; empty or left out for the registry's choice. */
  readonly requestedVersion?: string;
  /** Where a manifest's payloads are sent; undefined or left out if they are not sent. */
  readonly localAddress?: string | undefined;
}

/** Describes everything known about a skill for its page. Pure. The result may be sent to the page unchanged. */
export function describeSkill(
  detail: SkillDetail,
  { registry, now, language, requestedVersion = "", localAddress }: DescribeContext,
): SkillDescription {
  const { summary, permissions, versions } = detail;
  return revealHiddenIn<SkillDescription>({
    slug: shortened(summary.slug, 200),
    displayName: oneLine(summary.displayName || summary.slug, 160),
    version: shortened(summary.version, 100),
    versionNote: detail.isLocal
      ? { text: localNote(localAddress, language), latest: "" }
      : versionNote(detail, requestedVersion, language),
    description: shortened(summary.description, 20_000),
    tags: summary.tags.slice(0, 60).map((tag) => shortened(tag, 100)),
    registry: detail.isLocal ? { name: language.t("this workspace"), builtIn: false } : registry,
    isLocal: detail.isLocal === true,
    offersInvoke: detail.isLocal !== true || localAddress !== undefined,
    publisher: describePublisher(detail, language),
    author: detail.author && {
      name: shortened(detail.author.name, 200),
      url: httpsUrl(detail.author.url),
    },
    verification: describeVerification(detail, now, language),
    permissionLevel: permissionLevelText(summary, language),
    permissions: permissions && permissionSentences(permissions, language),
    facts: facts(detail, now, language),
    prices: describePrices(detail, registry.builtIn, language),
    goesTo: goesTo(detail, registry, language),
    numbers: numberLabels(summary.numbers, language),
    numbersTitle: sampleText(language.t("Numbers"), registry.builtIn, language),
    numbersAge: registry.builtIn
      ? language.t("Sample figures: the built-in registry makes them up.")
      : numbersAge(summary.updatedAt, now, language),
    feedback: describeFeedback(detail.feedback, registry.builtIn, now, language),
    absent: {
      listing: absentText(detail, "listing", language),
      prices: absentText(detail, "prices", language),
      feedback: absentText(detail, "feedback", language),
      publisher: absentText(detail, "publisher", language),
    },
    input: detail.inputSchema === undefined ? undefined : longText(detail.inputSchema),
    output: detail.outputSchema === undefined ? undefined : longText(detail.outputSchema),
    examples: describeExamples(detail),
    moreExamples: Math.max(0, detail.examples.length - maxExamples),
    moreVersions: Math.max(0, versions.length - maxVersions),
    versions: versions.slice(0, maxVersions).map(({ version, publishedAt, changes = "" }) => ({
      version: shortened(version, 100),
      published: publishedAt === undefined ? "" : dateText(publishedAt, now, language),
      changes: shortened(changes, 4000),
      shown: isSameVersion(version, summary.version),
    })),
    manifest: longText(detail.manifest),
    supportUrl: httpsUrl(detail.supportUrl),
  });
}

/** The maximum number of versions on the page. The page states how many more exist. */
const maxVersions = 200;
/** The maximum number of examples on the page. The page states how many more exist. */
const maxExamples = 50;
/** The maximum number of characters of one example; *Open Payload* opens all of it. */
const maxExampleLength = 20_000;
/** The maximum number of characters of all examples, since each message to the page contains them. */
const maxExamplesLength = 200_000;

function describeExamples({ examples }: SkillDetail): ExampleText[] {
  let remaining = maxExamplesLength;
  const print = (value: JsonValue) => {
    const printed = longText(value, Math.min(remaining, maxExampleLength));
    remaining -= printed.text.length;
    return printed;
  };
  return examples.slice(0, maxExamples).map(({ name, input, output }) => ({
    name: shortened(name, 400),
    input: print(input),
    output: output === undefined ? undefined : print(output),
  }));
}

/** Says what a page of a manifest sends to where, or that it sends nothing. */
function localNote(address: string | undefined, { t }: Language): string {
  return address === undefined
    ? t("This is a manifest of the workspace. Nothing can be invoked on this page.")
    : t(
        "This is a manifest of the workspace. “Invoke” sends the payload to {address} on this machine, as the member “input” of a JSON object, like the public gateway. No registry takes part, and Invocations lists it as a trial.",
        { address: oneLine(address, 400) },
      );
}

function versionNote(
  detail: SkillDetail,
  requestedVersion: string,
  { t }: Language,
): VersionNote | undefined {
  const { latestVersion = "" } = detail;
  const version = oneLine(detail.summary.version, 100);
  const pin = pinNote(detail, { t });
  if (
    pin !== undefined &&
    (requestedVersion === "" || isSameVersion(requestedVersion, detail.summary.version))
  ) {
    return { text: oneLine(pin.text, 400), latest: shortened(pin.version, 100) };
  }
  const latest = isLatest(detail) ? "" : shortened(latestVersion, 100);
  if (
    requestedVersion !== "" &&
    !isSameVersion(requestedVersion, detail.summary.version) &&
    version !== ""
  ) {
    const values = { version: oneLine(requestedVersion, 100), shown: version };
    const text = t("This registry returned {shown} instead of version {version}.", values);
    return { text, latest };
  }
  if (latest === "") return undefined;
  return isNewerVersion(latestVersion, detail.summary.version)
    ? { text: t("Version {version} is not the newest.", { version }), latest }
    : { text: t("Version {version} is not the one this registry offers.", { version }), latest };
}

/**
 * Notes that the project runs another version than the shown one, or if not, that the registry offers another.
 * `version` is that other version. Undefined without a project, and if all are the same.
 */
export function pinNote(
  { summary: { version }, latestVersion, pinned }: SkillDetail,
  { t }: Pick<Language, "t">,
): { readonly text: string; readonly version: string } | undefined {
  if (pinned === undefined || version === "") return undefined;
  const { project } = pinned;
  if (!isSameVersion(pinned.version, version)) {
    const values = { project, pinned: pinned.version };
    const text = t("The project {project} runs version {pinned}, and no other.", values);
    return { text, version: pinned.version };
  }
  if (latestVersion === undefined || isSameVersion(latestVersion, version)) return undefined;
  const values = { project, version, latest: latestVersion };
  const text = isNewerVersion(latestVersion, version)
    ? t("The project {project} runs version {version}; {latest} is available.", values)
    : t("The project {project} runs version {version}; the registry offers {latest}.", values);
  return { text, version: latestVersion };
}

function describePublisher(
  { summary }: SkillDetail,
  language: Language,
): PublisherText | undefined {
  const { publisher } = summary;
  if (publisher === undefined) return undefined;
  const { skillSlugs = [], skillCount = 0 } = publisher;
  const others = skillSlugs.filter((slug) => slug !== summary.slug);
  const shown = others.slice(0, 50);
  const known = Math.max(others.length, skillCount - 1);
  return {
    name: shortened(publisher.name, 200),
    verified: publisher.verified,
    facts: publisherFacts(publisher, language).map(({ label, value }) => {
      return { label, value: shortened(value, 200) };
    }),
    url: httpsUrl(publisher.url),
    otherSkills: shown.map((slug) => shortened(slug, 200)),
    moreSkills: shown.length === 0 ? 0 : known - shown.length,
  };
}

function describeVerification(detail: SkillDetail, now: number, language: Language) {
  const { verificationStatus } = detail.summary;
  const { t } = language;
  const other = versionOfStatus(detail);
  const words = isUnanswered(detail, "listing")
    ? { ...unknownSign, word: t("Not known"), advice: absentText(detail, "listing", language) }
    : other === undefined
      ? verificationText(verificationStatus, language)
      : verificationOfOther(
          {
            version: oneLine(detail.summary.version, 40),
            other: oneLine(other, 40),
            status: verificationStatus,
          },
          language,
        );
  const review = registryReviewText(detail.reviewState, language);
  const date = detail.reviewedAt === undefined ? "" : dateText(detail.reviewedAt, now, language);
  return {
    ...words,
    word: shortened(words.word, 100),
    source: verificationStatus ? t("Stated by the registry.") : "",
    review: shortened([review, date].filter((part) => part !== "").join(", "), 200),
  };
}

function describePrices(detail: SkillDetail, isSample: boolean, language: Language): string[] {
  const listed = detail.prices ?? [];
  const prices = (listed.length > 0 ? listed : pricesOf(detail)).slice(0, 20).map((price) => {
    const words = priceText(price, language, isSample);
    const status = price.status === undefined || price.status === "active" ? "" : price.status;
    return shortened(status === "" ? words : `${words} (${status})`, 200);
  });
  if (prices.length > 0 || !isUnanswered(detail, "prices")) return prices;
  const { billingModel } = detail.summary;
  const model = billingModel ? [shortened(billingText(billingModel, language), 200)] : [];
  return [...model, absentText(detail, "prices", language)];
}

/** Names the registry that receives a payload and, if known, the host to which the registry passes it. */
function goesTo(
  { runtime }: SkillDetail,
  { name, builtIn }: DescribeContext["registry"],
  { t }: Language,
): string {
  if (builtIn) return t("the built-in registry, on this machine");
  const registry = oneLine(name, 100);
  const host = runtime === undefined ? null : hostOf(runtime);
  if (host === null || host === name) return registry;
  return t("{registry}, which sends it to {host}", { registry, host: oneLine(host, 100) });
}

function isUnanswered({ unanswered = [] }: SkillDetail, part: SkillPart): boolean {
  return unanswered.includes(part);
}

/** Explains why a part is missing: it is loading, its source failed, or the registry, or the manifest, has none. */
function absentText(detail: SkillDetail, part: SkillPart, { t }: Language): string {
  if (detail.loading?.includes(part)) return t("Loading…");
  if (isUnanswered(detail, part)) return t("Could not be loaded from this registry.");
  return detail.isLocal ? t("Not in the manifest.") : t("Not provided by this registry.");
}

function numbersAge(updatedAt: number | undefined, now: number, language: Language): string {
  const date = updatedAt === undefined ? "" : dateText(updatedAt, now, language);
  return date === ""
    ? language.t("Counted by the registry. Date not provided.")
    : language.t("Counted by the registry; its entry last changed {date}.", { date });
}

function facts(detail: SkillDetail, now: number, language: Language): Fact[] {
  const { summary, runtime } = detail;
  const { t } = language;
  const rows: [string, string | undefined][] = [
    [t("Task"), summary.task],
    [t("Runs as"), runtimeText(runtime?.type ?? summary.runtimeType, language)],
    [t("Runs at"), runtime?.entry],
    [t("Arguments"), argumentsText(runtime, language)],
    [
      t("Listing updated"),
      summary.updatedAt === undefined ? undefined : dateText(summary.updatedAt, now, language),
    ],
  ];
  return rows.flatMap(([label, value]) => (value ? [{ label, value: shortened(value, 500) }] : []));
}

function argumentsText(runtime: SkillRuntime | undefined, { t }: Language): string {
  const { args = [], redactedArgs: count = 0 } = runtime ?? {};
  const hidden =
    count === 1 ? t("1 hidden by the registry") : t("{count} hidden by the registry", { count });
  return [...args, ...(count > 0 ? [hidden] : [])].join(" ");
}

function runtimeText(type: string | undefined, { t }: Language): string | undefined {
  switch (type) {
    case "http":
      return t("HTTP service");
    case "mcp":
      return t("MCP server");
    case "local":
      return t("Program on the registry’s runner");
    default:
      return type;
  }
}

/** Describes the feedback of users. Undefined if the registry returned none. */
function describeFeedback(
  feedback: Feedback | undefined,
  isSample: boolean,
  now: number,
  language: Language,
): FeedbackText | undefined {
  if (feedback === undefined) return undefined;
  return {
    summary: sampleText(summaryOf(feedback, language), isSample, language),
    breakdown: breakdownOf(feedback, language),
    entries: feedback.entries.slice(0, 24).map((entry) => {
      const { rating, title = "", text, useCase = "", author = "", reply = "", createdAt } = entry;
      return {
        rating: rating === undefined ? "" : ratingText(rating, language),
        title: shortened(title, 200),
        text: shortened(text, 4000),
        useCase: shortened(useCase, 1000),
        author: shortened(author, 200),
        date: createdAt === undefined ? "" : dateText(createdAt, now, language),
        reply: shortened(reply, 4000),
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
  return [ratingText(averageRating, language), count].filter((part) => part !== "").join(", ");
}

function breakdownOf(
  { ratingBreakdown = {} }: Feedback,
  { t }: Language,
): FeedbackText["breakdown"] {
  const counts = [5, 4, 3, 2, 1].map((stars) => Math.max(0, ratingBreakdown[stars] ?? 0));
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return [];
  return counts.map((count, index) => ({
    label: index === 4 ? t("1 star") : t("{count} stars", { count: 5 - index }),
    count,
    share: count / total,
  }));
}

/** Reports that the page could not be refreshed, why, and how old it is. `readAt` is in milliseconds since 1970. */
export function staleText(failure: RegistryFailure, readAt: number, language: Language): string {
  const reason = oneLine(registryFailureText(failure, language), 1000);
  const values = { time: momentText(readAt, language), reason };
  return language.t("From {time}; refresh failed. {reason}", values);
}
