/**
 * Tells whether a text can name a skill that a registry lists: wider than the manifest's rule, and
 * still safe in a route and a file name.
 */
export function isListedSlug(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9._-]{0,126}[a-z0-9])?$/i.test(text);
}
