import type { Language } from "./language";

/** Says times (milliseconds since 1970) to the second, as they are in local time. */
export interface TimeFormats {
  /** With the date, in which no reader can take the day for the month. */
  readonly moment: (time: number) => string;
  readonly timeOfDay: (time: number) => string;
}

/** Makes the formats of a language, to be kept: making them takes a hundred times as long as using them. */
export function timeFormats({ locale }: Language): TimeFormats {
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
  const timeOfDay = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
  return {
    moment: (time) => moment.format(time),
    timeOfDay: (time) => timeOfDay.format(time),
  };
}
