import type { AgentAgreement } from "../../agents/agentAgreements";
import { isInstallable } from "../../project/changes";
import { standingLabel } from "../../review/standing";
import type { RowStanding } from "../../review/teamStanding";
import { numberLabels } from "../../skill/description/numberLabels";
import {
  levelName,
  type Permissions,
  permissionLevelText,
  permissionSentences,
  withUnderstated,
} from "../../skill/permissions";
import { listedPriceText, sampleRowText, sampleText } from "../../skill/price";
import { originText } from "../../skill/publisherText";
import type { SkillSummary } from "../../skill/skill";
import { addressText } from "../../skill/skillAddress";
import { lowerInRow, type RowIcon, rowIcon, verificationText } from "../../skill/verification";
import { dayText } from "../../text/dates";
import { numberFormat } from "../../text/formats";
import type { Language } from "../../text/language";
import type { NoticeActionName } from "../../text/notice";
import { labelText, markdownText, oneLine } from "../../text/plainText";
import type { SkillGrouping, SortMeasureName } from "../skillOrder";
import type { ActionRow, LoadingRow, MoreRow, SkillBranch, SkillEntry } from "./skillRows";
import { practiceGroupId } from "./skillRows";

/** A row of a tree as plain text, safe for labels of the editor. */
export interface RowText {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** The text for screen readers. */
  readonly sentence: string;
  readonly icon?: RowIcon;
  /** The context value that menus depend on. */
  readonly context: string;
}

/** Limit in characters; no side bar has room for more. */
const maxLabelLength = 80;
/** Limit in characters; no side bar has room for more. */
const maxDescriptionLength = 160;
const maxSentenceLength = maxLabelLength + maxDescriptionLength;

/** Formats the row of a skill. */
export function skillRowText(entry: SkillEntry, language: Language): RowText {
  const { skill, isFavorite, absence, measure, group, standing, agreement } = entry;
  const { t } = language;
  const missing = absenceLabel(absence, language);
  const isSample = skill.isSample === true;
  const measured =
    measure === undefined
      ? ""
      : sampleRowText(measureText(measure, language), isSample && isCounted(measure), language);
  const review = standing === undefined ? "" : standingInRow(standing, language);
  const agents = agreement === undefined ? "" : t("agents allowed");
  const description = [missing, review, agents, measured, ...deviations(skill, group, language)]
    .filter(Boolean)
    .join(" · ");
  const sentenceParts = [
    skillSentence(skill, language),
    review,
    agents,
    measured,
    isFavorite ? t("favorite") : "",
    missing,
  ].filter(Boolean);
  return {
    id: `skill:${skill.slug}`,
    label: labelText(skill.displayName, maxLabelLength),
    description: labelText(isFavorite ? `★ ${description}` : description, maxDescriptionLength),
    sentence: oneLine(sentenceParts.join(", "), maxSentenceLength),
    icon:
      absence === undefined
        ? rowIcon(skill.verificationStatus, skill.permissionLevel)
        : { id: "star-full" },
    context: contextOf(entry),
  };
}

/**
 * Returns the context value of a row. By it, the row's menu offers an installation only if a project may install the
 * skill, and this workspace's does not run this version already.
 */
function contextOf({ skill, isFavorite, isInstalled }: SkillEntry): string {
  const mark = isFavorite ? "skill.favorite" : "skill";
  const canInstall = isInstallable(skill.verificationStatus) && isInstalled !== true;
  return canInstall ? mark : `${mark} notInstallable`;
}

/** Formats the row of several skills. */
export function branchText({ id, title, skills }: SkillBranch, language: Language): RowText {
  const label = labelText(title, maxLabelLength);
  const description = skillCountText(skills.length, language);
  const context = id.startsWith("block:") ? "block" : "group";
  // Without an icon, a group would stand as far to the right as its own skills.
  const icon = { id: id === practiceGroupId ? "beaker" : "folder" };
  return { id, label, description, sentence: `${label}, ${description}`, icon, context };
}

/** Formats a number of skills: `1 skill`, `1,200 skills`. */
export function skillCountText(count: number, { t, locale }: Language): string {
  const number = numberFormat(locale).format(count);
  return count === 1 ? t("1 skill") : t("{count} skills", { count: number });
}

/** Formats the row that loads more. */
export function moreRowText({ shown, total }: MoreRow, { t, locale }: Language): RowText {
  const label = t("Load more skills…");
  const { format } = numberFormat(locale);
  const loaded = t("{shown} loaded", { shown: format(shown) });
  const counts = total === undefined ? undefined : { shown: format(shown), total: format(total) };
  // A narrow row has room for the numbers only.
  const description = counts === undefined ? loaded : t("{shown} of {total}", counts);
  const sentence = counts === undefined ? loaded : t("{shown} of {total} loaded", counts);
  return {
    id: `more:${shown}`,
    label,
    description,
    sentence: `${label} ${sentence}`,
    icon: { id: "ellipsis" },
    context: "more",
  };
}

/** Formats the row of a list that is being read. */
export function loadingRowText({ name }: LoadingRow, { t }: Language): RowText {
  const label = t("Connecting to {name}…", { name });
  const icon = { id: "loading~spin" };
  return { id: "loading", label, description: "", sentence: label, icon, context: "loading" };
}

/** Formats the row of an action. A tree has no buttons: a link color highlights the first choice. */
export function actionRowText({ action: { action, title }, isPrimary }: ActionRow): RowText {
  const id = actionIcons[action] ?? "arrow-right";
  const icon = isPrimary ? { id, color: "textLink.foreground" } : { id };
  return {
    id: `action:${action}`,
    label: title,
    description: "",
    sentence: title,
    icon,
    context: "action",
  };
}

const actionIcons: Partial<Record<NoticeActionName, string>> = {
  refresh: "refresh",
  useBuiltInRegistry: "vm",
  connect: "plug",
  openProxySettings: "gear",
  openSettings: "gear",
  showLog: "output",
};

function absenceLabel(absence: SkillEntry["absence"], { t }: Language): string {
  if (absence === undefined) return "";
  return absence === "notLoaded" ? t("not loaded yet") : t("no longer listed");
}

/**
 * Lists the facts beside a skill's name in the Skills view: how it differs from a verified, free skill of low
 * permissions, then the publisher. The most important fact comes first, since narrow rows are cut at the end. Leaves
 * out the property by which rows are grouped, since the group's row shows it.
 */
function deviations(
  skill: SkillSummary,
  group: SkillGrouping | undefined,
  language: Language,
): readonly string[] {
  const { level, state, publisher } = facts(skill, language);
  const isHarmless = skill.permissionLevel?.toLowerCase() === "low";
  return nonEmpty([
    skill.verificationStatus === "verified" || group === "state" ? undefined : state,
    isHarmless ? undefined : level,
    skill.billingModel === "free" ? undefined : rowPrice(skill, language),
    group === "publisher" ? undefined : publisher,
  ]);
}

/** Formats the price of a paid skill, with the mark of a sample first, since narrow rows are cut at the end. */
function rowPrice(
  { billingModel: model, isSample }: SkillSummary,
  language: Language,
): string | undefined {
  if (model === undefined) return undefined;
  return isSample === true && model === "per_call"
    ? language.t("sample price")
    : sampleRowText(billingLabel(model, language), isSample === true, language);
}

/** Lists the facts of a row in a search: status, level, task and price, then version and publisher. */
export function searchFacts(skill: SkillSummary, language: Language): readonly string[] {
  const { level, price, state, version, publisher, task } = facts(skill, language);
  return nonEmpty([state, level, task, price, version, publisher]);
}

/** Describes a row in one sentence for screen readers: the name, then the deciding facts. */
function skillSentence(skill: SkillSummary, language: Language): string {
  const { level, price, state, version, publisher } = facts(skill, language);
  return nonEmpty([skill.displayName, state, level, price, version, publisher]).join(", ");
}

function facts(skill: SkillSummary, language: Language) {
  const { permissionLevel: level, billingModel: model, verificationStatus: state } = skill;
  const isSample = skill.isSample === true;
  return {
    level:
      level === undefined
        ? undefined
        : withUnderstated(permissionLevelLabel(level, language), skill, language),
    price:
      model === undefined
        ? undefined
        : sampleText(billingLabel(model, language), isSample && model !== "free", language),
    state: state === undefined ? undefined : verificationLabel(state, language),
    version: skill.version,
    publisher: skill.publisher?.name,
    task: skill.task,
  };
}

function nonEmpty(words: readonly (string | undefined)[]): readonly string[] {
  return words.filter((word): word is string => word !== undefined && word !== "");
}

/** The value by which a row is sorted in its list. */
export interface StatedMeasure {
  readonly name: SortMeasureName;
  /** A count, a share of 1, or milliseconds since 1970. */
  readonly value: number;
}

/** Returns whether a measure is a count, which a sample registry invents. Dates and levels are real. */
function isCounted({ name }: StatedMeasure): boolean {
  return name === "installs" || name === "calls" || name === "successRate";
}

/** Formats the value by which a row is sorted, such as "1,312 installs"; empty if the row shows it anyway. */
function measureText({ name, value }: StatedMeasure, language: Language): string {
  const { t, locale } = language;
  const count = numberFormat(locale).format(value);
  switch (name) {
    case "installs":
      return value === 1 ? t("1 install") : t("{count} installs", { count });
    case "calls":
      return value === 1 ? t("1 invocation") : t("{count} invocations", { count });
    case "successRate":
      return t("{share} successful", { share: percent(value, locale) });
    case "lastChange":
      return dayText(value, language);
    case "permissionLevel":
      return "";
  }
}

function percent(value: number, locale: string): string {
  const { format } = numberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  return format(value);
}

/** Formats a verification for a row. A registry's own word stays. */
export function verificationLabel(state: string, language: Language): string {
  return lowerInRow(verificationText(state, language).word, state, language);
}

function standingInRow(standing: RowStanding, language: Language): string {
  return lowerInRow(standingLabel(standing, language), "", language);
}

/** Formats a permission level for a row, such as "low permissions". A registry's own word stays. */
export function permissionLevelLabel(level: string, language: Language): string {
  return lowerInRow(levelName(level, language), level, language);
}

/** Formats a billing model for a row: free, per invocation, subscription; a registry's own word stays. */
export function billingLabel(model: string, { t }: Language): string {
  switch (model) {
    case "free":
      return t("free");
    case "per_call":
      return t("per invocation");
    case "subscription":
      return t("subscription");
    default:
      return model;
  }
}

/** Formats what a skill runs as. A registry's own word stays. */
export function runtimeLabel(runtime: string): string {
  return runtime === "http" || runtime === "mcp" ? runtime.toUpperCase() : runtime;
}

/** Limit in characters, so that a tooltip needs no scrolling. */
const maxLineLength = 200;
/** Limit in characters, so that a tooltip needs no scrolling; the page shows the whole description. */
const maxTooltipDescription = 400;

/**
 * Writes a skill's tooltip as Markdown in which all text of a registry is literal: status, permission level and
 * permissions, each once. `agreement` is the permission for agents to invoke it.
 */
export function skillTooltip(
  skill: SkillSummary,
  language: Language,
  agreement?: AgentAgreement,
): string {
  const state = verificationText(skill.verificationStatus, language);
  const { task, runtimeType } = skill;
  const power = permissionLevelText(skill, language);
  const grants = permissionList(skill.permissions, language);
  const version = addressText(skill.slug, skill.version);
  const paragraphs = [
    `**${text(skill.displayName)}**  \n${text(version)}`,
    markdownText(skill.description, maxTooltipDescription),
    labeled(state.word, state.advice),
    labeled(power.word, grants === "" ? power.reason : ""),
    text(power.conflict ?? ""),
    grants,
    agreement === undefined ? "" : text(agreedText(agreement, language)),
    text(
      [listedPriceText(skill, language), task, runtimeType && runtimeLabel(runtimeType)]
        .filter(Boolean)
        .join(" · "),
    ),
    originText(skill, language).map(text).join("  \n"),
    text(numbers(skill, language)),
    text(skill.tags.map((tag) => `#${tag}`).join(" ")),
  ];
  return paragraphs.filter(Boolean).join("\n\n");
}

function agreedText({ version, until }: AgentAgreement, language: Language): string {
  const day = dayText(Date.parse(until), language);
  return language.t("You let agents invoke version {version} until {day}.", { version, day });
}

function labeled(word: string, meaning: string): string {
  return meaning === "" ? `**${text(word)}**` : `**${text(word)}** — ${text(meaning)}`;
}

/** Lists the granted permissions as Markdown. Empty if the skill only computes, or its permissions are unknown. */
function permissionList(permissions: Permissions | undefined, language: Language): string {
  if (permissions === undefined) return "";
  return permissionSentences(permissions, language)
    .filter(({ granted }) => granted)
    .map(({ sentence, consequence }) => `- ${text(sentence)}. ${text(consequence)}`)
    .join("\n");
}

function numbers(skill: SkillSummary, language: Language): string {
  const figures = numberLabels(skill.numbers, language)
    .map(({ label, value }) => `${label}: ${value}`)
    .join(" · ");
  return skill.isSample === true && figures !== ""
    ? language.t("Sample figures: {figures}", { figures })
    : figures;
}

function text(words: string): string {
  return markdownText(words.replaceAll(/[\r\n]+/g, " "), maxLineLength);
}
