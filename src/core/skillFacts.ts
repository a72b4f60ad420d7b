import type { SkillSummary } from "./skill";
import { billingWord } from "./skill/billingWord";

/**
 * Lists what a row of the Skills view shows beside a skill's name. What decides comes first, since
 * narrow rows are cut at the end.
 */
export function skillFacts(skill: SkillSummary): readonly string[] {
  const { level, price, state, version, publisher } = facts(skill);
  return given([level, price, state, version, publisher]);
}

/** Lists what a row of the search shows: state, level, task and price, then version and publisher. */
export function searchFacts(skill: SkillSummary): readonly string[] {
  const { level, price, state, version, publisher, task } = facts(skill);
  return given([state, level, task, price, version, publisher]);
}

/** Says all of a row in one sentence for a screen reader, the name first. */
export function skillSentence(skill: SkillSummary): string {
  const { level, price, state, version, publisher } = facts(skill);
  return given([skill.displayName, version, level, state, publisher, price]).join(", ");
}

function facts(skill: SkillSummary) {
  const { permissionLevel: level, billingModel: model } = skill;
  return {
    level: level === undefined ? undefined : `${level} power`,
    price: model === undefined ? undefined : billingWord(model),
    state: skill.verificationStatus,
    version: skill.version,
    publisher: skill.publisher?.name,
    task: skill.task,
  };
}

function given(words: readonly (string | undefined)[]): readonly string[] {
  return words.filter((word): word is string => word !== undefined && word !== "");
}
