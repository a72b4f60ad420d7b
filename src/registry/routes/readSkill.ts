import { isNotOffered } from "../../core/account/sessions";
import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import type { Result } from "../../core/registry/registryFailure";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import { mergeSkill, type OwnDetail, type SkillSources } from "../../core/skill/mergeSkill";
import { cutOffPublishers } from "../../core/skill/publisherText";
import type {
  PinnedVersion,
  Price,
  SkillDetail,
  SkillPart,
  SkillSummary,
} from "../../core/skill/skill";
import { readSlug } from "../decode/field";
import { surveyBody } from "../decode/parseJson";
import { readFeedback, readPrices, readSkillDetail } from "../decode/readSkillDetail";
import { readListPage } from "../decode/readSkillRows";
import { runYielding, within } from "../wait";
import { isAnswer, type PublicReader } from "./publicReader";
import { searchRoute } from "./searchRequests";
import type { PublisherList } from "./searchSkills";

/** The timeout in seconds of all sources but the skill's own route, while a user is waiting. */
const sideSeconds = 3;
/** Time to wait for responses that are about to arrive, so that a page is not rendered twice. */
const graceMs = 200;

/**
 * The editor compares, hashes, renders and transfers a skill's description, each time as a whole. A real one has about a
 * hundred members.
 */
const maxMembers = 25_000;
/** Values in lists, such as those of an enumeration, cost less. */
const maxValues = 120_000;

/** Returns why a skill's description is too large; undefined if it is not. */
function whyTooLarge(counts: Readonly<Record<"members" | "values", number>>) {
  const failure = (what: keyof typeof counts, limit: number) =>
    ({ kind: "tooManyValues", what, limit }) as const;
  if (counts.members > maxMembers) return failure("members", maxMembers);
  return counts.values > maxValues ? failure("values", maxValues) : undefined;
}

/** The sources of a skill's page. */
interface SkillRoutes {
  readonly reader: PublicReader;
  readonly publishers: PublisherList;
  /** Whether prices and numbers are invented. */
  readonly isSample: boolean;
}

/** The options for reading a skill. */
export interface SkillReading {
  /**
   * Called with the complete skill if some sources respond or fail only after the result was returned. Without this
   * callback, the result waits for all sources, at most `withinSeconds`.
   */
  readonly fillIn?: (skill: SkillDetail) => void;
  /** The timeout in seconds for the other sources. Default: 3. A caller whose user is not waiting uses more. */
  readonly withinSeconds?: number;
  /** The parts to request besides the skill's own route. Default: all. */
  readonly needs?: readonly SkillPart[] | undefined;
  /** An earlier reading of the skill. Its feedback and publisher are used instead of requested. */
  readonly previous?: SkillDetail | undefined;
  /** The version that a project runs. It is read if no version is requested. */
  readonly pin?: SkillPin | undefined;
}

/** The version of a skill that a project has pinned, and a function that reads it if it is not public. */
export interface SkillPin extends PinnedVersion {
  readonly read: (signal: AbortSignal) => Promise<Result<OwnDetail>>;
  /**
   * Reads the project's price if the skill's prices are not public. Missing if only a key is available, which cannot
   * read prices. The answer has no value if the project has no price.
   */
  readonly readPrice?: (signal: AbortSignal) => Promise<SideAnswer<Price>>;
}

/**
 * Loads everything known about a skill from five routes at once. Fails only if the skill's own route fails. Another
 * route without data leaves its part empty; a late or failed one leaves its part unknown.
 */
export async function readSkill(
  { reader, publishers, isSample }: SkillRoutes,
  slug: string,
  version: string | undefined,
  signal: AbortSignal,
  { fillIn, withinSeconds = sideSeconds, needs, previous, pin }: SkillReading = {},
): Promise<Result<SkillDetail>> {
  if (readSlug(slug) === undefined) return { ok: false, failure: { kind: "notFound" } };
  const route = routeOf(slug);
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const seconds = fillIn === undefined ? withinSeconds : undefined;
  const load = async <Part>(path: string, read: (body: JsonValue) => Part | undefined) => {
    const answer = await reader.read(path, either, seconds);
    if (answer.ok) return { value: read(answer.value), answered: true };
    // A proxy's or sign-in's page instead of JSON is no evidence about the part.
    const { failure } = answer;
    return { value: undefined, answered: isAnswer(failure) && failure.kind !== "unreadable" };
  };
  const side = <Part>(part: SkillPart, asking: () => Promise<SideAnswer<Part>>) =>
    sideOf(
      needs === undefined || needs.includes(part)
        ? asking()
        : Promise.resolve({ value: undefined, answered: false }),
    );
  let cutOff = previous?.cutOffPublishers;
  const sides = {
    listing: side("listing", () => load(searchRoute({ text: slug, filters: {} }), rowOf(slug))),
    prices: side("prices", async () => {
      const listed = await load(`${route}/prices`, readPrices);
      if (listed.value !== undefined || !listed.answered || pin === undefined) return listed;
      const own = await publicDetail;
      if (own.ok || !isAnswer(own.failure)) return listed;
      const paid = await pin.readPrice?.(either);
      return { value: paid?.value && [paid.value], answered: paid?.answered === true };
    }),
    feedback: side("feedback", () =>
      previous === undefined
        ? load(`${route}/feedback?limit=12`, readFeedback)
        : knownPart(previous, "feedback", previous.feedback),
    ),
    publisher: side("publisher", () =>
      previous === undefined
        ? publishers.get(either, seconds).then((list) => {
            if (list !== undefined) cutOff = cutOffPublishers(list);
            return { value: list?.get(slug), answered: list !== undefined };
          })
        : knownPart(previous, "publisher", previous.summary.publisher),
    ),
  };
  const publicDetail = readOwnDetail(reader, slug, version ?? pin?.version, signal);
  const all = Promise.all(Object.values(sides).map(({ done }) => done));
  const own = await readPinnedOrPublic(await publicDetail, version ?? pin?.version, signal, pin);
  if (!own.ok) {
    stop.abort();
    return own;
  }
  const merged = () => {
    const known = mergeSkill({ own: own.value, ...partsSoFar(sides) });
    const unlisted = known.summary.publisher === undefined ? cutOff : undefined;
    const skill = { ...known, ...(unlisted !== undefined && { cutOffPublishers: unlisted }) };
    return isSample ? { ...skill, summary: { ...skill.summary, isSample } } : skill;
  };
  if (fillIn === undefined) {
    await all;
    return { ok: true, value: merged() };
  }
  await within(all, graceMs);
  // If the skill's own route omits the version, the list states it, so wait for the list.
  if (own.value.summary.version === "") await sides.listing.done;
  const isWhole = Object.values(sides).every(({ isOver }) => isOver);
  if (!isWhole) void all.then(() => signal.aborted || fillIn(merged()));
  return { ok: true, value: merged() };
}

/**
 * Returns a version of a skill; by default, the version that the project has pinned. Some registries publish only the
 * newest version. Then the pinned version is read from the project, since everything that an invocation depends on may
 * differ between versions.
 */
async function readPinnedOrPublic(
  publicDetail: Result<OwnDetail>,
  version: string | undefined,
  signal: AbortSignal,
  pin: SkillPin | undefined,
): Promise<Result<OwnDetail>> {
  if (pin === undefined) return publicDetail;
  const isMissing = publicDetail.ok
    ? !isSameVersion(publicDetail.value.summary.version, version)
    : isAnswer(publicDetail.failure);
  if (!isSameVersion(version, pin.version) || !isMissing) return withPin(publicDetail, pin);
  const pinned = await pin.read(signal);
  if (pinned.ok) {
    // The project may have moved to another version meanwhile, even to the public one.
    const { version: runs } = pinned.value.summary;
    const isPublicVersion =
      publicDetail.ok && isSameVersion(publicDetail.value.summary.version, runs);
    const value = isPublicVersion ? publicDetail.value : pinnedDetail(pinned.value, publicDetail);
    return withPin({ ok: true, value }, { ...pin, version: runs || pin.version });
  }
  // If the installed version is not available, use the public one.
  const isAbsent = isNotOffered(pinned.failure) || pinned.failure.kind === "unreadable";
  return isAbsent ? withPin(publicDetail, pin) : pinned;
}

/** Combines a pinned version with the data of the whole skill, which only the public route returns. */
function pinnedDetail(pinned: OwnDetail, publicDetail: Result<OwnDetail>): OwnDetail {
  if (!publicDetail.ok) return pinned;
  const { summary, versions, reviewState: _, reviewedAt: __, ...rest } = publicDetail.value;
  const { version } = summary;
  const { manifest, inputSchema, outputSchema, permissions, runtime, examples } = pinned;
  const { displayName, description, tags } = pinned.isManifestUnknown ? summary : pinned.summary;
  const text = { displayName, description, tags };
  const { permissionLevel: ___, runtimeType: ______, ...shared } = summary;
  const latest = version === "" ? {} : { latestVersion: rest.latestVersion ?? version };
  const { lossyNumbers: ____, repeatsNames: _____, ...without } = rest;
  return {
    ...without,
    ...latest,
    summary: { ...shared, ...pinned.summary, ...text, numbers: summary.numbers },
    manifest,
    inputSchema,
    outputSchema,
    permissions,
    runtime,
    examples,
    versions: versions.length > 0 ? versions : pinned.versions,
    ...(pinned.lossyNumbers && { lossyNumbers: pinned.lossyNumbers }),
    ...(pinned.isManifestUnknown && { isManifestUnknown: true }),
  };
}

function withPin(read: Result<OwnDetail>, { version, project }: SkillPin): Result<OwnDetail> {
  return read.ok ? { ok: true, value: { ...read.value, pinned: { version, project } } } : read;
}

/** Loads a skill's own route, with one request. */
export async function readOwnDetail(
  reader: PublicReader,
  slug: string,
  version: string | undefined,
  signal: AbortSignal,
): Promise<Result<OwnDetail>> {
  if (readSlug(slug) === undefined) return { ok: false, failure: { kind: "notFound" } };
  const route = routeOf(slug);
  const versionedRoute = version ? `${route}?version=${encodeURIComponent(version)}` : route;
  const answer = await reader.readWithBytes(versionedRoute, signal);
  if (!answer.ok) return answer;
  const { body, bytes } = answer.value;
  const { lossyNumbers, repeatsNames, ...counts } = await runYielding(surveyBody(bytes));
  const failure = whyTooLarge(counts);
  if (failure !== undefined) return { ok: false, failure };
  const own = readSkillDetail(body, slug, route);
  if (!own.ok) return own;
  const value = {
    ...own.value,
    ...(lossyNumbers.length > 0 && { lossyNumbers }),
    ...(repeatsNames && { repeatsNames }),
  };
  return { ok: true, value };
}

/** Reads a skill's description from a larger response, within the limits of a skill's own route. */
export async function readCopy(
  description: JsonObject,
  slug: string,
  route: string,
): Promise<Result<OwnDetail>> {
  const counts = await runYielding(surveyBody(Buffer.from(JSON.stringify(description))));
  const failure = whyTooLarge(counts);
  return failure === undefined ? readSkillDetail(description, slug, route) : { ok: false, failure };
}

function routeOf(slug: string): string {
  return `/v1/skills/${encodeURIComponent(slug)}`;
}

/** One of the other sources, with its response so far. */
interface Side<Part> {
  value: Part | undefined;
  answered: boolean;
  isOver: boolean;
  readonly done: Promise<void>;
}

/** A source's response about a part of a skill; `answered` is false if there was none. */
interface SideAnswer<Part> {
  readonly value: Part | undefined;
  readonly answered: boolean;
}

function sideOf<Part>(asking: Promise<SideAnswer<Part>>): Side<Part> {
  const note = ({ value, answered }: SideAnswer<Part>) => {
    Object.assign(side, { value, answered, isOver: true });
  };
  const side: Side<Part> = {
    value: undefined,
    answered: false,
    isOver: false,
    done: asking.then(note),
  };
  return side;
}

/** The other sources, by the part of the page that they fill. */
interface Sides {
  readonly listing: Side<SkillSummary>;
  readonly prices: Side<OwnDetail["prices"]>;
  readonly feedback: Side<OwnDetail["feedback"]>;
  readonly publisher: Side<SkillSources["publisher"]>;
}

function partsSoFar(sides: Sides): Omit<SkillSources, "own"> {
  const parts: readonly SkillPart[] = ["listing", "prices", "feedback", "publisher"];
  return {
    row: sides.listing.value,
    prices: sides.prices.value,
    feedback: sides.feedback.value,
    publisher: sides.publisher.value,
    unanswered: parts.filter((part) => !sides[part].answered),
    loading: parts.filter((part) => !sides[part].isOver),
  };
}

async function knownPart<Part>(
  known: SkillDetail,
  part: SkillPart,
  value: Part,
): Promise<SideAnswer<Part>> {
  return { value, answered: known.unanswered?.includes(part) !== true };
}

function rowOf(slug: string): (body: JsonValue) => SkillSummary | undefined {
  return (body) => {
    const page = readListPage(body);
    return page.ok ? page.value.skills.find((skill) => skill.slug === slug) : undefined;
  };
}
