/** Names the day of a time by UTC, as in `2026-11-20`; the time is in milliseconds since 1970. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Names the local day of a time likewise. */
export function localDay(time: number): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
