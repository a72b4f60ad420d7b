import type { SkillSummary } from "../../skill/skill";
import { verificationWords } from "../../skill/trust/verificationWords";
import type { Language } from "../../text/language";
import type { SkillGrouping } from "./skillArrangement";

/** Skills under one heading. The title is empty where nothing is grouped. */
export interface SkillGroup {
  readonly title: string;
  readonly skills: readonly SkillSummary[];
}

/** Groups skills. Groups stand in the order of their titles, the one without a value last. */
export function groupSkills(
  skills: readonly SkillSummary[],
  grouping: SkillGrouping,
  language: Language,
): readonly SkillGroup[] {
  const { compare } = new Intl.Collator(language.locale, { numeric: true });
  if (grouping === "none") return [{ title: "", skills }];
  const groups = new Map<string, SkillSummary[]>();
  for (const skill of skills) {
    const title = groupTitle(skill, grouping, language);
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [skill]);
    else group.push(skill);
  }
  const last = missingTitle(grouping, language);
  return [...groups]
    .map(([title, members]) => ({ title, skills: members }))
    .sort(
      (one, other) =>
        Number(one.title === last) - Number(other.title === last) ||
        compare(one.title, other.title),
    );
}

function missingTitle(grouping: Exclude<SkillGrouping, "none">, language: Language): string {
  switch (grouping) {
    case "task":
      return language.t("Task not given");
    case "publisher":
      return language.t("Publisher not given");
    case "state":
      return verificationWords(undefined, language).word;
  }
}

function groupTitle(
  skill: SkillSummary,
  grouping: Exclude<SkillGrouping, "none">,
  language: Language,
): string {
  switch (grouping) {
    case "task":
      return skill.task ?? missingTitle(grouping, language);
    case "publisher":
      return skill.publisher?.name ?? missingTitle(grouping, language);
    case "state":
      return verificationWords(skill.verificationStatus, language).word;
  }
}
