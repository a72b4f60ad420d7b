import * as vscode from "vscode";
import { failureWords } from "../../core/failureWords";
import { labelText } from "../../core/plainText";
import type { SkillSummary } from "../../core/skill";
import { skillFacts } from "../../core/skillFacts";
import type { RegistryConnection } from "../connect/registryConnection";
import { verificationIcon } from "./skillTreeItem";

/** What the user chose: a skill, or the text as typed where `offerText` allowed that. */
export type SkillChoice =
  | { readonly kind: "skill"; readonly skill: SkillSummary }
  | { readonly kind: "text"; readonly text: string };

/** How the question is put. */
export interface SkillQuestion {
  readonly title: string;
  readonly text?: string;
  /** Names the first row, which takes the typed text itself; without it only skills can be chosen. */
  readonly offerText?: (text: string) => string;
}

interface ChoiceItem extends vscode.QuickPickItem {
  readonly choice?: SkillChoice;
}

const pauseBeforeAskingMs = 150;

/**
 * Lets the user find a skill by typing: each pause asks the registry, and answers to an older text
 * are dropped. Undefined where the user gave up.
 */
export function askForSkill(
  connection: RegistryConnection,
  question: SkillQuestion,
): Promise<SkillChoice | undefined> {
  const pick = vscode.window.createQuickPick<ChoiceItem>();
  pick.title = question.title;
  pick.placeholder = "Type a name, a task or a tag";
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.value = question.text ?? "";
  let asking = new AbortController();
  let pause: NodeJS.Timeout | undefined;

  const ask = async () => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const text = pick.value.trim();
    pick.busy = true;
    const found = await findSkills(connection, text, signal);
    if (signal.aborted) return;
    pick.busy = false;
    pick.items = [...textItems(question, text), ...found];
  };

  return new Promise((resolve) => {
    pick.onDidChangeValue(() => {
      clearTimeout(pause);
      pause = setTimeout(() => void ask(), pauseBeforeAskingMs);
    });
    pick.onDidAccept(() => {
      const choice = pick.activeItems[0]?.choice;
      if (choice === undefined) return;
      resolve(choice);
      pick.hide();
    });
    pick.onDidHide(() => {
      clearTimeout(pause);
      asking.abort();
      pick.dispose();
      resolve(undefined);
    });
    pick.show();
    void ask();
  });
}

/** Lets the user find one skill and answers its slug. Undefined where the user gave up. */
export async function chooseSkill(
  connection: RegistryConnection,
  title: string,
): Promise<string | undefined> {
  const choice = await askForSkill(connection, { title });
  return choice?.kind === "skill" ? choice.skill.slug : undefined;
}

async function findSkills(
  connection: RegistryConnection,
  text: string,
  signal: AbortSignal,
): Promise<ChoiceItem[]> {
  const connected = await connection.current();
  if (!connected.ok) return [problemItem(connected.problem)];
  const page = await connected.registry.client.search({ text, filters: {} }, undefined, signal);
  if (!page.ok) return [problemItem(failureWords(page.failure))];
  if (page.value.skills.length === 0) return [problemItem("No skill matches.")];
  return page.value.skills.map(skillItem);
}

function skillItem(skill: SkillSummary): ChoiceItem {
  const icon = `$(${verificationIcon(skill.verificationStatus).id})`;
  return {
    label: `${icon} ${labelText(skill.displayName, 80)}`,
    description: labelText(skillFacts(skill).join(" · "), 160),
    detail: labelText(skill.description, 200),
    alwaysShow: true,
    choice: { kind: "skill", skill },
  };
}

function textItems(question: SkillQuestion, text: string): ChoiceItem[] {
  if (question.offerText === undefined) return [];
  const label = `$(search) ${labelText(question.offerText(text), 120)}`;
  return [{ label, alwaysShow: true, choice: { kind: "text", text } }];
}

function problemItem(problem: string): ChoiceItem {
  return { label: labelText(problem, 200), alwaysShow: true };
}
