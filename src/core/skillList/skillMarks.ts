/** A skill that the user marked, with its name at that time. The name is shown until the registry lists the skill. */
export interface MarkedSkill {
  readonly slug: string;
  readonly name: string;
}

/** The user's marks in one registry. */
export interface SkillMarks {
  readonly favorites: readonly MarkedSkill[];
  readonly hidden: readonly MarkedSkill[];
}

/** The name of a mark. */
export type SkillMark = keyof SkillMarks;

/** The marks of a user who has marked no skill. */
export const noMarks: SkillMarks = { favorites: [], hidden: [] };

/**
 * The maximum number of skills per mark and registry. The oldest are dropped, since the editor's state must stay small.
 */
const maxMarked = 1000;
/** The maximum number of stored characters of a skill's name. */
const maxNameLength = 200;

/** Sets or removes a mark. A favorite is never hidden and a hidden skill is no favorite: the newer mark wins. */
export function withMark(
  marks: SkillMarks,
  mark: SkillMark,
  skills: readonly MarkedSkill[],
  isSet: boolean,
): SkillMarks {
  const slugs = new Set(skills.map(({ slug }) => slug));
  const without = (list: readonly MarkedSkill[]) => list.filter(({ slug }) => !slugs.has(slug));
  if (!isSet) return { ...marks, [mark]: without(marks[mark]) };
  const marked = skills.map(({ slug, name }) => ({ slug, name: name.slice(0, maxNameLength) }));
  const cleared = { favorites: without(marks.favorites), hidden: without(marks.hidden) };
  return { ...cleared, [mark]: [...cleared[mark], ...marked].slice(-maxMarked) };
}

/** Reads stored marks. Omits invalid ones. */
export function readMarks(value: unknown): SkillMarks {
  if (typeof value !== "object" || value === null) return noMarks;
  const { favorites, hidden } = value as Readonly<Record<string, unknown>>;
  return { favorites: readMarked(favorites), hidden: readMarked(hidden) };
}

function readMarked(value: unknown): readonly MarkedSkill[] {
  if (!Array.isArray(value)) return [];
  return value.slice(-maxMarked).flatMap((item: unknown) => {
    if (typeof item !== "object" || item === null) return [];
    const { slug, name } = item as Readonly<Record<string, unknown>>;
    if (typeof slug !== "string" || typeof name !== "string" || slug === "") return [];
    return [{ slug, name }];
  });
}
