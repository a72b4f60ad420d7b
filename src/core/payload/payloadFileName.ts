const ending = ".skill-input.json";
const slugPattern = /^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/;

/** Tells whether a text can name a skill, by the manifest's rule for `name`. */
export function isSkillSlug(text: string): boolean {
  return slugPattern.test(text);
}

/** Tells whether a path is that of a saved input by its name. */
export function isPayloadFile(path: string): boolean {
  return path.endsWith(ending);
}

/**
 * Reads the skill a payload file is meant for from its path: `a/text-stats.skill-input.json` and
 * `text-stats.large.skill-input.json` are both for `text-stats`. Undefined where the name says nothing.
 */
export function slugOfPayloadFile(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!name.endsWith(ending)) return undefined;
  const slug = name.slice(0, name.indexOf("."));
  return isSkillSlug(slug) ? slug : undefined;
}

/** Names the payload file of a skill; from the second on with a number: `text-stats.2.skill-input.json`. */
export function payloadFileName(slug: string, number = 1): string {
  return number === 1 ? `${slug}${ending}` : `${slug}.${number}${ending}`;
}
