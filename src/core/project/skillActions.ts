import { type Language, type LocalizableText, l10nText, localize } from "../text/language";
import { installChanges, isChangeable } from "./changes";
import { needsApproval } from "./policies";
import type { InstalledSkill } from "./project";
import { adoptable, type OpenUpdate } from "./updateInbox";

/** The command of an action on a skill of a project. */
type SkillActionCommand = (typeof skillActionRows)[number]["command"];

/** An action on a skill of a project, for a list. */
export interface SkillAction {
  readonly label: string;
  readonly icon: string;
  readonly command: SkillActionCommand;
}

/** A skill of a project, and what the project knows about it. */
interface SkillSituation {
  readonly skill: InstalledSkill;
  /** The open updates of the project. */
  readonly updates: readonly OpenUpdate[];
  /** Whether the gateway is expected to block an invocation. */
  readonly isBlocked: boolean;
}

/** Lists what can be done with a skill of a project, as the menu of its row does. */
export function skillActions(
  { skill, updates, isBlocked }: SkillSituation,
  language: Language,
): readonly SkillAction[] {
  const own = updates.filter(({ skillSlug }) => skillSlug === skill.slug);
  return skillActionRows
    .filter(({ isFit }) => isFit(skill, own, isBlocked))
    .map(({ title, icon, command }) => ({ label: localize(title, language), icon, command }));
}

interface ActionRow {
  readonly command: string;
  readonly title: LocalizableText;
  readonly icon: string;
  /** `updates` are those of the skill. */
  readonly isFit: (
    skill: InstalledSkill,
    updates: readonly OpenUpdate[],
    isBlocked: boolean,
  ) => boolean;
}

const skillActionRows = [
  {
    command: "showWhy",
    title: l10nText("Show Why Invocations Are Blocked…"),
    icon: "question",
    isFit: (_skill, _updates, isBlocked) => isBlocked,
  },
  { command: "approveSkill", title: l10nText("Approve…"), icon: "check", isFit: needsApproval },
  {
    command: "adoptUpdate",
    title: l10nText("Adopt Update…"),
    icon: "arrow-circle-up",
    isFit: ({ status }, updates) => status !== "removed" && adoptable(updates).length > 0,
  },
  {
    command: "decideUpdate",
    title: l10nText("Decide on Update…"),
    icon: "bell",
    isFit: (_, updates) => updates.length > 0,
  },
  {
    command: "rollBackSkill",
    title: l10nText("Roll Back…"),
    icon: "discard",
    isFit: ({ status }) => status === "installed",
  },
  {
    command: "editPolicy",
    title: l10nText("Edit Policy…"),
    icon: "law",
    isFit: ({ status }) => status === "installed" || status === "suspended",
  },
  {
    command: "suspendSkill",
    title: l10nText("Suspend…"),
    icon: installChanges.suspend.icon,
    isFit: (skill) => isChangeable(skill, installChanges.suspend),
  },
  {
    command: "restoreSkill",
    title: l10nText("Restore…"),
    icon: installChanges.restore.icon,
    isFit: (skill) => isChangeable(skill, installChanges.restore),
  },
  {
    command: "uninstallSkill",
    title: l10nText("Remove from Project…"),
    icon: installChanges.remove.icon,
    isFit: (skill) => isChangeable(skill, installChanges.remove),
  },
] as const satisfies readonly ActionRow[];
