import { isJsonObject, ownValue, parsedJson } from "../../json/jsonValue";
import { dayMs } from "../../text/dates";
import { areEndFacts, type EndFacts } from "../outcome";
import { type InvocationRecord, isRecordId } from "../record/invocationRecord";

/** A trial of a publisher's own code, as it is kept: its facts, without payload and output. */
export interface KeptTrial extends EndFacts {
  /** Sorts by time, like the ID of a record. */
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly skill: string;
  readonly version: string;
  /** Where the payload was sent, without a query, which may contain a token. */
  readonly address: string;
}

/** How many trials are kept, and for how many days; 0 days for no limit. */
interface TrialRetention {
  readonly maxEntries: number;
  readonly maxDays: number;
}

/** The version of the document of trials. */
const trialsFormat = 1;
const maxTrials = 100;
/** The maximum length of a name or an address. */
const maxLength = 2000;

/** Returns the facts of an ended trial to keep. Its record has the address in place of a registry. */
export function keptTrialOf(record: InvocationRecord): KeptTrial {
  const { id, startedAt, durationMs, skillSlug, version, status, ran, reason } = record;
  const { origin, pathname } = new URL(record.registry);
  return {
    ...{ id, startedAt, durationMs, status, ran, ...(reason !== undefined && { reason }) },
    skill: skillSlug.slice(0, maxLength),
    version: version.slice(0, maxLength),
    address: `${origin}${pathname}`.slice(0, maxLength),
  };
}

/** Reads the document of trials, newest first. Skips what is damaged or too old, and a document of a newer version. */
export function readTrials(
  text: string | undefined,
  { maxEntries, maxDays }: TrialRetention,
  now: number,
): readonly KeptTrial[] {
  const value = text === undefined ? undefined : parsedJson(text);
  const listed: unknown =
    isJsonObject(value) && value["format"] === trialsFormat ? value["trials"] : [];
  const since = maxDays === 0 ? 0 : now - maxDays * dayMs;
  const trials: readonly unknown[] = Array.isArray(listed) ? listed : [];
  return trials
    .filter(isTrial)
    .filter(({ startedAt }) => startedAt >= since)
    .slice(0, Math.min(maxTrials, maxEntries));
}

/** Writes the document of trials. Undefined if a newer version wrote `before`, which is left as it is. */
export function writeTrials(
  before: string | undefined,
  trials: readonly KeptTrial[],
): string | undefined {
  const value = before === undefined ? undefined : parsedJson(before);
  const format = isJsonObject(value) ? ownValue(value, "format") : undefined;
  if (typeof format === "number" && format > trialsFormat) return undefined;
  return JSON.stringify({ format: trialsFormat, trials });
}

function isTrial(value: unknown): value is KeptTrial {
  if (!isJsonObject(value) || !areEndFacts(value)) return false;
  const { id, startedAt, durationMs, skill, version, address } = value as Record<string, unknown>;
  const areTexts = [skill, version, address].every(
    (text) => typeof text === "string" && text.length <= maxLength,
  );
  const areTimes = [startedAt, durationMs].every(
    (time) => typeof time === "number" && !Number.isNaN(new Date(time).getTime()),
  );
  return typeof id === "string" && isRecordId(id) && areTexts && areTimes;
}
