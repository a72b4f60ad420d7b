import * as vscode from "vscode";
import { registryFailureText } from "../../core/registry/registryFailure";
import type { SkillSummary } from "../../core/skill/skill";
import { verificationIcon } from "../../core/skill/verification";
import { searchFacts } from "../../core/skillList/rows/skillRowText";
import {
  bestMatch,
  enterInSearch,
  searchNotes,
  skillNamedBy,
} from "../../core/skillList/skillPicker";
import { localize } from "../../core/text/language";
import { labelText } from "../../core/text/plainText";
import type { RegistryConnection } from "../connect/registryConnection";
import { hostLanguage } from "../ui/hostLanguage";
import {
  type ChoiceRow,
  type ListItem,
  listItems,
  openList,
  searchWhileTyping,
} from "../ui/quickInput/choose";
import type { RowDetails } from "./rowDetails";

/** The user's choice: a skill, or the typed text if `offerText` allowed that. */
type SkillChoice =
  | { readonly kind: "skill"; readonly skill: SkillSummary }
  | { readonly kind: "text"; readonly text: string };

/** The options of the question. */
interface SkillQuestion {
  readonly title: string;
  readonly text?: string;
  /** Labels the first row, which accepts the typed text itself. Without it, only skills can be chosen. */
  readonly offerText?: (text: string) => string;
  /** The slugs of skills that are not offered. */
  readonly excluded?: readonly string[];
  /** Further actions for a skill; a button in its row runs one and closes the question. */
  readonly actions?: readonly SkillAction[];
}

/** An action for a skill instead of choosing it. */
export interface SkillAction {
  /** The name of an icon of the editor. */
  readonly icon: string;
  readonly title: string;
  readonly run: (slug: string) => unknown;
}

/**
 * Lets the user find a skill by typing. Each pause queries the registry, and results for an older text are dropped.
 * Undefined if the user canceled.
 */
export function askForSkill(
  source: SkillSource,
  question: SkillQuestion,
): Promise<SkillChoice | undefined> {
  const { title, text: start = "", offerText, excluded = [], actions = [] } = question;
  const placeHolder = vscode.l10n.t("Type a name, a task or a tag");
  const offersText = offerText !== undefined;
  const shownList = { title, placeHolder, closesOnBlur: true };
  return openList<ListItem<SkillChoice>, SkillChoice>(shownList, (list, end) => {
    list.value = start;
    let shownText: string | undefined;
    let isEnterPending = false;
    /** The skill the user moved the highlight to since the last keystroke. */
    let highlighted: SkillSummary | undefined;
    const itemOf = (skill: SkillSummary | undefined) =>
      list.items.find(({ value }) => value?.kind === "skill" && value.skill.slug === skill?.slug);
    const textItems = (text: string) =>
      offersText ? listItems([textRow(offerText(text), text)]) : [];
    const rowOf = (skill: SkillSummary): ChoiceRow<SkillChoice> => ({
      label: skill.displayName,
      description: searchFacts(skill, hostLanguage()).join(" · "),
      detail: skill.description,
      // The registry decides what matches the typed text.
      alwaysShow: true,
      icon: verificationIcon(skill.verificationStatus),
      buttons: actions.map(({ icon, title: action, run }) => ({
        icon,
        title: action,
        press: () => {
          void run(skill.slug);
          end(undefined);
        },
      })),
      value: { kind: "skill", skill },
    });
    list.onDidChangeValue(() => {
      isEnterPending = false;
      highlighted = undefined;
    });
    list.onDidChangeActive(([active]) => {
      highlighted = active?.value?.kind === "skill" ? active.value.skill : undefined;
    });
    list.onDidAccept(() => {
      const typed = list.value.trim();
      const choice = list.activeItems[0]?.value;
      const isOnSkill = choice?.kind === "skill";
      const effect = enterInSearch({ typed, shownText, offersText, isOnSkill });
      isEnterPending = effect === "nothingYet";
      if (effect === "text") end({ kind: "text", text: typed });
      else if (effect === "skill" && choice !== undefined) end(choice);
    });
    list.items = textItems(start.trim());
    let shownRows = "";
    searchWhileTyping(list, async (text, signal) => {
      const found = await findSkills(source, text, signal);
      if (signal.aborted) return;
      const skills = found.skills.filter(({ slug }) => !excluded.includes(slug));
      shownText = text;
      const best = offersText ? bestMatch(skills, text) : skillNamedBy(skills, text);
      if (isEnterPending && best !== undefined) return end({ kind: "skill", skill: best });
      if (isEnterPending && offersText) return end({ kind: "text", text });
      const items = listItems(skills.map(rowOf));
      const all = [...textItems(text), ...items, ...found.notes.map(noteItem)];
      const rows = JSON.stringify(all);
      // The editor draws all rows again, even equal ones, and then ignores a click that began on an old row.
      if (rows !== shownRows) list.items = all;
      shownRows = rows;
      const active =
        itemOf(highlighted) ?? (offersText ? (itemOf(best) ?? list.items[0]) : undefined);
      // Enter accepts the same row as it would have before the results arrived. The editor would highlight the most
      // similar one.
      if (active !== undefined) list.activeItems = [active];
    });
  });
}

/**
 * The sources of skills for pickers: the registry, and the details that complete its rows. A row alone may state a
 * lower permission level than the skill has.
 */
export interface SkillSource {
  readonly connection: RegistryConnection;
  readonly details: Pick<RowDetails, "complete">;
}

/** The result of a search for a picker. */
interface FoundSkills {
  readonly skills: readonly SkillSummary[];
  /** Why nothing was found, or how the list is incomplete: a sentence or two each, fit for a label. */
  readonly notes: readonly string[];
}

/** Searches the registry for a text. */
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
  return { skills, notes: searchNotes(page.value, hostLanguage()) };
}

function textRow(label: string, text: string): ChoiceRow<SkillChoice> {
  return { label, icon: "search", alwaysShow: true, value: { kind: "text", text } };
}

function noteItem(label: string): ListItem<SkillChoice> {
  return { label, alwaysShow: true };
}

/** Lets the user find one skill and returns its slug. Undefined if the user canceled or chose one of the `actions`. */
export async function pickSkill(
  source: SkillSource,
  title: string,
  actions: readonly SkillAction[] = [],
): Promise<string | undefined> {
  const choice = await askForSkill(source, { title, actions });
  return choice?.kind === "skill" ? choice.skill.slug : undefined;
}
