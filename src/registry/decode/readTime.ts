/**
 * Reads a time: ISO text, Postgres text such as `2026-11-20 09:00:07.924444+00`, or a number of
 * seconds or milliseconds since 1970. Text without a zone means UTC. Undefined for anything else.
 */
export function readTime(value: string | number): number | undefined {
  if (typeof value === "number") return readNumber(value);
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i.exec(
      value.trim(),
    );
  if (parts === null) return undefined;
  const [, date, time = "00:00", fraction = "0", zone = "Z"] = parts;
  const iso = `${date}T${time.length === 5 ? `${time}:00` : time}.${fraction.slice(0, 3).padEnd(3, "0")}${isoZone(zone)}`;
  const milliseconds = Date.parse(iso);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** Seconds since 1970 pass 1e11 in the year 5138 only. */
function readNumber(value: number): number | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined;
  const milliseconds = value < 1e11 ? value * 1000 : value;
  return milliseconds <= 8.64e15 ? milliseconds : undefined;
}

/** `+00`, `+0530` and `+05:30` → `+00:00` and `+05:30`. */
function isoZone(zone: string): string {
  if (zone.toUpperCase() === "Z") return "Z";
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
