import { dayText } from "../../text/dates";
import { numberFormat, relativeFormat } from "../../text/formats";
import { durationText, type Language } from "../../text/language";
import type { SkillNumbers } from "../skill";

/** A measured number as text, with its meaning. */
export interface NumberLabel {
  readonly label: string;
  readonly value: string;
  readonly meaning: string;
}

/** Describes the numbers of a registry, in a fixed order. Omits missing ones. */
export function numberLabels(numbers: SkillNumbers, language: Language): NumberLabel[] {
  const { t, locale } = language;
  const count = numberFormat(locale);
  const rows: (NumberLabel | undefined)[] = [
    row(numbers.installs, t("Installs"), count.format, t("Projects that installed it")),
    row(numbers.calls, t("Invocations"), count.format, t("Invocations counted by the registry")),
    row(
      numbers.successRate,
      t("Success rate"),
      numberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format,
      t("Share of invocations that succeeded"),
    ),
    row(
      numbers.averageLatencyMs,
      t("Typical time"),
      (ms) => durationText(ms, language),
      t("Average time of one invocation"),
    ),
    row(
      numbers.averageRating,
      t("Rating"),
      (stars) => ratingText(stars, language),
      ratingMeaning(numbers.feedbackCount, language),
    ),
  ];
  return rows.filter((given) => given !== undefined);
}

/** Formats a rating, such as "4.6 of 5". */
export function ratingText(stars: number, { t, locale }: Language): string {
  const format = numberFormat(locale, { maximumFractionDigits: 1 });
  return t("{stars} of 5", { stars: format.format(stars) });
}

/** Formats a time as a day and its age, such as "Nov 20, 2026 (3 days ago)". */
export function dateText(time: number, now: number, language: Language): string {
  const day = dayText(time, language);
  return day === "" ? "" : `${day} (${agoText(time, now, language.locale)})`;
}

function agoText(time: number, now: number, locale: string): string {
  const relative = relativeFormat(locale, { numeric: "auto" });
  const days = Math.round((time - now) / 86_400_000);
  if (Math.abs(days) < 31) return relative.format(days, "day");
  if (Math.abs(days) < 365) return relative.format(Math.round(days / 30.44), "month");
  return relative.format(Math.round(days / 365.25), "year");
}

function row(
  value: number | undefined,
  label: string,
  format: (value: number) => string,
  meaning: string,
): NumberLabel | undefined {
  if (value === undefined || !Number.isFinite(value)) return undefined;
  return { label, value: format(value), meaning };
}

function ratingMeaning(count: number | undefined, { t }: Language): string {
  if (count === undefined) return t("Average of all ratings");
  if (count === 1) return t("From 1 rating");
  return t("From {count} ratings", { count });
}
