import type { SkillSummary } from "../../skill/skill";

/** Tells whether every word of a search stands in a skill's slug, name, description or tags. */
export function holdsText(skill: SkillSummary, text: string): boolean {
  const searched = searchedText(skill);
  return wordsOf(text).every((word) => searched.includes(word));
}

/**
 * Tells whether an answer looks as if the registry had not searched: most rows hold no word of the
 * text. A registry that searches by meaning looks like that too, so that this is no proof.
 */
export function looksUnsearched(skills: readonly SkillSummary[], text: string): boolean {
  const words = wordsOf(text);
  if (words.length === 0 || skills.length === 0) return false;
  const without = skills.filter((skill) => {
    const searched = searchedText(skill);
    return !words.some((word) => searched.includes(word));
  });
  return without.length > skills.length / 2;
}

function searchedText({ slug, displayName, description, tags }: SkillSummary): string {
  return [slug, displayName, description, ...tags].join("\n").toLowerCase();
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
