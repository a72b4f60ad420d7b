import * as vscode from "vscode";
import { labelText, markdownText, oneLine } from "../../core/plainText";
import type { SkillSummary } from "../../core/skill";
import { skillFacts, skillSentence } from "../../core/skillFacts";
import { commandIds } from "../ids";

const maxLabelLength = 80;
const maxFactsLength = 160;

/** Draws a skill as a row of the Skills view. Selecting it opens its page. */
export function skillTreeItem(skill: SkillSummary): vscode.TreeItem {
  const item = new vscode.TreeItem(labelText(skill.displayName, maxLabelLength));
  item.id = skill.slug;
  item.description = labelText(skillFacts(skill).join(" · "), maxFactsLength);
  item.tooltip = tooltip(skill);
  item.iconPath = verificationIcon(skill.verificationStatus);
  item.contextValue = "skill";
  item.accessibilityInformation = {
    label: oneLine(skillSentence(skill), maxLabelLength + maxFactsLength),
  };
  item.command = {
    command: commandIds.openSkill,
    title: "Open Skill",
    arguments: [skill.slug, { preserveFocus: true }],
  };
  return item;
}

/** Picks the icon that stands for a verification state; an unknown state gets a question mark. */
export function verificationIcon(state: string | undefined): vscode.ThemeIcon {
  switch (state) {
    case "verified":
      return themed("verified", "testing.iconPassed");
    case "submitted":
    case "draft":
      return themed("circle-large-outline", "list.warningForeground");
    case "deprecated":
      return themed("warning", "list.warningForeground");
    case "rejected":
    case "suspended":
      return themed("circle-slash", "list.errorForeground");
    default:
      return new vscode.ThemeIcon("question");
  }
}

function themed(icon: string, color: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}

function tooltip(skill: SkillSummary): vscode.MarkdownString {
  const maxDescription = 400;
  const facts = skillFacts(skill).map((fact) => markdownText(fact, maxLabelLength));
  const text = [
    `**${markdownText(skill.displayName, maxLabelLength)}**`,
    markdownText(skill.description, maxDescription),
    facts.join(" · "),
    markdownText(skill.tags.join(", "), maxFactsLength),
  ];
  return new vscode.MarkdownString(text.filter(Boolean).join("\n\n"));
}
