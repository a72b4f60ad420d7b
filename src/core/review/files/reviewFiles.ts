import policySchema from "../../../../media/schemas/policy.schema.json";
import reviewsSchema from "../../../../media/schemas/reviews.schema.json";
import type { AgentPolicy } from "../../agents/agentPolicy";
import type { JsonValue } from "../../json/jsonValue";
import {
  type PointedProblem,
  readTeamFile,
  readTeamFileChunked,
  type TeamFileReading,
} from "../../payload/readTeamFile";
import { builtInRegistryName } from "../../registry/registryName";
import type { Chunked } from "../../text/chunked";
import { utcDay } from "../../text/dates";
import type { Language } from "../../text/language";

/** The folder with a repository's reviews, and the names of its files. */
export const reviewFolder = ".skill-registry";
export const policyFileName = "policy.json";
export const reviewsFileName = "reviews.json";
/** The path of the reviews in a folder of the workspace. */
export const reviewsPath = `${reviewFolder}/${reviewsFileName}`;
export const contractsFolder = "contracts";

/** A repository's requirements for its skills. Days are `YYYY-MM-DD` in UTC and count to their end. */
export interface ReviewPolicy {
  readonly criteria: Readonly<Record<string, Criterion>>;
  /** The criteria for every skill that `skills` does not name. */
  readonly require: readonly string[];
  readonly skills?: Readonly<Record<string, { readonly require: readonly string[] }>>;
  readonly exemptions?: readonly Exemption[];
  readonly trustedPublishers?: readonly TrustedPublisher[];
  /**
   * What a check does if the registry's list of publishers may only have left the skill out, and the rest of its
   * contract is as reviewed. Default: `note`. With `fail`, the check is undecided.
   */
  readonly publisherUnknown?: "note" | "fail";
  /** The policy for agents. Without it, agents may do everything that a person allows. */
  readonly agents?: AgentPolicy;
}

interface Criterion {
  readonly description: string;
  readonly implies?: readonly string[];
}

/** The permission to use a skill without a review, until the end of a day. */
interface Exemption {
  readonly skill: string;
  /** Left out if the exemption applies to every version. */
  readonly version?: string;
  /** Left out if the exemption applies at every registry. */
  readonly registry?: string;
  readonly criteria: readonly string[];
  readonly reason: string;
  readonly until: string;
}

/** The trust in a publisher, for at most a year: its skills need no review. */
interface TrustedPublisher {
  readonly publisher: string;
  /** Left out if the trust applies at every registry. */
  readonly registry?: string;
  readonly criteria: readonly string[];
  readonly reason: string;
  readonly from: string;
  readonly until: string;
}

/** An entry of the reviews: a whole version, a step to a version from another, a violation, or a statement. */
export type Review = VersionReview | Violation | Statement;

/** A review that attests criteria of a version. With `from`, it attests only the step from that version. */
export interface VersionReview {
  readonly kind: "version" | "step";
  readonly skill: string;
  readonly from?: string;
  readonly version: string;
  /** The registry of the review: scheme, host and port, or `built-in`. The review applies to no other. */
  readonly registry: string;
  /** The hash of the contract that was reviewed. */
  readonly contract: string;
  /** The skill's verification at the time, as the registry stated it. */
  readonly verification?: string;
  readonly criteria: readonly string[];
  readonly who: string;
  /** An ISO time in UTC. */
  readonly when: string;
  /** The last valid day; forever if left out. */
  readonly until?: string;
  readonly notes?: string;
}

/** A ban of one version, or of all versions. */
export interface Violation {
  readonly kind: "violation";
  readonly skill: string;
  readonly version?: string;
  readonly who: string;
  readonly when: string;
  readonly notes: string;
}

/**
 * The topics of statements: who is responsible, how callers retry, where the production logs are, what to do by hand.
 */
export type StatementTopic = "owner" | "retry-rule" | "logs" | "runbook";

/** A person's statement about how a skill is operated. The last one about a topic applies, until its last day ends. */
export interface Statement {
  readonly kind: "statement";
  readonly skill: string;
  readonly about: StatementTopic;
  /** The file of the repository that documents it, with `/` between its parts. */
  readonly file?: string;
  /** The day when a runbook was last tested. */
  readonly tried?: string;
  readonly who: string;
  readonly when: string;
  readonly until: string;
  /** The reason, or the statement itself. */
  readonly notes: string;
}

/** Returns whether an entry attests a version. */
export function isVersionReview(review: Review): review is VersionReview {
  return review.kind === "version" || review.kind === "step";
}

/** Parses `policy.json`. Undefined criteria, impossible dates and trust of over a year are problems. */
export function readPolicy(text: string, language: Language): TeamFileReading<ReviewPolicy> {
  const format = { schema: policySchema as JsonValue, maxLength: 1_000_000 };
  return readTeamFile<ReviewPolicy>(text, format, language, (policy) => [
    ...unknownCriteria(policy, language),
    ...impossibleDays(policy, language),
    ...tooLongTrust(policy, language),
  ]);
}

/**
 * Parses `reviews.json`, the oldest entry first. Impossible dates and times are problems. Yields, since the file grows for
 * years.
 */
export function* readReviews(
  text: string,
  language: Language,
): Chunked<TeamFileReading<readonly Review[]>> {
  const { maxItems } = reviewsSchema.properties.reviews;
  const format = {
    schema: reviewsSchema as JsonValue,
    maxLength: 10_000_000,
    list: { name: "reviews", maxItems },
  };
  const read = yield* readTeamFileChunked<{ readonly reviews: readonly Review[] }>(
    text,
    format,
    language,
    function* ({ reviews }) {
      const problems = tooManyPerSkill(reviews, language);
      for (const [index, review] of reviews.entries()) {
        problems.push(...timeProblems(review, `/reviews/${index}`, language));
        if (index % reviewsAtOnce === 0) yield;
      }
      return problems;
    },
  );
  return read.ok ? { ok: true, value: read.value.reviews } : read;
}

/** The number of entries between two yields. Checking them takes a few milliseconds. */
const reviewsAtOnce = 2000;

function timeProblems(review: Review, pointer: string, language: Language): PointedProblem[] {
  return [
    ...timeProblem(review.when, `${pointer}/when`, language),
    ...(review.kind === "violation" ? [] : dayProblem(review.until, `${pointer}/until`, language)),
    ...(review.kind === "statement" ? statementProblems(review, pointer, language) : []),
  ];
}

/** The maximum number of entries about one skill. A row of the Skills view reads all of them. */
const maxEntriesPerSkill = 5000;

function tooManyPerSkill(reviews: readonly Review[], { t }: Language): PointedProblem[] {
  const counts = new Map<string, number>();
  return reviews.flatMap(({ skill }, index) => {
    const count = (counts.get(skill) ?? 0) + 1;
    counts.set(skill, count);
    if (count !== maxEntriesPerSkill + 1) return [];
    const message = t("At most {count} entries can be about one skill. Remove its oldest ones.", {
      count: maxEntriesPerSkill,
    });
    return [{ pointer: `/reviews/${index}/skill`, message }];
  });
}

/** Lists the last review of each version at each registry. */
export function lastReviews(reviews: readonly Review[]): readonly VersionReview[] {
  const last = new Map(
    reviews
      .filter(isVersionReview)
      .map((review) => [`${review.skill}@${review.version}@${review.registry}`, review] as const),
  );
  return [...last.values()];
}

/** Writes a file of the team: indented by two spaces, with a line break at its end. */
export function writeTeamFile(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function unknownCriteria(policy: ReviewPolicy, { t }: Language): PointedProblem[] {
  const { criteria, require, skills = {}, exemptions = [], trustedPublishers = [] } = policy;
  const named: (readonly [pointer: string, names: readonly string[]])[] = [
    ["/require", require],
    ...Object.entries(criteria).map(
      ([name, { implies = [] }]) => [`/criteria/${name}/implies`, implies] as const,
    ),
    ...Object.entries(skills).map(
      ([slug, { require }]) => [`/skills/${slug}/require`, require] as const,
    ),
    ...exemptions.map(
      ({ criteria }, index) => [`/exemptions/${index}/criteria`, criteria] as const,
    ),
    ...trustedPublishers.map(
      ({ criteria }, index) => [`/trustedPublishers/${index}/criteria`, criteria] as const,
    ),
  ];
  return named.flatMap(([pointer, names]) =>
    names.flatMap((name, index) =>
      Object.hasOwn(criteria, name)
        ? []
        : [
            {
              pointer: `${pointer}/${index}`,
              message: t("The criterion “{name}” is not defined in “criteria”.", { name }),
            },
          ],
    ),
  );
}

function impossibleDays(
  { exemptions = [], trustedPublishers = [] }: ReviewPolicy,
  language: Language,
): PointedProblem[] {
  return [
    ...exemptions.flatMap(({ until }, index) =>
      dayProblem(until, `/exemptions/${index}/until`, language),
    ),
    ...trustedPublishers.flatMap(({ from, until }, index) => [
      ...dayProblem(from, `/trustedPublishers/${index}/from`, language),
      ...dayProblem(until, `/trustedPublishers/${index}/until`, language),
    ]),
  ];
}

function dayProblem(day: string | undefined, pointer: string, { t }: Language): PointedProblem[] {
  if (day === undefined || dayTime(day) !== undefined) return [];
  return [{ pointer, message: t("This date does not exist.") }];
}

/** Reports an impossible time. The schema allows any two digits for hours and minutes. */
function timeProblem(time: string, pointer: string, language: Language): PointedProblem[] {
  if (!Number.isNaN(Date.parse(time))) return dayProblem(time.slice(0, 10), pointer, language);
  return [{ pointer, message: language.t("This time does not exist.") }];
}

/** Returns the start of a day in UTC; undefined for an impossible date, such as February 30. */
function dayTime(day: string): number | undefined {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(time)) return undefined;
  return utcDay(time) === day ? time : undefined;
}

/** The maximum number of days for which a publisher is trusted or a statement applies. */
const longestTrustDays = 366;

function statementProblems(
  { tried, when, until }: Statement,
  pointer: string,
  language: Language,
): PointedProblem[] {
  const { t } = language;
  const days =
    ((dayTime(until) ?? Number.NaN) - (dayTime(when.slice(0, 10)) ?? Number.NaN)) / 86_400_000;
  return [
    ...dayProblem(tried, `${pointer}/tried`, language),
    ...(days > longestTrustDays
      ? [
          {
            pointer: `${pointer}/until`,
            message: t("A statement can count for at most {days} days.", {
              days: longestTrustDays,
            }),
          },
        ]
      : []),
  ];
}

function tooLongTrust({ trustedPublishers = [] }: ReviewPolicy, { t }: Language): PointedProblem[] {
  return trustedPublishers.flatMap(({ from, until }, index) => {
    const days = ((dayTime(until) ?? Number.NaN) - (dayTime(from) ?? 0)) / 86_400_000;
    // Impossible dates are reported separately.
    if (Number.isNaN(days) || dayTime(from) === undefined) return [];
    if (days >= 0 && days <= longestTrustDays) return [];
    const message =
      days < 0
        ? t("This date must not be earlier than “from”.")
        : t("A publisher can be trusted for at most {days} days.", { days: longestTrustDays });
    return [{ pointer: `/trustedPublishers/${index}/until`, message }];
  });
}

/** Names a registry as reviews do: scheme, host and port, or `built-in`. */
export function reviewedRegistry(registry: {
  readonly isBuiltIn: boolean;
  readonly origin: string;
}): string {
  return registry.isBuiltIn ? builtInRegistryName : registry.origin;
}
