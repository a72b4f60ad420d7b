import type { Language } from "../../text/language";
import { dayOf } from "../limits/spending";
import type { InvocationRecord } from "./invocationRecord";

/** The invocations of one day, newest first; or those that are pinned, whatever their day. */
export interface InvocationDay {
  /** `YYYY-MM-DD` in local time, or `pinned`. */
  readonly day: string;
  readonly title: string;
  readonly records: readonly InvocationRecord[];
}

/** Groups invocations, newest first, by the day they were made on; pinned ones stand before all days. */
export function invocationDays(
  records: readonly InvocationRecord[],
  now: number,
  language: Language,
): readonly InvocationDay[] {
  const pinned = records.filter((record) => record.pinned === true);
  const days = new Map<string, InvocationRecord[]>();
  for (const record of records) {
    if (record.pinned === true) continue;
    const day = dayOf(record.startedAt);
    const known = days.get(day);
    if (known === undefined) days.set(day, [record]);
    else known.push(record);
  }
  const groups = [...days].map(([day, ofDay]) => ({
    day,
    title: dayTitle(day, ofDay[0]?.startedAt ?? now, now, language),
    records: ofDay,
  }));
  return pinned.length === 0
    ? groups
    : [{ day: "pinned", title: language.t("Pinned"), records: pinned }, ...groups];
}

/** Finds the invocation before this one of the same skill at the same registry, in invocations newest first. */
export function previousRun(
  records: readonly InvocationRecord[],
  record: InvocationRecord,
): InvocationRecord | undefined {
  return records.find((other) => isBefore(other, record) && other.status !== "running");
}

/** Finds the one before it that had an output, as far as is on record: of the same payload, or whatever was sent. */
export function previousOutput(
  records: readonly InvocationRecord[],
  record: InvocationRecord,
  of: "payload" | "skill",
): InvocationRecord | undefined {
  return records.find(
    (other) =>
      isBefore(other, record) &&
      other.responseSha256 !== undefined &&
      (of === "skill" || isOfSamePayload(other, record)),
  );
}

/** A payload that was sent again from the record may stand in another document, and is the same as it was. */
function isOfSamePayload(other: InvocationRecord, record: InvocationRecord): boolean {
  const isSameText =
    other.requestSha256 !== undefined && other.requestSha256 === record.requestSha256;
  return isSameText || other.payloadId === record.payloadId;
}

function isBefore(other: InvocationRecord, { id, registry, skillSlug }: InvocationRecord): boolean {
  return other.id < id && other.registry === registry && other.skillSlug === skillSlug;
}

function dayTitle(day: string, time: number, now: number, { t, locale }: Language): string {
  if (day === dayOf(now)) return t("Today");
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (day === dayOf(yesterday.getTime())) return t("Yesterday");
  return new Intl.DateTimeFormat(locale, { dateStyle: "full" }).format(time);
}
