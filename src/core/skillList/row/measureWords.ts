import type { Language } from "../../text/language";
import type { SortMeasureName } from "../order/sortMeasures";

/** What a row states of the order that its list is in. */
export interface StatedMeasure {
  readonly name: SortMeasureName;
  /** A count, a share of 1, or milliseconds since 1970. */
  readonly value: number;
}

/** Says what puts a row where it stands, such as "1,312 installs"; empty where the row says so anyway. */
export function measureWords({ name, value }: StatedMeasure, language: Language): string {
  const { t, locale } = language;
  const count = new Intl.NumberFormat(locale).format(value);
  switch (name) {
    case "installs":
      return value === 1 ? t("1 install") : t("{count} installs", { count });
    case "calls":
      return value === 1 ? t("1 call") : t("{count} calls", { count });
    case "successRate":
      return t("{share} successful", { share: percent(value, locale) });
    case "lastChange":
      return day(value, locale);
    case "power":
      return "";
  }
}

function percent(value: number, locale: string): string {
  const { format } = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  return format(value);
}

function day(time: number, locale: string): string {
  if (!Number.isFinite(new Date(time).getTime())) return "";
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(time);
}
