import { isSlug } from "./slug";

/** A skill, or one version of it. An empty version stands for the registry's choice. */
export interface SkillAddress {
  readonly slug: string;
  readonly version: string;
}

/** Reads `slug` or `slug@version`. Undefined for anything else. */
export function readSkillAddress(text: unknown): SkillAddress | undefined {
  if (typeof text !== "string" || text.length > maxLength) return undefined;
  const at = text.indexOf("@");
  const slug = at < 0 ? text : text.slice(0, at);
  const version = at < 0 ? "" : text.slice(at + 1);
  const fits = at < 0 || /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,99}$/.test(version);
  return fits && isSlug(slug) ? { slug, version } : undefined;
}

/** Reads the path of a link into the editor, `/skill/<slug>` or `/skill/<slug>@<version>`. Undefined for anything else. */
export function readSkillLink(path: string): SkillAddress | undefined {
  const [, address] = /^\/skill\/([^/]+)\/?$/.exec(path.slice(0, maxLength)) ?? [];
  return readSkillAddress(address);
}

const maxLength = 300;
