import { isJsonObject } from "../json/jsonValue";
import { isNewerVersion } from "../skill/isNewerVersion";
import type { FoundSkillFile } from "../skillList/rows/skillFileRows";
import { dayText } from "../text/dates";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import type { ChangeQuestion } from "./changes";
import type { InstalledSkill, ProjectDetail, ProjectSummary, ProjectUpdate } from "./project";

/**
 * News about a skill of a project: a newer version to adopt, or an event without a `targetVersion`, such as a
 * deprecation or an incident.
 */
export interface OpenUpdate
  extends Omit<ProjectUpdate, "id" | "adoptionState" | "targetReviewStatus"> {
  /** The IDs of all inbox rows with this news; empty if only the public list offers the version. */
  readonly ids: readonly string[];
}

/** Versions of skills, by slug. */
export type VersionsBySkill = Readonly<Record<string, readonly string[]>>;

/** Parses stored versions. Leaves out invalid entries. */
export function readVersionsBySkill(data: unknown): VersionsBySkill {
  const entries = isJsonObject(data) ? Object.entries(data) : [];
  return Object.fromEntries(
    entries.flatMap(([slug, versions]) =>
      Array.isArray(versions)
        ? [[slug, versions.filter((version) => typeof version === "string")]]
        : [],
    ),
  );
}

/**
 * Lists the news for a project: events, the most severe first, then versions, the newest of each skill first. A version
 * must be newer than the pinned one, and be ready to adopt in the inbox or offered publicly. (The inbox also has rows
 * for older versions, drafts and adopted ones.) Leaves out failed reviews, which the gateway reports as a deprecation.
 * Also leaves out versions that the user ignores, which the public list still offers.
 */
export function openUpdates(
  { skills, updates }: Pick<ProjectDetail, "skills" | "updates">,
  ignored: VersionsBySkill = {},
): readonly OpenUpdate[] {
  const installs = new Map(skills.map((skill) => [skill.slug, skill]));
  const groups = new Map<string, OpenUpdate>();
  const offered = skills.flatMap(offeredUpdate);
  const rows = [...updates.filter(isOpen).map(withIds), ...offered];
  for (const row of rows) {
    const { skillSlug, targetVersion, eventType, title } = row;
    const install = installs.get(skillSlug);
    if (install?.status === "removed") continue;
    if (targetVersion !== undefined) {
      if (install === undefined || !isNewerVersion(targetVersion, install.version)) continue;
      if (ignored[skillSlug]?.includes(targetVersion)) continue;
    }
    const name = `${skillSlug} ${targetVersion ?? `${eventType} ${title}`}`;
    const group = groups.get(name);
    const current = install === undefined ? {} : { currentVersion: install.version };
    groups.set(
      name,
      group === undefined
        ? { ...row, ...(targetVersion !== undefined && current) }
        : { ...group, ids: [...group.ids, ...row.ids] },
    );
  }
  return [...groups.values()].sort(byImportance);
}

/** Returns whether a user can act on a row. If the registry does not state that, the review of the version decides. */
function isOpen({ adoptionState, targetVersion, targetReviewStatus }: ProjectUpdate): boolean {
  if (targetReviewStatus === "rejected" || targetReviewStatus === "blocked") return false;
  if (targetVersion === undefined) return true;
  return adoptionState === undefined
    ? targetReviewStatus === undefined || targetReviewStatus === "approved"
    : adoptionState === "ready";
}

function withIds({
  id,
  adoptionState: _,
  targetReviewStatus: __,
  ...row
}: ProjectUpdate): OpenUpdate {
  return { ...row, ids: [id] };
}

function offeredUpdate({ slug, name, offeredVersion }: InstalledSkill): OpenUpdate[] {
  if (offeredVersion === undefined) return [];
  const row = { skillSlug: slug, skillName: name, eventType: "new_version", title: "" };
  return [{ ...row, ids: [], targetVersion: offeredVersion }];
}

function byImportance(one: OpenUpdate, other: OpenUpdate): number {
  const isVersion = ({ targetVersion }: OpenUpdate) => Number(targetVersion !== undefined);
  const apart = isVersion(one) - isVersion(other);
  if (apart !== 0) return apart;
  if (one.targetVersion === undefined) return severityRank(one) - severityRank(other);
  if (one.skillSlug !== other.skillSlug) return 0;
  return isNewerVersion(one.targetVersion, other.targetVersion ?? "") ? -1 : 1;
}

const severities = ["critical", "high", "medium", "low", "info"];

/** Ranks a severity from 0 for the most severe; unknown words come last. */
export function severityRank({ severity = "" }: Pick<OpenUpdate, "severity">): number {
  const rank = severities.indexOf(severity);
  return rank < 0 ? severities.length : rank;
}

/** Filters news to the updates that can be adopted: those with a target version. */
export function adoptable(updates: readonly OpenUpdate[]): readonly OpenUpdate[] {
  return updates.filter(({ targetVersion }) => targetVersion !== undefined);
}

/** Describes the status of an update in the inbox, such as its scheduled day; empty for an open one. */
export function actionText({ actionStatus, scheduledFor }: OpenUpdate, language: Language): string {
  const { t } = language;
  switch (actionStatus) {
    case undefined:
    case "open":
      return "";
    case "acknowledged":
      return t("acknowledged");
    case "scheduled":
      return scheduledFor === undefined
        ? t("scheduled")
        : t("scheduled for {day}", { day: dayText(scheduledFor, language) });
    default:
      return actionStatus;
  }
}

/** Names an event's severity. An unknown word stays; empty for none. */
export function updateSeverityText(severity: string | undefined, { t }: Language): string {
  switch (severity) {
    case undefined:
    case "info":
      return "";
    case "low":
      return t("low severity");
    case "medium":
      return t("medium severity");
    case "high":
      return t("high severity");
    case "critical":
      return t("critical");
    default:
      return severity;
  }
}

/** Names an event. An unknown word stays. */
export function eventText(eventType: string, { t }: Language): string {
  switch (eventType) {
    case "deprecated":
      return t("deprecated");
    case "suspended":
      return t("suspended");
    case "security":
      return t("security");
    case "incident":
      return t("incident");
    default:
      return eventType;
  }
}

/** Builds the question before an event is marked as handled, with all its facts. */
export function handledQuestion(
  update: OpenUpdate,
  project: ProjectSummary,
  language: Language,
): ChangeQuestion {
  const { t } = language;
  const { skillName, eventType, severity, title, body = "" } = update;
  const kind = [eventText(eventType, language), updateSeverityText(severity, language)];
  return {
    message: t("Mark this as handled in {project}?", { project: project.name }),
    detail: [
      [skillName, ...kind].filter(Boolean).join(" · "),
      title,
      body,
      t("It leaves the update inbox for everybody. The installed version stays."),
    ].filter((line) => line !== ""),
    agree: t("Mark Handled"),
  };
}

/** Builds the question before an update is ignored. */
export function ignoreQuestion(
  { skillName, targetVersion, title, ids }: OpenUpdate,
  project: ProjectSummary,
  { t }: Language,
): ChangeQuestion {
  return {
    message: t("Ignore this update in {project}?", { project: project.name }),
    detail: [
      [skillName, targetVersion ?? title].join(" · "),
      ids.length > 0
        ? t("It leaves the update inbox for everybody.")
        : t("It is no longer shown in this workspace."),
    ],
    agree: t("Ignore"),
  };
}

/**
 * Parses the day for which an update is scheduled, such as `2026-12-24`. Returns its noon in UTC, in milliseconds since
 * 1970; undefined for anything else.
 */
export function readScheduleDay(text: string): number | undefined {
  const day = /^\d{4}-\d{2}-\d{2}$/.exec(text.trim())?.[0];
  const time = day === undefined ? Number.NaN : Date.parse(`${day}T12:00:00Z`);
  // Reject impossible days, such as February 30: `Date` would turn them into another day.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day ?? "")
    ? time
    : undefined;
}

/** Describes the problem with a day to schedule an update for; empty for a valid one. */
export function scheduleProblem(text: string, now: number, { t }: Language): string {
  const time = readScheduleDay(text);
  if (time === undefined) return t("Enter a day as YYYY-MM-DD.");
  const startOfDay = Math.floor(now / 86_400_000) * 86_400_000;
  return time < startOfDay ? t("Enter today or a later day.") : "";
}

/** Facts about the skills of a project. `isBlocked` returns whether the project would reject an invocation now. */
interface AttentionFacts {
  readonly skills: readonly InstalledSkill[];
  readonly updates: readonly OpenUpdate[];
  readonly isBlocked: (slug: string) => boolean;
  /** The payloads and suites of the workspace. */
  readonly files: readonly FoundSkillFile[];
}

/** An incident of a skill that the workspace has a payload for. */
interface IncidentHere {
  readonly slug: string;
  /** Identifies the incident among others of the skill. */
  readonly id: string;
  /** The registry's title; empty without one. */
  readonly title: string;
}

/** The skills that need attention and have files in the workspace, by the reason. */
export interface Attention {
  readonly incidents: readonly string[];
  readonly blocked: readonly string[];
  readonly updates: readonly string[];
  /** The incidents to report once. */
  readonly incidentsToReport: readonly IncidentHere[];
}

/** Finds the skills that need attention. Only the project's installed skills count. */
export function attentionOf({ skills, updates, isBlocked, files }: AttentionFacts): Attention {
  const installed = new Map(skills.map((skill) => [skill.slug, skill]));
  const slugOf = ({ slugs }: FoundSkillFile) => slugs.find((slug) => installed.has(slug));
  const slugsOf = (found: readonly FoundSkillFile[]) =>
    [...new Set(found.flatMap((file) => slugOf(file) ?? []))].sort();
  const used = slugsOf(files);
  const withPayload = slugsOf(files.filter(({ use }) => use === "payload"));
  const events = (slug: string) =>
    updates.filter((update) => update.skillSlug === slug && update.eventType === "incident");
  const hasIncident = (slug: string) =>
    events(slug).length > 0 || (installed.get(slug)?.usage?.openIncidents ?? 0) > 0;
  const updatable = new Set(adoptable(updates).map(({ skillSlug }) => skillSlug));
  return {
    incidents: used.filter(hasIncident),
    blocked: used.filter(isBlocked),
    updates: used.filter((slug) => updatable.has(slug)),
    incidentsToReport: withPayload.flatMap((slug) =>
      events(slug).map(({ ids, title }) => ({ slug, id: [...ids].sort()[0] ?? title, title })),
    ),
  };
}

/** Returns the badge of the view's icon: how many skills need attention, and which; undefined for none. */
export function attentionBadge(
  { incidents, blocked, updates }: Attention,
  { t }: Language,
): { readonly value: number; readonly tooltip: string } | undefined {
  const value = new Set([...incidents, ...blocked, ...updates]).size;
  if (value === 0) return undefined;
  const list = (slugs: readonly string[]) => oneLine(slugs.join(", "), 200);
  const lines = [
    incidents.length === 0 ? "" : t("Open incident: {skills}", { skills: list(incidents) }),
    blocked.length === 0 ? "" : t("Blocked: {skills}", { skills: list(blocked) }),
    updates.length === 0 ? "" : t("Update available: {skills}", { skills: list(updates) }),
  ];
  return { value, tooltip: lines.filter((line) => line !== "").join("\n") };
}
