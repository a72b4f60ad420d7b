import { dateFormat } from "./formats";
import type { Language } from "./language";

/** A day in milliseconds. */
export const dayMs = 86_400_000;

/** The maximum error of a clock between two reads, in milliseconds. After a larger jump, somebody set the clock. */
export const clockToleranceMs = 2_000;

/** Formats the day of a time by UTC, as in `2026-11-20`. The time is in milliseconds since 1970. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Formats a time to the minute by UTC, the same for every reader: `2026-11-20 09:05 UTC`. */
export function utcMinute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Formats the local day of a time, as in `2026-11-20`. */
export function localDay(time: number): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Formats a local time to the minute, in the form that commands accept: `2026-11-20 09:05`. */
export function localMinute(time: number): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${localDay(time)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/**
 * Formats the local day of a time so that day and month cannot be confused: `Nov 20, 2026`. Empty for a missing or
 * impossible time.
 */
export function dayText(time: number | undefined, { locale }: Language): string {
  if (!Number.isFinite(new Date(time ?? Number.NaN).getTime())) return "";
  return dateFormat(locale, { dateStyle: "medium" }).format(time);
}

/** Formats the local day and minute of a time. Empty for no time. */
export function momentText(time: number | undefined, { locale }: Language): string {
  if (time === undefined) return "";
  return dateFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(time);
}

/** Formats times (milliseconds since 1970) to the second, in local time. */
export interface TimeFormats {
  /** Formats date and time, written so that day and month cannot be confused. */
  readonly moment: (time: number) => string;
  readonly timeOfDay: (time: number) => string;
  /** Formats the time; with the date if it is on another day than `other`. */
  readonly timeBeside: (time: number, other: number) => string;
}

/** Creates the formats of a language for reuse, since creating them takes a hundred times as long as using them. */
export function timeFormats({ locale }: Language): TimeFormats {
  const moment = dateFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
  const timeOfDay = dateFormat(locale, { timeStyle: "medium" });
  return {
    moment: (time) => moment.format(time),
    timeOfDay: (time) => timeOfDay.format(time),
    timeBeside: (time, other) =>
      (localDay(time) === localDay(other) ? timeOfDay : moment).format(time),
  };
}
