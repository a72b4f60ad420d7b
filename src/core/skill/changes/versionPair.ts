import type { SkillVersion } from "../skill";

/**
 * Chooses the versions to compare at first: the one that is shown with the one before it, or, for
 * the oldest, with the one after. `versions` is newest first. Undefined where there is only one.
 */
export function versionPair(
  versions: readonly Pick<SkillVersion, "version">[],
  shown: string,
): { readonly before: string; readonly after: string } | undefined {
  const at = Math.max(
    0,
    versions.findIndex(({ version }) => version === shown),
  );
  const [after, before] = [versions[at], versions[at + 1]];
  if (after !== undefined && before !== undefined) return pair(before, after);
  const newer = versions[at - 1];
  return after !== undefined && newer !== undefined ? pair(after, newer) : undefined;
}

function pair(
  { version: before }: Pick<SkillVersion, "version">,
  { version: after }: Pick<SkillVersion, "version">,
) {
  return { before, after };
}
