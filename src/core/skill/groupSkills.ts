import type { SkillSummary } from "../skill";
import { verificationWords } from "../verificationWords";
import type { SkillArrangement, SkillGrouping } from "./skillArrangement";

/** Skills under one heading. The title is empty where nothing is grouped. */
export interface SkillGroup {
  readonly title: string;
  readonly skills: readonly SkillSummary[];
}

/** Sorts and groups skills. Groups stand in the order of their titles, the one without a value last. */
export function groupSkills(
  skills: readonly SkillSummary[],
  { order, grouping }: SkillArrangement,
): readonly SkillGroup[] {
  const sorted = order === "name" ? byName(skills) : skills;
  if (grouping === "none") return [{ title: "", skills: sorted }];
  const groups = new Map<string, SkillSummary[]>();
  for (const skill of sorted) {
    const title = groupTitle(skill, grouping);
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [skill]);
    else group.push(skill);
  }
  const last = missingTitle[grouping];
  return [...groups]
    .map(([title, members]) => ({ title, skills: members }))
    .sort(
      (one, other) =>
        Number(one.title === last) - Number(other.title === last) ||
        one.title.localeCompare(other.title),
    );
}

const missingTitle: Readonly<Record<Exclude<SkillGrouping, "none">, string>> = {
  task: "Task not given",
  publisher: "Publisher not given",
  state: verificationWords(undefined).word,
};

function groupTitle(skill: SkillSummary, grouping: Exclude<SkillGrouping, "none">): string {
  switch (grouping) {
    case "task":
      return skill.task ?? missingTitle.task;
    case "publisher":
      return skill.publisher?.name ?? missingTitle.publisher;
    case "state":
      return verificationWords(skill.verificationStatus).word;
  }
}

function byName(skills: readonly SkillSummary[]): readonly SkillSummary[] {
  const { compare } = new Intl.Collator("en");
  return [...skills].sort(
    (one, other) => compare(one.displayName, other.displayName) || (one.slug < other.slug ? -1 : 1),
  );
}
