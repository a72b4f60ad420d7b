import * as vscode from "vscode";
import { registryFailureText } from "../../core/registry/registryFailure";
import type { SkillSummary } from "../../core/skill/skill";
import { verificationIcon } from "../../core/skill/verification";
import { bestMatch, enterInSearch, meantByText } from "../../core/skillList/skillPicker";
import type { SkillListPage } from "../../core/skillList/skillQuery";
import { searchFacts } from "../../core/skillList/skillRowText";
import { type Language, localize } from "../../core/text/language";
import { labelText } from "../../core/text/plainText";
import type { RegistryConnection } from "../connect/registryConnection";
import { hostLanguage } from "../ui/hostLanguage";
import type { RowDetails } from "./rowDetails";
import { themeIcon } from "./skillsView";

/** The user's choice: a skill, or the text as typed where `offerText` allowed that. */
export type SkillChoice =
  | { readonly kind: "skill"; readonly skill: SkillSummary }
  | { readonly kind: "text"; readonly text: string };

/** The options of the question. */
export interface SkillQuestion {
  readonly title: string;
  readonly text?: string;
  /** Labels the first row, which accepts the typed text itself; without it only skills can be chosen. */
  readonly offerText?: (text: string) => string;
  /** Further actions for a skill; a button in its row runs one and closes the question. */
  readonly actions?: readonly SkillAction[];
  /** Called when skills are shown. */
  readonly shown?: () => void;
}

/** An action for a skill instead of choosing it. */
export interface SkillAction {
  /** The name of an icon of the editor. */
  readonly icon: string;
  readonly title: string;
  readonly run: (slug: string) => unknown;
}

interface ActionButton extends vscode.QuickInputButton {
  readonly action: SkillAction;
}

interface ChoiceItem extends vscode.QuickPickItem {
  readonly choice?: SkillChoice;
}

const pauseBeforeAskingMs = 150;

/**
 * Lets the user find a skill by typing: each pause queries the registry, and results for an older text are
 * dropped. Undefined where the user canceled.
 */
export function askForSkill(
  source: SkillSource,
  question: SkillQuestion,
): Promise<SkillChoice | undefined> {
  const pick = vscode.window.createQuickPick<ChoiceItem>();
  pick.title = question.title;
  pick.placeholder = vscode.l10n.t("Type a name, a task or a tag");
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.value = question.text ?? "";
  const buttons = (question.actions ?? []).map(actionButton);
  let asking = new AbortController();
  let pause: NodeJS.Timeout | undefined;
  let answered: string | undefined;
  let isAwaited = false;
  /** The skill the user moved the highlight to since the last keystroke. */
  let movedTo: SkillSummary | undefined;

  return new Promise((resolve) => {
    const take = (choice: SkillChoice) => {
      resolve(choice);
      pick.hide();
    };
    const ask = async () => {
      asking = new AbortController();
      const { signal } = asking;
      const text = pick.value.trim();
      pick.busy = true;
      const { skills, notes } = await findSkills(source, text, signal);
      if (signal.aborted) return;
      pick.busy = false;
      answered = text;
      const rows = skills.map((skill) => skillItem(skill, buttons));
      const offersText = question.offerText !== undefined;
      const meant = offersText ? bestMatch(skills, text) : meantByText(skills, text);
      if (isAwaited && meant !== undefined) return take({ kind: "skill", skill: meant });
      if (isAwaited && offersText) return take({ kind: "text", text });
      pick.items = [...textItems(question, text), ...rows, ...notes.map(noteItem)];
      const active =
        rowOf(pick, movedTo) ?? (offersText ? (rowOf(pick, meant) ?? pick.items[0]) : undefined);
      if (skills.length > 0) question.shown?.();
      // The editor would highlight the row that it finds most similar, of which Enter could not know before.
      if (active !== undefined) pick.activeItems = [active];
    };
    pick.onDidChangeValue(() => {
      asking.abort();
      clearTimeout(pause);
      isAwaited = false;
      movedTo = undefined;
      pick.busy = true;
      pause = setTimeout(() => void ask(), pauseBeforeAskingMs);
    });
    pick.onDidChangeActive(([active]) => {
      movedTo = active?.choice?.kind === "skill" ? active.choice.skill : undefined;
    });
    pick.onDidAccept(() => {
      const typed = pick.value.trim();
      const choice = pick.activeItems[0]?.choice;
      const offersText = question.offerText !== undefined;
      const isOnSkill = choice?.kind === "skill";
      const effect = enterInSearch({ typed, answered, offersText, isOnSkill });
      isAwaited = effect === "nothingYet";
      if (effect === "text") take({ kind: "text", text: typed });
      else if (effect === "skill" && choice !== undefined) take(choice);
    });
    pick.onDidTriggerItemButton(({ item, button }) => {
      const pressed = buttons.find((candidate) => candidate === button);
      if (pressed === undefined || item.choice?.kind !== "skill") return;
      void pressed.action.run(item.choice.skill.slug);
      pick.hide();
    });
    pick.onDidHide(() => {
      clearTimeout(pause);
      asking.abort();
      pick.dispose();
      resolve(undefined);
    });
    pick.items = textItems(question, pick.value.trim());
    pick.show();
    void ask();
  });
}

/** The row of a skill; undefined where there is none. */
function rowOf(
  { items }: vscode.QuickPick<ChoiceItem>,
  skill: SkillSummary | undefined,
): ChoiceItem | undefined {
  return items.find(({ choice }) => choice?.kind === "skill" && choice.skill.slug === skill?.slug);
}

/** Where pickers find skills, and what is known of them: a row alone may state a lower level than a skill has. */
export interface SkillSource {
  readonly connection: RegistryConnection;
  readonly details: Pick<RowDetails, "complete" | "onDidChange">;
}

/** What a search found for a picker. */
interface FoundSkills {
  readonly skills: readonly SkillSummary[];
  /** Why there are none, or what the list is not: a sentence or two each, fit for a label. */
  readonly notes: readonly string[];
}

/** Asks the registry for the skills that a text finds. */
export async function findSkills(
  { connection, details }: SkillSource,
  text: string,
  signal: AbortSignal,
): Promise<FoundSkills> {
  const none = (why: string) => ({ skills: [], notes: [labelText(why, 200)] });
  const connected = await connection.current();
  if (!connected.ok) return none(localize(connected.problem, hostLanguage()));
  const page = await connected.registry.client.search({ text, filters: {} }, undefined, signal);
  if (!page.ok) return none(registryFailureText(page.failure, hostLanguage()));
  const skills = page.value.skills.map((skill) => details.complete(skill));
  return { skills, notes: notesOf(page.value, hostLanguage()) };
}

/** Makes the row of a skill that a search found, shown whatever is typed. `facts` come first in its description. */
export function skillRow(skill: SkillSummary, ...facts: readonly string[]): vscode.QuickPickItem {
  const description = [...facts, ...searchFacts(skill, hostLanguage())].join(" · ");
  return {
    label: labelText(skill.displayName, 80),
    description: labelText(description, 160),
    detail: labelText(skill.description, 200),
    alwaysShow: true,
  };
}

function skillItem(skill: SkillSummary, buttons: readonly ActionButton[]): ChoiceItem {
  return {
    ...skillRow(skill),
    iconPath: themeIcon(verificationIcon(skill.verificationStatus)),
    buttons,
    choice: { kind: "skill", skill },
  };
}

function textItems(question: SkillQuestion, text: string): ChoiceItem[] {
  if (question.offerText === undefined) return [];
  const label = labelText(question.offerText(text), 120);
  const iconPath = new vscode.ThemeIcon("search");
  return [{ label, iconPath, alwaysShow: true, choice: { kind: "text", text } }];
}

/** Notes below the rows that there are none or more, or that the search was local. */
function notesOf(
  { skills, nextCursor, isCutOff, ignoredText }: SkillListPage,
  language: Language,
): readonly string[] {
  const hasMore = nextCursor !== undefined || isCutOff === true;
  const notes = [
    skills.length === 0 && !hasMore && vscode.l10n.t("No skill matches."),
    hasMore &&
      vscode.l10n.t("Showing {0}. More exist: type more to narrow the search.", skills.length),
    ignoredText === true &&
      language.t("The search text was applied locally, because the registry did not apply it."),
  ];
  return notes.filter((note) => typeof note === "string").map((note) => labelText(note, 200));
}

function actionButton(action: SkillAction): ActionButton {
  return { iconPath: new vscode.ThemeIcon(action.icon), tooltip: action.title, action };
}

function noteItem(label: string): ChoiceItem {
  return { label, alwaysShow: true };
}

/** Lets the user find one skill and returns its slug. Undefined where the user canceled or took one of the `actions`. */
export async function pickSkill(
  source: SkillSource,
  title: string,
  actions: readonly SkillAction[] = [],
): Promise<string | undefined> {
  const choice = await askForSkill(source, { title, actions });
  return choice?.kind === "skill" ? choice.skill.slug : undefined;
}
