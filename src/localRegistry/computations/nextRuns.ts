import { type CronDate, CronExpressionParser } from "cron-parser";

/** One run of a schedule. */
export interface ScheduledRun {
  /** The time in UTC, ISO. */
  readonly utc: string;
  /** The time where the schedule lives, ISO with its offset. */
  readonly local: string;
  /** Seconds since the run before; for the first one since the start. */
  readonly secondsAfterLast: number;
}

/** The runs of a schedule, or why the expression cannot be read. */
export type NextRuns =
  | { readonly ok: true; readonly runs: readonly ScheduledRun[] }
  | { readonly ok: false; readonly error: string };

/** Finds the next runs of a cron expression after `from` (milliseconds since 1970) in a time zone. */
export function nextRuns(
  expression: string,
  { timeZone, from, count }: { timeZone: string; from: number; count: number },
): NextRuns {
  try {
    const schedule = CronExpressionParser.parse(expression, {
      currentDate: new Date(from),
      tz: timeZone,
    });
    const dates = Array.from({ length: count }, () => schedule.next());
    const runs = dates.map((date, index) => ({
      utc: date.toDate().toISOString(),
      local: localIso(date),
      secondsAfterLast: (date.getTime() - (dates[index - 1]?.getTime() ?? from)) / 1000,
    }));
    return { ok: true, runs };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, error: `The cron expression cannot be used: ${reason}.` };
  }
}

/** Tells whether a text names a time zone, such as Europe/Berlin or UTC. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function localIso(date: CronDate): string {
  const asUtc = Date.UTC(
    date.getFullYear(),
    date.getMonth(),
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
    date.getSeconds(),
  );
  const offset = Math.round((asUtc - date.getTime()) / 60_000);
  const two = (number: number) => String(number).padStart(2, "0");
  const sign = offset < 0 ? "-" : "+";
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `${new Date(asUtc).toISOString().slice(0, 19)}${sign}${two(hours)}:${two(minutes)}`;
}
