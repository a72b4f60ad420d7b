import type { PageChange, SkillPage, SkillPageSnapshot } from "./pageMessages";

/**
 * Returns the message that updates a page from `before` to `after`: the changed members, or a snapshot if the kind
 * differs or nothing was shown before. Undefined if nothing changed.
 */
export function messageBetween(
  before: SkillPage | undefined,
  after: SkillPage,
): SkillPageSnapshot | PageChange | undefined {
  if (before?.kind !== after.kind) return { type: "snapshot", page: after };
  const old: Readonly<Record<string, unknown>> = { ...before };
  const members: Readonly<Record<string, unknown>> = { ...after };
  const isSame = (name: string) =>
    old[name] === members[name] || JSON.stringify(old[name]) === JSON.stringify(members[name]);
  const names = Object.keys({ ...old, ...members }).filter((name) => !isSame(name));
  if (names.length === 0) return undefined;
  const removed = names.filter((name) => members[name] === undefined);
  const present = names.filter((name) => members[name] !== undefined);
  const changed = Object.fromEntries(present.map((name) => [name, members[name]]));
  return { type: "change", changed, removed };
}

/** Applies a change to the content of a page. */
export function withChange(page: SkillPage, { changed, removed }: PageChange): SkillPage {
  const remaining = Object.entries(page).filter(([name]) => !removed.includes(name));
  return { ...Object.fromEntries(remaining), ...changed } as SkillPage;
}
