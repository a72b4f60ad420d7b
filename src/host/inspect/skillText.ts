import type { SkillDetail } from "../../core/skill/skill";
import type { TextTarget } from "../../protocol/skillPage";

/** Writes a part of a skill as JSON for people: two spaces a level. `null` for what is not given. */
export function skillText(part: TextTarget, skill: SkillDetail): string {
  return JSON.stringify(skill[part] ?? null, undefined, 2);
}
