import { endingText, statusIcon } from "../invocation/record/invocationLabels";
import { levelName } from "../skill/permissions";
import { priceText, sampleRowText } from "../skill/price";
import type { RowIcon } from "../skill/verification";
import { dayText, momentText } from "../text/dates";
import { durationText, type Language } from "../text/language";
import { lowerFirst } from "../text/plainText";
import { budgetText } from "./gateway/budget";
import { predictionText, predictResponse } from "./gateway/projectChecks";
import { needsApproval } from "./policies";
import {
  activeKeys,
  type InstalledSkill,
  isApproved,
  type ProjectDetail,
  type ProjectKeyRow,
} from "./project";
import { type ComparedInvocation, comparisonText, serverStatusText } from "./serverRecord";
import {
  actionText,
  adoptable,
  eventText,
  type OpenUpdate,
  severityRank,
  updateSeverityText,
} from "./updateInbox";
import { incidentsText, subscriptionText, usageText } from "./usageText";

/** A row of the Project view, with everything needed to render it. */
export type ProjectRow = ProjectGroup | ProjectItem;

/** The parts of a project, in display order. */
type ProjectGroupName = "skills" | "updates" | "keys" | "invocations";

/** A part of a project with the rows below it. */
export interface ProjectGroup {
  readonly kind: "group";
  readonly name: ProjectGroupName;
  readonly label: string;
  readonly description: string;
  readonly rows: readonly ProjectItem[];
}

/** One item of a project. */
export type ProjectItem = RowText &
  (
    | { readonly kind: "skill"; readonly skill: InstalledSkill }
    | { readonly kind: "update"; readonly update: OpenUpdate }
    | { readonly kind: "key"; readonly key: ProjectKeyRow; readonly isUsedHere: boolean }
    /** This editor has no key of the project. */
    | { readonly kind: "noKey" }
    | ({ readonly kind: "invocation" } & ComparedInvocation)
  );

/** The text of a row. A registry's text in it is not escaped yet. */
interface RowText {
  /** Identifies the item across refreshes. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** The meaning of the icon as text, which screen readers read after label and description. */
  readonly accessibleText?: string;
  /** One entry per paragraph. */
  readonly tooltip: readonly string[];
  readonly icon: RowIcon;
  /** The row's context value, for the conditions of its menus: its kind, then its states. */
  readonly context: string;
}

/** Data for the rows besides the project. Time in milliseconds since 1970. */
interface ProjectRowSource {
  readonly detail: ProjectDetail;
  /** The project's news, from `openUpdates`. */
  readonly updates: readonly OpenUpdate[];
  readonly isUsedHere: (key: ProjectKeyRow) => boolean;
  /** Whether this editor has a key of the project; undefined if unknown. */
  readonly hasKey?: boolean | undefined;
  /** Whether prices are samples, as in the built-in registry. */
  readonly isSample: boolean;
  /** The newest invocations from the registry's and this editor's record. */
  readonly invocations: readonly ComparedInvocation[];
  /** When the project was read. */
  readonly loadedAt: number;
  readonly now: number;
  readonly language: Language;
}

/** Lists the parts of a project with their rows. An empty part is shown too, with a note. */
export function projectRows(source: ProjectRowSource): readonly ProjectGroup[] {
  const { detail, updates, isUsedHere, language } = source;
  const { t } = language;
  const keys = activeKeys(detail.keys);
  const group = (
    name: ProjectGroupName,
    label: string,
    none: string,
    rows: readonly ProjectItem[],
  ): ProjectGroup => {
    const { length } = rows.filter(({ kind }) => kind !== "noKey");
    return { kind: "group", name, label, description: length === 0 ? none : String(length), rows };
  };
  return [
    group(
      "skills",
      t("Installed Skills"),
      t("none yet"),
      sortInstalls(detail.skills).map((skill) => skillRow(skill, source)),
    ),
    group(
      "updates",
      t("Updates"),
      t("up to date"),
      updates.map((update) => updateRow(update, language)),
    ),
    group("keys", t("Project Keys"), t("none yet"), [
      ...(source.hasKey === false ? [noKeyRow(language)] : []),
      ...keys.map((key) => keyRow(key, isUsedHere(key), language)),
    ]),
    group(
      "invocations",
      t("Recent Invocations"),
      t("none yet"),
      source.invocations.map((compared) => invocationRow(compared, source.loadedAt, language)),
    ),
  ];
}

/** Sorts running skills first, removed ones last, each by name. */
function sortInstalls(skills: readonly InstalledSkill[]): readonly InstalledSkill[] {
  const rank = ({ status }: InstalledSkill) =>
    ["installed", "suspended", "removed"].indexOf(status ?? "");
  return [...skills].sort(
    (one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name),
  );
}

function skillRow(
  skill: InstalledSkill,
  { detail, updates, isSample, now, language }: ProjectRowSource,
): ProjectItem {
  const { t } = language;
  const { slug, name, version, status, permissionLevel, price } = skill;
  const update = adoptable(updates).find(({ skillSlug }) => skillSlug === slug);
  const incidents = incidentsText(skill.usage, language);
  const subscription = detail.subscriptions.find(({ skillSlug }) => skillSlug === slug);
  const isLow = permissionLevel === "low";
  const isFree = price?.billingModel === "free";
  const { subscriptions, invocations } = detail;
  const answer = predictResponse({ skill, subscriptions, invocations, now });
  const isBlocked = answer.kind === "blocked";
  const state = statusWord(skill, language) || (isBlocked ? t("blocked") : "");
  const level =
    permissionLevel === undefined ? "" : lowerFirst(levelName(permissionLevel, language));
  const cost = price === undefined ? "" : priceText(price, language, isSample);
  const rowCost =
    price === undefined ? "" : sampleRowText(priceText(price, language), isSample, language);
  const news =
    update?.targetVersion === undefined || status === "removed"
      ? ""
      : t("{version} available", { version: update.targetVersion });
  const verdict = predictionText(answer, status, language);
  const code = answer.kind === "allowed" ? "" : t("Code: {code}", { code: answer.code });
  return {
    kind: "skill",
    skill,
    id: `skill:${slug}`,
    label: name,
    // Show only deviations, as in the Skills view.
    description: joined(
      ...[version, state, incidents, news, isLow ? "" : level, isFree ? "" : rowCost],
      budgetText(skill, language),
    ),
    ...(isBlocked && { accessibleText: verdict }),
    tooltip: [
      joined(`${slug}@${version}`, state),
      verdict,
      code,
      joined(level, cost),
      news,
      incidents,
      budgetText(skill, language),
      usageText(skill.usage, language),
      subscriptionText(subscription, language),
    ],
    icon: skillIcon(skill, answer.kind === "allowed"),
    context: [
      "projectSkill",
      ...(status === undefined ? [] : [status]),
      ...(news === "" ? [] : ["withUpdate"]),
      ...(needsApproval(skill) ? ["needsApproval"] : []),
      ...(isBlocked ? ["isBlocked"] : []),
    ].join(" "),
  };
}

/** Describes the state of a skill in the project; empty if it is normal. */
function statusWord({ status, approvalState }: InstalledSkill, { t }: Language): string {
  if (status === "suspended") return t("suspended");
  if (status === "removed") return t("removed");
  if (status !== "installed") return status ?? t("status unknown");
  return isApproved(approvalState) === false ? t("approval needed") : "";
}

function skillIcon({ status }: InstalledSkill, isAllowed: boolean): RowIcon {
  if (status === "suspended") return { id: "debug-pause", color: "list.warningForeground" };
  if (status === "removed") return { id: "circle-slash" };
  if (status === undefined) return { id: "question" };
  return isAllowed
    ? { id: "pass", color: "charts.green" }
    : { id: "lock", color: "list.warningForeground" };
}

function updateRow(update: OpenUpdate, language: Language): ProjectItem {
  const { skillSlug, skillName, eventType, severity, title, body = "", ids } = update;
  const { currentVersion, targetVersion, createdAt } = update;
  const isEvent = targetVersion === undefined;
  const what = isEvent
    ? joined(eventText(eventType, language), updateSeverityText(severity, language))
    : `${currentVersion ?? "?"} → ${targetVersion}`;
  const action = actionText(update, language);
  return {
    kind: "update",
    update,
    id: `update:${skillSlug} ${targetVersion ?? `${eventType} ${title}`}`,
    label: skillName,
    description: joined(what, action, dayText(createdAt, language)),
    ...(isEvent && { accessibleText: title }),
    tooltip: [title, body, joined(skillSlug, what, action), momentText(createdAt, language)],
    icon: isEvent ? eventIcon(update) : { id: "arrow-circle-up", color: "charts.blue" },
    context: [
      "projectUpdate",
      isEvent ? "event" : "version",
      ...(ids.length > 0 ? ["inInbox"] : []),
    ].join(" "),
  };
}

function eventIcon(update: OpenUpdate): RowIcon {
  return severityRank(update) <= severityRank({ severity: "high" })
    ? { id: "error", color: "list.errorForeground" }
    : { id: "warning", color: "list.warningForeground" };
}

function keyRow(key: ProjectKeyRow, isUsedHere: boolean, language: Language): ProjectItem {
  const { t } = language;
  const { id, name, last4, lastUsedAt, createdAt } = key;
  const used =
    lastUsedAt === undefined
      ? t("never used")
      : t("last used {time}", { time: momentText(lastUsedAt, language) });
  const created =
    createdAt === undefined ? "" : t("Created {time}", { time: momentText(createdAt, language) });
  return {
    kind: "key",
    key,
    isUsedHere,
    id: `key:${id}`,
    label: name,
    description: joined(
      last4 === "" ? "" : `…${last4}`,
      isUsedHere ? t("used by this editor") : "",
      used,
    ),
    tooltip: [joined(name, last4 === "" ? "" : `…${last4}`), used, created],
    icon: isUsedHere ? { id: "key", color: "charts.green" } : { id: "key" },
    context: isUsedHere ? "projectKey.usedHere" : "projectKey",
  };
}

function noKeyRow({ t }: Language): ProjectItem {
  return {
    kind: "noKey",
    id: "key:none",
    label: t("No key in this editor"),
    description: t("Set Project Key…"),
    tooltip: [t("This editor has no Project Key of this project. Invoking its skills needs one.")],
    icon: { id: "warning", color: "list.warningForeground" },
    context: "projectNoKey",
  };
}

function invocationRow(
  compared: ComparedInvocation,
  loadedAt: number,
  language: Language,
): ProjectItem {
  const { t } = language;
  const { server, own } = compared;
  const id = server?.id ?? own?.invocationId ?? "";
  const skill = server?.skillSlug ?? own?.skillSlug ?? t("a skill that is not installed");
  const version = server?.version ?? own?.version ?? "";
  const name = version === "" ? skill : `${skill}@${version}`;
  const ownEnding = own === undefined ? "" : endingText(own, language);
  const ending = server === undefined ? ownEnding : serverStatusText(server, language);
  const errorCode = server?.errorCode ?? "";
  const latencyMs = server?.latencyMs ?? own?.durationMs ?? 0;
  const took = latencyMs === 0 ? "" : durationText(latencyMs, language);
  const time = momentText(server?.createdAt ?? own?.startedAt, language);
  const { word, sentence } = comparisonText(compared, loadedAt, language);
  return {
    kind: "invocation",
    ...compared,
    id: server === undefined ? `record:${own?.id}` : `invocation:${id}`,
    // Narrow views truncate the end, so the version is in the description.
    label: skill,
    description: joined(ending, errorCode, word, version, time, took),
    tooltip: [
      joined(name, ending, errorCode),
      sentence,
      id === "" ? "" : t("Invocation ID: {id}", { id }),
      time,
    ],
    icon: server === undefined ? { id: "question" } : statusIcon(server.status),
    context: [
      "projectInvocation",
      ...(own === undefined ? [] : ["recorded"]),
      ...((server?.skillSlug ?? own?.skillSlug) === undefined ? [] : ["withSkill"]),
    ].join(" "),
  };
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}
