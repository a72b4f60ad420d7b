import * as vscode from "vscode";
import { maxCompared, minCompared } from "../../core/skill/compare/compareSkills";
import { askForSkill, type SkillSource } from "../discover/pickSkill";
import { chooseMany } from "../ui/quickInput/choose";

/**
 * Lets the user find a skill to compare with those of `start`; if `start` is empty, two skills. If `start` has too
 * many, asks which to compare. Undefined if the user canceled.
 */
export async function chooseSkillsToCompare(
  source: SkillSource,
  start: readonly string[],
): Promise<readonly string[] | undefined> {
  if (start.length >= maxCompared) return chooseAmong(start);
  let slugs = start;
  do {
    const title =
      slugs.length === 0
        ? vscode.l10n.t("Compare Skills")
        : vscode.l10n.t("Compare {0} with…", slugs.join(", "));
    const choice = await askForSkill(source, { title, excluded: slugs });
    if (choice?.kind !== "skill") return undefined;
    slugs = [...slugs, choice.skill.slug];
  } while (slugs.length < minCompared);
  return slugs;
}

/** Asks which skills to compare, until they fit side by side. */
async function chooseAmong(slugs: readonly string[]): Promise<readonly string[] | undefined> {
  let chosen = slugs;
  while (chosen.length < minCompared || chosen.length > maxCompared) {
    const rows = slugs.map((slug) => ({ label: slug, picked: chosen.includes(slug), value: slug }));
    const answer = await chooseMany(rows, {
      title: vscode.l10n.t("Compare Skills: at most {0} fit side by side", maxCompared),
      placeHolder: vscode.l10n.t(
        "Select {0}–{1} skills, then press Enter",
        minCompared,
        maxCompared,
      ),
      closesOnBlur: true,
    });
    if (answer === undefined) return undefined;
    chosen = answer;
  }
  return chosen;
}
