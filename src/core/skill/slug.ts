/**
 * Tells whether a text can name a skill: 1 to 128 letters, digits, dots, dashes and underscores, the
 * first and last a letter or digit. Wider than the manifest's rule, since registries list such slugs,
 * and still safe in a route. The one rule for lists, links, bindings and file names.
 */
export function isSlug(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9._-]{0,126}[a-z0-9])?$/i.test(text);
}
