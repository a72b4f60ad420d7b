import { type StateIcon, stateIcon } from "../../skill/trust/stateIcon";
import type { Language } from "../../text/language";
import { labelText, oneLine } from "../../text/plainText";
import { measureWords } from "./measureWords";
import { skillFacts, skillSentence } from "./skillFacts";
import type { MoreRow, SkillBranch, SkillEntry } from "./skillRows";

/** A row of a tree in plain words, fit for labels of the editor. */
export interface RowWords {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** What a screen reader says. */
  readonly sentence: string;
  readonly icon?: StateIcon;
  /** What menus tell rows apart by. */
  readonly context: string;
}

const maxLabelLength = 80;
const maxDescriptionLength = 160;
const maxSentenceLength = maxLabelLength + maxDescriptionLength;

/** Says what the row of a skill shows. */
export function skillRowWords(
  { skill, isFavorite, isHidden, absence, measure }: SkillEntry,
  language: Language,
): RowWords {
  const { t } = language;
  const mark = isHidden ? t("hidden") : absenceWord(absence, language);
  const measured = measure === undefined ? "" : measureWords(measure, language);
  const description = [mark, measured, ...skillFacts(skill, language)].filter(Boolean).join(" · ");
  const said = [
    skillSentence(skill, language),
    measured,
    isFavorite ? t("favorite") : "",
    mark,
  ].filter(Boolean);
  return {
    id: `skill:${skill.slug}`,
    label: labelText(skill.displayName, maxLabelLength),
    description: labelText(isFavorite ? `★ ${description}` : description, maxDescriptionLength),
    sentence: oneLine(said.join(", "), maxSentenceLength),
    icon: absence === undefined ? stateIcon(skill.verificationStatus) : { id: "star-full" },
    context: isFavorite ? "skill.favorite" : isHidden ? "skill.hidden" : "skill",
  };
}

/** Says what the row of several skills shows. */
export function branchWords({ id, title, skills }: SkillBranch, { t }: Language): RowWords {
  const label = labelText(title, maxLabelLength);
  const description =
    skills.length === 1 ? t("1 skill") : t("{count} skills", { count: skills.length });
  const context = id.startsWith("block:") ? "block" : "group";
  return { id, label, description, sentence: `${label}, ${description}`, context };
}

/** Says what the row shows that loads more. */
export function moreWords({ shown, total }: MoreRow, { t, locale }: Language): RowWords {
  const label = t("Load more skills…");
  const { format } = new Intl.NumberFormat(locale);
  const loaded = t("{shown} loaded", { shown: format(shown) });
  const places = total === undefined ? undefined : { shown: format(shown), total: format(total) };
  // A narrow row has room for the numbers alone.
  const description = places === undefined ? loaded : t("{shown} of {total}", places);
  const sentence = places === undefined ? loaded : t("{shown} of {total} loaded", places);
  return {
    id: `more:${shown}`,
    label,
    description,
    sentence: `${label} ${sentence}`,
    icon: { id: "ellipsis" },
    context: "more",
  };
}

function absenceWord(absence: SkillEntry["absence"], { t }: Language): string {
  if (absence === undefined) return "";
  return absence === "notLoaded" ? t("not loaded yet") : t("no longer listed");
}
