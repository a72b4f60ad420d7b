import type { SchemaRules } from "../schema/schemaRules";
import { l10nText } from "../text/language";
import type { ManifestFinding } from "./manifestRules";

/**
 * Returns whether a text of a manifest was left from a template, such as “TODO” or “description here”. A text that only
 * mentions such words is none, such as “Manages todo lists”.
 */
export function isFiller(text: string): boolean {
  const start = text.trim().slice(0, 500);
  return /\blorem ipsum\b/i.test(start) || wholeFiller.test(start) || openTask.test(start);
}

const wholeFiller =
  /^\W*(?:todo|tbd|fixme|xxx+|n\/a|placeholder|change ?me|asdf|foo(?: ?bar)?|(?:(?:your|my|the|a|an|add|enter|insert|write|put|short|skill) )*(?:description|text|name)(?: goes)? here)\W*$/i;
const openTask = /^\W*(?:TODO|TBD|FIXME)\s*[:(-]/;

/** The maximum number of reported texts of one schema. */
const maxListed = 50;

/** Reports texts of a schema that were left from a template. `pointer` is the schema's place in the manifest. */
export function fillersIn(
  schemas: readonly SchemaRules[],
  pointer: string,
): readonly ManifestFinding[] {
  const message = l10nText("This text was left from a template. Describe the value instead.");
  const pointers = schemas.flatMap((rules) =>
    (["title", "description"] as const)
      .filter((name) => rules.pointer !== undefined && isFiller(rules[name] ?? ""))
      .map((name) => `${pointer}${rules.pointer}/${name}`),
  );
  return pointers
    .slice(0, maxListed)
    .map((at) => ({ code: "review-filler", severity: "warning", pointer: at, message }));
}

/** Returns whether an address has a part that its author should have replaced, such as `{id}`, `:id` or `your-domain.com`. */
export function hasPlaceholder(address: URL): boolean {
  const { hostname, href, pathname } = address;
  if (/\/:[a-z]/i.test(pathname)) return true;
  if (/(?:^|\.)example\.(?:com|org|net)$/.test(hostname)) return true;
  if (/(?:^|[.-])(?:your|my)-?(?:domain|host|server|company|app|site)(?:[.-]|$)/.test(hostname))
    return true;
  if (/\bYOUR[-_]/.test(href)) return true;
  return /(?:\{|%7B)[^/]{0,100}?(?:\}|%7D)|(?:<|%3C)[^/]{1,100}?(?:>|%3E)/i.test(href);
}

/**
 * Returns whether a host is reachable only from its own machine or network, by its name or its address, or from nowhere,
 * such as `a.test`.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host.startsWith("[")) return isPrivateV6(host.slice(1, -1));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isPrivateV4(host.split(".").map(Number));
  return (
    !host.includes(".") ||
    /\.(?:localhost|local|internal|lan|intranet|corp|home|home\.arpa|test|invalid)$/.test(host)
  );
}

function isPrivateV4([first = 0, second = 0]: readonly number[]): boolean {
  return (
    [0, 10, 127].includes(first) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168) ||
    (first === 100 && second >= 64 && second < 128)
  );
}

function isPrivateV6(host: string): boolean {
  // A URL writes an IPv4 address inside an IPv6 one as two hexadecimal groups.
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(host);
  if (mapped !== null) {
    const high = Number.parseInt(mapped[1] ?? "", 16);
    return isPrivateV4([high >> 8, high & 255]);
  }
  return host === "::" || host === "::1" || /^(?:f[cd]|fe[89ab])[\da-f]{0,2}:/.test(host);
}
