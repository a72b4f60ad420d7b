import type { SkillSummary } from "../../skill/skill";
import type { Language } from "../../text/language";
import { billingWord } from "./billingWord";
import { powerWord, stateWord } from "./rowWord";

/**
 * Lists what a row of the Skills view shows beside a skill's name. What decides comes first, since
 * narrow rows are cut at the end: price before level, because “per call · low p…” still tells both.
 */
export function skillFacts(skill: SkillSummary, language: Language): readonly string[] {
  const { level, price, state, version, publisher } = facts(skill, language);
  return given([price, level, state, version, publisher]);
}

/** Lists what a row of the search shows: state, level, task and price, then version and publisher. */
export function searchFacts(skill: SkillSummary, language: Language): readonly string[] {
  const { level, price, state, version, publisher, task } = facts(skill, language);
  return given([state, level, task, price, version, publisher]);
}

/** Says all of a row in one sentence for a screen reader: the name, then what decides. */
export function skillSentence(skill: SkillSummary, language: Language): string {
  const { level, price, state, version, publisher } = facts(skill, language);
  return given([skill.displayName, state, level, price, version, publisher]).join(", ");
}

function facts(skill: SkillSummary, language: Language) {
  const { permissionLevel: level, billingModel: model, verificationStatus: state } = skill;
  return {
    level: level === undefined ? undefined : levelText(level, skill.understatedLevel, language),
    price: model === undefined ? undefined : billingWord(model, language),
    state: state === undefined ? undefined : stateWord(state, language),
    version: skill.version,
    publisher: skill.publisher?.name,
    task: skill.task,
  };
}

/** A level that the registry states lower is marked: whoever saw the registry's own list would wonder. */
function levelText(level: string, understated: string | undefined, language: Language): string {
  const text = powerWord(level, language);
  return understated === undefined
    ? text
    : language.t("{level} (registry: {stated})", { level: text, stated: understated });
}

function given(words: readonly (string | undefined)[]): readonly string[] {
  return words.filter((word): word is string => word !== undefined && word !== "");
}
