import type { Language } from "../text/language";

/** Writes when something was: the time, with the date where it was another day. Both times are in milliseconds since 1970. */
export function sinceWords(time: number, now: number, { locale }: Language): string {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(locale, {
    timeStyle: "short",
    ...(isToday ? {} : { dateStyle: "medium" }),
  }).format(time);
}
