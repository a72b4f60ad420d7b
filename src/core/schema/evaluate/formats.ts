import { type LocalizableText, l10nText } from "../../text/language";

/** A `format` of JSON Schema. */
interface Format {
  /** Returns whether a string matches, in time linear in its length. Absent if the format is not checked. */
  readonly fits?: (text: string) => boolean;
  /**
   * The name of the format with its article, and with an example if that helps. Absent if the name in the schema is
   * clear enough.
   */
  readonly name?: LocalizableText;
  /** Matching strings, for samples. */
  readonly samples: readonly string[];
}

/** All formats of the drafts. */
export const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  [
    "date",
    { fits: isDate, name: l10nText("a date (2026-11-20)"), samples: ["2026-01-01", "2026-01-02"] },
  ],
  [
    "time",
    { fits: isTime, name: l10nText("a time with its zone (09:00:00Z)"), samples: ["09:00:00Z"] },
  ],
  [
    "date-time",
    {
      fits: isDateTime,
      name: l10nText("a date and time with its zone (2026-11-20T09:00:00Z)"),
      samples: ["2026-01-01T09:00:00Z", "2026-01-02T09:00:00Z"],
    },
  ],
  [
    "duration",
    {
      fits: (text) => duration.test(text),
      name: l10nText("a duration (P1DT12H)"),
      samples: ["P1D"],
    },
  ],
  [
    "email",
    {
      fits: isEmail,
      name: l10nText("an email address"),
      samples: ["name@example.com", "other@example.com"],
    },
  ],
  [
    "idn-email",
    { fits: isEmail, name: l10nText("an email address"), samples: ["name@example.com"] },
  ],
  ["hostname", { fits: isHostname, name: l10nText("a host name"), samples: ["example.com"] }],
  // A check of this format needs Unicode tables that are too large to include.
  ["idn-hostname", { samples: ["example.com"] }],
  [
    "ipv4",
    { fits: isIpv4, name: l10nText("an IPv4 address"), samples: ["192.0.2.1", "192.0.2.2"] },
  ],
  ["ipv6", { fits: isIpv6, name: l10nText("an IPv6 address"), samples: ["2001:db8::1"] }],
  [
    "uri",
    {
      fits: (text) => scheme.test(text) && isUriReference(text, notInUri),
      name: l10nText("a full URI (https://example.com/)"),
      samples: ["https://example.com/", "https://example.org/"],
    },
  ],
  [
    "uri-reference",
    {
      fits: (text) => isUriReference(text, notInUri),
      name: l10nText("a URI"),
      samples: ["https://example.com/"],
    },
  ],
  [
    "iri",
    {
      fits: (text) => scheme.test(text) && isUriReference(text, notInIri),
      samples: ["https://example.com/"],
    },
  ],
  [
    "iri-reference",
    { fits: (text) => isUriReference(text, notInIri), samples: ["https://example.com/"] },
  ],
  ["uri-template", { fits: isUriTemplate, samples: ["https://example.com/{id}"] }],
  [
    "uuid",
    {
      fits: (text) => uuid.test(text),
      name: l10nText("a UUID"),
      samples: ["00000000-0000-4000-8000-000000000000"],
    },
  ],
  [
    "json-pointer",
    { fits: isJsonPointer, name: l10nText("a JSON pointer (/a/0)"), samples: ["/a"] },
  ],
  ["relative-json-pointer", { fits: isRelativeJsonPointer, samples: ["0"] }],
  ["regex", { fits: isRegex, name: l10nText("a regular expression"), samples: [".*"] }],
]);

/** Returns whether a string matches a `format`. An unknown format always matches. */
export function fitsFormat(format: string, text: string): boolean {
  return formats.get(format)?.fits?.(text) ?? true;
}

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const notInUri = /[^a-z0-9\-._~:/?#[\]@!$&'()*+,;=%]|%(?![0-9a-f]{2})/i;
const notInIri = /[\p{Cc} "<>\\^`{|}]|%(?![0-9a-f]{2})/iu;
const scheme = /^[a-z][a-z0-9+.-]*:/i;
const durationDate = "(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)";
const durationTime = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
const duration = new RegExp(`^P(?:\\d+W|${durationDate}(?:${durationTime})?|${durationTime})$`);
const emailLocal = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}$/u;

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

function isTime(text: string): boolean {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (match === null) return false;
  const [hour, minute, second] = match.slice(1, 4).map(Number);
  const offsetHour = Number(match[5] ?? 0);
  const offsetMinute = Number(match[6] ?? 0);
  if (hour === undefined || minute === undefined || second === undefined) return false;
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  // A leap second is the last second of a day in UTC.
  const offset = (match[4] === "-" ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  return second === 60 && (((hour * 60 + minute - offset) % 1440) + 1440) % 1440 === 1439;
}

function isDateTime(text: string): boolean {
  const [date = "", time = "", ...more] = text.split(/t/i);
  return more.length === 0 && isDate(date) && isTime(time);
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (at < 1) return false;
  const isQuoted = local.length > 2 && local.startsWith('"') && local.endsWith('"');
  const isDotted = !/^\.|\.\.|\.$/.test(local) && emailLocal.test(local);
  if (!isQuoted && !isDotted) return false;
  if (domain.startsWith("[") && domain.endsWith("]")) {
    const address = domain.slice(1, -1).replace(/^IPv6:/i, "");
    return isIpv4(address) || isIpv6(address);
  }
  return isHostname(domain) || /[^\p{ASCII}]/u.test(domain);
}

/** Returns whether a string is a URI reference. Outside brackets, the host may contain a colon only before the port. */
function isUriReference(text: string, forbidden: RegExp): boolean {
  if (forbidden.test(text)) return false;
  const [, authority = ""] = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i.exec(text) ?? [];
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return /^(?:\[[^[\]]*\]|[^:[\]]*)(?::\d*)?$/.test(host);
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split(".").every((part) => label.test(part));
}

function isIpv4(text: string): boolean {
  const parts = text.length > 15 ? [] : text.split(".");
  return (
    parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && +part < 256)
  );
}

function isIpv6(text: string): boolean {
  if (text.length > 45) return false;
  const lastColon = text.lastIndexOf(":");
  const tail = text.slice(lastColon + 1);
  // An IPv4 address at the end replaces the last two groups.
  if (tail.includes(".")) return isIpv4(tail) && isIpv6(`${text.slice(0, lastColon + 1)}0:0`);
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}

function isUriTemplate(text: string): boolean {
  return !notInIri.test(text.replaceAll(/\{[^{}\s]+\}/g, ""));
}

function isJsonPointer(text: string): boolean {
  return (text === "" || text.startsWith("/")) && !/~(?![01])/.test(text);
}

function isRelativeJsonPointer(text: string): boolean {
  const [start] = /^(?:0|[1-9]\d*)/.exec(text) ?? [];
  if (start === undefined) return false;
  const rest = text.slice(start.length);
  return rest === "#" || isJsonPointer(rest);
}

function isRegex(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
