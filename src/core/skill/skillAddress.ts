import { JsonTokens } from "../json/jsonTokens";
import { parsedJson } from "../json/jsonValue";
import { Token } from "../json/token";

/**
 * Returns whether a text is a valid slug: 1 to 128 letters, digits, dots, dashes and underscores, the first and last a
 * letter or digit. Accepts more than a manifest does, since registries list such slugs, and all of it is safe in a
 * route. Lists, links, bindings and file names share this rule.
 */
export function isSlug(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9._-]{0,126}[a-z0-9])?$/i.test(text);
}

/**
 * Returns whether a text is a version: 1 to 100 letters, digits, dots, dashes, underscores and plus signs, the first a
 * letter or digit. Accepts more than semantic versions, and all of it is safe in a route, a file name, a line and a
 * command.
 */
export function isVersion(text: string): boolean {
  return /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,99}$/.test(text);
}

/** A skill, or one version of it. An empty version is the registry's choice. */
export interface SkillAddress {
  readonly slug: string;
  readonly version: string;
}

/** Writes a skill, or one version of it, for `readSkillAddress`. Without a version: the slug alone. */
export function addressText(slug: string, version = ""): string {
  return version === "" ? slug : `${slug}@${version}`;
}

/** Reads `slug` or `slug@version`. Undefined for anything else. */
export function readSkillAddress(text: unknown): SkillAddress | undefined {
  if (typeof text !== "string" || text.length > maxLength) return undefined;
  const at = text.indexOf("@");
  const slug = at < 0 ? text : text.slice(0, at);
  const version = at < 0 ? "" : text.slice(at + 1);
  const fits = at < 0 || isVersion(version);
  return fits && isSlug(slug) ? { slug, version } : undefined;
}

/** Reads the path of a link into the editor, `/skill/<slug>` or `/skill/<slug>@<version>`. Undefined for anything else. */
export function readSkillLink(path: string): SkillAddress | undefined {
  const [, address] = /^\/skill\/([^/]+)\/?$/.exec(path.slice(0, maxLength)) ?? [];
  return readSkillAddress(address);
}

/** The longest slug and version fit, even with some characters escaped. */
const maxLength = 300;

/** The payload in a link: a text, none, or an invalid one. */
type LinkPayload =
  | { readonly kind: "none" }
  | { readonly kind: "json"; readonly text: string }
  | { readonly kind: "tooLong" }
  | { readonly kind: "notJson" };

/** In characters. Windows starts programs with at most 8,191, so a longer link would arrive truncated. */
export const maxLinkPayload = 8000;

/**
 * Reads the payload of a link from its decoded query. The payload is everything after `payload=`, since decoding makes
 * an ampersand of the JSON look like one between parameters.
 */
export function readLinkPayload(query: string): LinkPayload {
  const [, text] = /(?:^|&)payload=(.*)$/s.exec(query) ?? [];
  if (text === undefined) return { kind: "none" };
  if (text.length > maxLinkPayload) return { kind: "tooLong" };
  return parsedJson(text) === undefined ? { kind: "notJson" } : { kind: "json", text };
}

/**
 * Writes a link that opens a skill in an editor with a payload, whose numbers and strings stay as typed. `editor` is
 * the prefix of all links of that editor into this extension. Undefined if the link would be too long, or would contain
 * half a surrogate pair.
 */
export function payloadLink(
  editor: string,
  { slug, version }: SkillAddress,
  payload: string,
): string | undefined {
  if (/\p{Surrogate}/u.test(payload)) return undefined;
  // Slugs and versions have no character that a URL escapes.
  const link = `${editor}/skill/${addressText(slug, version)}?payload=${encodeURIComponent(withoutBlanks(payload))}`;
  return link.length > maxLinkPayload ? undefined : link;
}

function withoutBlanks(json: string): string {
  const tokens = new JsonTokens(json);
  const parts: string[] = [];
  while (tokens.next() !== Token.end) parts.push(json.slice(tokens.start, tokens.end));
  return parts.join("");
}

/** Returns the address of a skill's page in a registry. `baseUrl` has no slash at its end. */
export function skillLink(baseUrl: string, slug: string): string {
  return `${baseUrl}/v1/skills/${encodeURIComponent(slug)}`;
}

/** Returns whether Windows would open a device for a file with this name. Text after its first dot does not matter. */
export function isDeviceName(name: string): boolean {
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name);
}
