import type { AgentAgreement } from "../../agents/agentAgreements";
import type { RowStanding } from "../../review/teamStanding";
import type { SkillSummary } from "../../skill/skill";
import { verificationText } from "../../skill/verification";
import { collator } from "../../text/formats";
import type { Language } from "../../text/language";
import type { NoticeAction } from "../../text/notice";
import type { Favorite } from "../favorites";
import type { SkillList } from "../skillList";
import { measureOf, type SkillArrangement, type SkillGrouping, wireSort } from "../skillOrder";
import {
  type FileRow,
  type FoundSkillFile,
  type PayloadsRow,
  payloadsRows,
  type SkillFile,
} from "./skillFileRows";
import type { StatedMeasure } from "./skillRowText";

/** A row of the Skills view. */
export type SkillRow = PayloadsRow | ListRow | FileRow | ActionRow | LoadingRow;

/** A row of a list. */
export type ListRow = SkillEntry | SkillBranch | MoreRow;

/** A skill in the list. */
export interface SkillEntry {
  readonly kind: "skill";
  readonly skill: SkillSummary;
  readonly isFavorite: boolean;
  /** Why a favorite is not in the list: not loaded yet, or no longer listed. */
  readonly absence?: "notLoaded" | "notListed";
  /** The value that the list is sorted by, where the row provides it. */
  readonly measure?: StatedMeasure;
  /** The property by which the skill's group was formed, if the skill is in a group. */
  readonly group?: SkillGrouping;
  /** The skill's standing with the workspace's reviews; `unreviewed` only if the workspace uses the skill. */
  readonly standing?: RowStanding;
  /** The permission for agents to invoke it; left out if they may not. */
  readonly agreement?: AgentAgreement;
  /** Whether the project of this workspace runs this version; left out if not, or if that is unknown. */
  readonly isInstalled?: true;
  /** The files of the workspace about it; left out for none. */
  readonly files?: readonly SkillFile[];
  readonly parent?: SkillBranch;
}

/** Several skills under one row. */
export interface SkillBranch {
  readonly kind: "branch";
  readonly id: string;
  readonly title: string;
  readonly skills: readonly SkillSummary[];
  readonly isOpen: boolean;
  readonly parent?: SkillBranch;
}

/** The row that loads more. */
export interface MoreRow {
  readonly kind: "more";
  readonly shown: number;
  readonly total?: number;
}

/** The row that is shown while the list of another registry loads. */
export interface LoadingRow {
  readonly kind: "loading";
  readonly name: string;
}

/** A row that offers an action if there is no list. */
export interface ActionRow {
  readonly kind: "action";
  readonly action: NoticeAction;
  /** Whether this is the most likely action, which is highlighted. */
  readonly isPrimary: boolean;
}

/** The data for the rows. */
export interface SkillRowSource {
  readonly list: SkillList;
  /** The list's skills in their shown order. */
  readonly skills: readonly SkillSummary[];
  readonly arrangement: SkillArrangement;
  readonly favorites: readonly Favorite[];
  /** Whether neither a search nor a filter is active. */
  readonly isUnrestricted: boolean;
  /** Whether the list is that of the built-in registry. */
  readonly isBuiltIn?: boolean;
  /** Returns the state of the workspace's reviews of a skill; undefined if it needs none. */
  readonly standingOf?: (skill: SkillSummary) => SkillEntry["standing"];
  /** Returns the permission for agents to invoke a skill; undefined if they may not. */
  readonly agreementOn?: (skill: SkillSummary) => AgentAgreement | undefined;
  /** Returns whether the project of this workspace runs this version of a skill, as far as known. */
  readonly isInstalled?: (skill: SkillSummary) => boolean;
  /** Returns the files of the workspace about a skill. */
  readonly filesOf?: (slug: string) => readonly SkillFile[];
  /** The files of the workspace, including those of skills outside the list. */
  readonly files?: readonly FoundSkillFile[];
  readonly language: Language;
}

/**
 * The maximum number of rows of one level. The editor processes all rows of a level again with each change, and 10,000
 * would block the extension host.
 */
const maxRows = 1000;
const blockSize = 500;

/** Returns the row of all payloads above a list; none without payloads. */
export function rowsAbove({ isUnrestricted, list, files = [] }: SkillRowSource) {
  // A search finds only skills, and the text for an empty list is shown only if the view has no row at all.
  return isUnrestricted && list.skills.length > 0 ? payloadsRows(files) : [];
}

/** Lists the rows of the top level: favorites, then groups or skills, then the row that loads more. */
export function topRows(source: SkillRowSource): readonly ListRow[] {
  const { list, skills, arrangement } = source;
  const favorites = new Set(source.favorites.map(({ slug }) => slug));
  const others = favorites.size === 0 ? skills : skills.filter(({ slug }) => !favorites.has(slug));
  const practice = hasPracticeGroup(source) ? others.filter(isPractice) : [];
  const rest = practice.length === 0 ? others : others.filter((skill) => !isPractice(skill));
  const groups = groupSkills(rest, arrangement.grouping, source.language);
  return [
    ...favoriteRows(source),
    ...groups.flatMap(({ title, skills: members }) =>
      arrangement.grouping === "none"
        ? levelRows("", members, source)
        : [groupRow(arrangement.grouping, title, members)],
    ),
    ...(practice.length === 0 ? [] : [practiceRow(practice, source.language)]),
    ...moreRows(list),
  ];
}

/** The tag of the built-in registry's skills for practicing. */
export const practiceTag = "practice";

function isPractice({ tags }: SkillSummary): boolean {
  return tags.includes(practiceTag);
}

/**
 * Returns whether the skills for practicing get a group of their own. They do in the built-in registry's list, unless
 * it is searched, filtered, sorted or grouped.
 */
function hasPracticeGroup({ isBuiltIn, isUnrestricted, arrangement }: SkillRowSource): boolean {
  const { order, grouping } = arrangement;
  return isBuiltIn === true && isUnrestricted && order === "recommended" && grouping === "none";
}

/** The ID of the row above the skills to practice with. */
export const practiceGroupId = "group:practice";

function practiceRow(skills: readonly SkillSummary[], { t }: Language): SkillBranch {
  const title = t("Practice: blocked, limited, slow or failing");
  return branch({ id: practiceGroupId, title, skills, isOpen: false });
}

/** Lists the rows under a branch. */
export function branchRows(parent: SkillBranch, source: SkillRowSource): readonly ListRow[] {
  return levelRows(parent.id, parent.skills, source, parent);
}

/** Folds the start of a long level into collapsed blocks, so that its end is visible. */
function levelRows(
  id: string,
  skills: readonly SkillSummary[],
  source: SkillRowSource,
  parent?: SkillBranch,
): readonly ListRow[] {
  const folded = Math.max(0, Math.ceil((skills.length - maxRows) / blockSize));
  const blocks = Array.from({ length: folded }, (_, index): SkillBranch => {
    const start = index * blockSize;
    const title = `${start + 1} – ${start + blockSize}`;
    const rows = skills.slice(start, start + blockSize);
    return branch({ id: `block:${index}:${id}`, title, skills: rows, isOpen: false, parent });
  });
  const rest = folded === 0 ? skills : skills.slice(folded * blockSize);
  const measured = measureReader(source);
  return [
    ...blocks,
    ...rest.map(
      (skill): SkillEntry => ({
        kind: "skill",
        skill,
        isFavorite: false,
        ...measured(skill),
        ...standing(source, skill),
        ...agreementIn(source, skill),
        ...installIn(source, skill),
        ...filesIn(source, skill),
        ...(parent === undefined ? {} : { parent, group: source.arrangement.grouping }),
      }),
    ),
  ];
}

function favoriteRows(source: SkillRowSource): readonly SkillEntry[] {
  const { list, favorites, isUnrestricted } = source;
  if (favorites.length === 0) return [];
  const loaded = new Map(list.skills.map((skill) => [skill.slug, skill]));
  const measured = measureReader(source);
  const isComplete = list.nextCursor === undefined && list.brokenEnd === undefined;
  return favorites.flatMap(({ slug, name }): SkillEntry[] => {
    const known = loaded.get(slug);
    // A filter cannot be checked for a skill that is not loaded.
    if (known === undefined && !isUnrestricted) return [];
    const skill = known ?? placeholderSkill(slug, name);
    const absence = isComplete ? "notListed" : "notLoaded";
    const row = {
      kind: "skill",
      skill,
      isFavorite: true,
      ...measured(skill),
      ...standing(source, skill),
      ...agreementIn(source, skill),
      ...installIn(source, skill),
      ...filesIn(source, skill),
    } as const;
    return [known === undefined ? { ...row, absence } : row];
  });
}

/**
 * The maximum number of rows that are read to choose a measure. The choice is repeated for each group, and long lists
 * have many groups.
 */
const maxMeasured = 100;

/**
 * Returns a function that reads a row's measure. An order can have several measures; the one that most of the first
 * rows provide is used.
 */
function measureReader({ list, arrangement }: SkillRowSource) {
  const sort = wireSort(arrangement.order);
  const start = list.skills.slice(0, maxMeasured);
  const measure = sort === undefined ? undefined : measureOf(start, sort);
  return (skill: SkillSummary): { readonly measure?: StatedMeasure } => {
    const value = measure?.of(skill);
    return measure === undefined || value === undefined
      ? {}
      : { measure: { name: measure.name, value } };
  };
}

function standing(
  { standingOf, filesOf }: SkillRowSource,
  skill: SkillSummary,
): Pick<SkillEntry, "standing"> {
  const standing = standingOf?.(skill);
  if (standing === undefined) return {};
  // A team reviews the skills that it uses. On all other rows, "unreviewed" would only displace publisher and price.
  const isOfNoUse = standing === "unreviewed" && (filesOf?.(skill.slug) ?? []).length === 0;
  return isOfNoUse ? {} : { standing };
}

function agreementIn(
  { agreementOn }: SkillRowSource,
  skill: SkillSummary,
): Pick<SkillEntry, "agreement"> {
  const agreement = agreementOn?.(skill);
  return agreement === undefined ? {} : { agreement };
}

function installIn(
  { isInstalled }: SkillRowSource,
  skill: SkillSummary,
): Pick<SkillEntry, "isInstalled"> {
  return isInstalled?.(skill) === true ? { isInstalled: true } : {};
}

function filesIn({ filesOf }: SkillRowSource, { slug }: SkillSummary): Pick<SkillEntry, "files"> {
  const files = filesOf?.(slug) ?? [];
  return files.length === 0 ? {} : { files };
}

function placeholderSkill(slug: string, displayName: string): SkillSummary {
  return { slug, displayName, description: "", tags: [], version: "", numbers: {} };
}

function moreRows({ nextCursor, skills, total }: SkillList): readonly MoreRow[] {
  if (nextCursor === undefined) return [];
  return [{ kind: "more", shown: skills.length, ...(total === undefined ? {} : { total }) }];
}

function groupRow(
  grouping: SkillGrouping,
  title: string,
  skills: readonly SkillSummary[],
): SkillBranch {
  return branch({ id: `group:${grouping}:${title}`, title, skills, isOpen: true });
}

function branch({
  parent,
  ...rest
}: Omit<SkillBranch, "kind" | "parent"> & { parent?: SkillBranch | undefined }): SkillBranch {
  return { kind: "branch", ...rest, ...(parent === undefined ? {} : { parent }) };
}

/** Skills under one heading. The title is empty without grouping. */
interface SkillGroup {
  readonly title: string;
  readonly skills: readonly SkillSummary[];
}

/** Groups skills. Groups are in the order of their titles; the group without a value comes last. */
function groupSkills(
  skills: readonly SkillSummary[],
  grouping: SkillGrouping,
  language: Language,
): readonly SkillGroup[] {
  const { compare } = collator(language.locale, { numeric: true });
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
      return language.t("Task not provided");
    case "publisher":
      return language.t("Publisher not provided");
    case "state":
      return verificationText(undefined, language).word;
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
      return verificationText(skill.verificationStatus, language).word;
  }
}
