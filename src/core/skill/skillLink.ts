/** Writes the address a skill has in a registry. `baseUrl` has no slash at its end. */
export function skillLink(baseUrl: string, slug: string): string {
  return `${baseUrl}/v1/skills/${encodeURIComponent(slug)}`;
}
