import { isNotOffered } from "../../core/account/sessions";
import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import type { Result } from "../../core/registry/registryFailure";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import { mergeSkill, type OwnDetail, type SkillSources } from "../../core/skill/mergeSkill";
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

/** Timeout for the sources beside a skill's own route while a user is waiting. */
const sideSeconds = 3;
/** Responses that are about to arrive do so within this time, so that a page need not be rendered twice. */
const graceMs = 200;

/**
 * A skill's description is compared, hashed, shown and sent to the thread while the editor waits: this many
 * members take at most 30 ms each. A real one has some hundred.
 */
const maxMembers = 25_000;
/** Values in lists cost less, such as those of an enumeration. */
const maxValues = 120_000;

/** Explains why a skill's description is too large; undefined where it is not. */
function whyTooLarge(counts: Readonly<Record<"members" | "values", number>>) {
  const failure = (what: keyof typeof counts, limit: number) =>
    ({ kind: "tooManyValues", what, limit }) as const;
  if (counts.members > maxMembers) return failure("members", maxMembers);
  return counts.values > maxValues ? failure("values", maxValues) : undefined;
}

/** The sources of a skill's page. */
export interface SkillRoutes {
  readonly reader: PublicReader;
  readonly publishers: PublisherList;
  /** Whether prices and numbers are invented. */
  readonly isSample: boolean;
}

/** The options for reading a skill. */
export interface SkillReading {
  /**
   * Called with the skill again once all sources have responded or failed, if that was not the case at first.
   * Without it the result itself waits, at most `withinSeconds`.
   */
  readonly fillIn?: (skill: SkillDetail) => void;
  /** Default: 3. Callers without a waiting user that need all parts use more. */
  readonly withinSeconds?: number;
  /** The sources that are requested beside the skill's own route. Default: all. */
  readonly needs?: readonly SkillPart[] | undefined;
  /** Known data: feedback and publisher are taken from it rather than requested. */
  readonly known?: SkillDetail | undefined;
  /** The version that a project runs: it is read where no version is requested. */
  readonly pin?: SkillPin | undefined;
}

/** The version of a skill that a project has pinned, and a function that reads it where it is not public. */
export interface SkillPin extends PinnedVersion {
  readonly read: (signal: AbortSignal) => Promise<Result<OwnDetail>>;
  /**
   * Reads what the project pays for it, where that is not public; left out where only a key is at hand. The answer has
   * no value where the project is told no price.
   */
  readonly readPrice?: (signal: AbortSignal) => Promise<SideAnswer<Price>>;
}

/**
 * Loads everything known about a skill from five routes at once. The skill's own route decides; of the
 * others, one without data leaves its part out, and one that is late or fails leaves it unknown.
 */
export async function readSkill(
  { reader, publishers, isSample }: SkillRoutes,
  slug: string,
  version: string | undefined,
  signal: AbortSignal,
  { fillIn, withinSeconds = sideSeconds, needs, known, pin }: SkillReading = {},
): Promise<Result<SkillDetail>> {
  if (readSlug(slug) === undefined) return { ok: false, failure: { kind: "notFound" } };
  const route = routeOf(slug);
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const seconds = fillIn === undefined ? withinSeconds : undefined;
  const ask = async <Part>(path: string, read: (body: JsonValue) => Part | undefined) => {
    const answer = await reader.read(path, either, seconds);
    if (answer.ok) return { value: read(answer.value), answered: true };
    // A page of a proxy or of a sign-in, instead of JSON, says nothing of the part.
    const { failure } = answer;
    return { value: undefined, answered: isAnswer(failure) && failure.kind !== "unreadable" };
  };
  const side = <Part>(part: SkillPart, asking: () => Promise<SideAnswer<Part>>) =>
    sideOf(
      needs === undefined || needs.includes(part)
        ? asking()
        : Promise.resolve({ value: undefined, answered: false }),
    );
  const sides = {
    listing: side("listing", () => ask(searchRoute({ text: slug, filters: {} }), rowOf(slug))),
    prices: side("prices", async () => {
      const listed = await ask(`${route}/prices`, readPrices);
      if (listed.value !== undefined || !listed.answered || pin === undefined) return listed;
      const own = await open;
      if (own.ok || !isAnswer(own.failure)) return listed;
      const paid = await pin.readPrice?.(either);
      return { value: paid?.value && [paid.value], answered: paid?.answered === true };
    }),
    feedback: side("feedback", () =>
      known === undefined
        ? ask(`${route}/feedback?limit=12`, readFeedback)
        : knownPart(known, "feedback", known.feedback),
    ),
    publisher: side("publisher", () =>
      known === undefined
        ? publishers
            .get(either, seconds)
            .then((list) => ({ value: list?.get(slug), answered: list !== undefined }))
        : knownPart(known, "publisher", known.summary.publisher),
    ),
  };
  const open = readOwnDetail(reader, slug, version ?? pin?.version, signal);
  const all = Promise.all(Object.values(sides).map(({ done }) => done));
  const own = await readPinnedOrPublic(await open, version ?? pin?.version, signal, pin);
  if (!own.ok) {
    stop.abort();
    return own;
  }
  const merged = () => {
    const skill = mergeSkill({ own: own.value, ...soFar(sides) });
    return isSample ? { ...skill, summary: { ...skill.summary, isSample } } : skill;
  };
  if (fillIn === undefined) {
    await all;
    return { ok: true, value: merged() };
  }
  await within(all, graceMs);
  // A skill without a version of its own has that of its row, so the row is required.
  if (own.value.summary.version === "") await sides.listing.done;
  const isWhole = Object.values(sides).every(({ isOver }) => isOver);
  if (!isWhole) void all.then(() => signal.aborted || fillIn(merged()));
  return { ok: true, value: merged() };
}

/**
 * Loads a version of a skill; without one, the version a project has pinned. A registry that publishes only
 * its newest version returns that, and then the project's own copy is read: the two may differ in everything
 * that an invocation depends on.
 */
async function readPinnedOrPublic(
  open: Result<OwnDetail>,
  version: string | undefined,
  signal: AbortSignal,
  pin: SkillPin | undefined,
): Promise<Result<OwnDetail>> {
  if (pin === undefined) return open;
  const isMissing = open.ok
    ? !isSameVersion(open.value.summary.version, version)
    : isAnswer(open.failure);
  if (!isSameVersion(version, pin.version) || !isMissing) return withPin(open, pin);
  const pinned = await pin.read(signal);
  if (pinned.ok) {
    // The project may run another version by now, also the public one.
    const { version: runs } = pinned.value.summary;
    const isOpen = open.ok && isSameVersion(open.value.summary.version, runs);
    const value = isOpen ? open.value : pinnedDetail(pinned.value, open);
    return withPin({ ok: true, value }, { ...pin, version: runs || pin.version });
  }
  // Without the installed version the public one is used.
  const isAbsent = isNotOffered(pinned.failure) || pinned.failure.kind === "unreadable";
  return isAbsent ? withPin(open, pin) : pinned;
}

/** Data of the skill as a whole, rather than of a version, is only public. */
function pinnedDetail(pinned: OwnDetail, open: Result<OwnDetail>): OwnDetail {
  if (!open.ok) return pinned;
  const { summary, versions, reviewState: _, reviewedAt: __, ...rest } = open.value;
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
  const asked = version ? `${route}?version=${encodeURIComponent(version)}` : route;
  const answer = await reader.readWhole(asked, signal);
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

/** Reads a skill's description that came with others, bounded as a skill's own route is. */
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

/** One source beside the skill's own, with its response so far. */
interface Side<Part> {
  value: Part | undefined;
  answered: boolean;
  isOver: boolean;
  readonly done: Promise<void>;
}

/** What a source says of a part of a skill; `answered` is false where it could not be asked. */
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

/** The sources of a skill by the part of its page. */
interface Sides {
  readonly listing: Side<SkillSummary>;
  readonly prices: Side<OwnDetail["prices"]>;
  readonly feedback: Side<OwnDetail["feedback"]>;
  readonly publisher: Side<SkillSources["publisher"]>;
}

function soFar(sides: Sides): Omit<SkillSources, "own"> {
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
