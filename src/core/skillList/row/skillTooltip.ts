import { numberWords } from "../../skill/description/numberWords";
import { billingWords } from "../../skill/description/priceWords";
import type { Permissions } from "../../skill/permissions";
import { originText } from "../../skill/publisher";
import type { SkillSummary } from "../../skill/skill";
import { permissionSentences } from "../../skill/trust/permissionSentences";
import { powerWords } from "../../skill/trust/powerWords";
import { verificationWords } from "../../skill/trust/verificationWords";
import type { Language } from "../../text/language";
import { markdownText } from "../../text/plainText";

const maxLineLength = 200;
const maxDescriptionLength = 400;

/**
 * Writes a skill's tooltip as Markdown in which everything a registry said is literal text: its
 * state and its power with their reasons, then what it may do.
 */
export function skillTooltip(skill: SkillSummary, language: Language): string {
  const state = verificationWords(skill.verificationStatus, language);
  const stated =
    skill.isLevelDerived === true ? undefined : (skill.understatedLevel ?? skill.permissionLevel);
  const power = powerWords(skill.permissions, stated, language);
  const version = skill.version === "" ? skill.slug : `${skill.slug}@${skill.version}`;
  const paragraphs = [
    `**${text(skill.displayName)}**  \n${text(version)}`,
    markdownText(skill.description, maxDescriptionLength),
    `**${text(state.word)}** — ${text(state.advice)}`,
    `**${text(power.word)}** — ${text(power.reason)} ${text(power.source)}`,
    text(power.conflict ?? ""),
    permissionList(skill.permissions, language),
    text(facts(skill, language)),
    originText(skill, language).map(text).join("  \n"),
    text(numbers(skill, language)),
    text(skill.tags.map((tag) => `#${tag}`).join(" ")),
  ];
  return paragraphs.filter(Boolean).join("\n\n");
}

function permissionList(permissions: Permissions | undefined, language: Language): string {
  if (permissions === undefined) return "";
  return permissionSentences(permissions, language)
    .map(({ sentence, consequence }) => `- ${text(sentence)}. ${text(consequence)}`)
    .join("\n");
}

function facts({ billingModel, task, runtimeType }: SkillSummary, language: Language): string {
  const price =
    billingModel === undefined
      ? language.t("Price not given")
      : billingWords(billingModel, language);
  return [price, task, runtimeType].filter(Boolean).join(" · ");
}

function numbers(skill: SkillSummary, language: Language): string {
  return numberWords(skill.numbers, language)
    .map(({ label, value }) => `${label}: ${value}`)
    .join(" · ");
}

function text(words: string): string {
  return markdownText(words.replaceAll(/[\r\n]+/g, " "), maxLineLength);
}
