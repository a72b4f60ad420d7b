import * as vscode from "vscode";
import type { VerificationIcon } from "../../core/skill/verification";
import type { SkillRow } from "../../core/skillList/skillRows";
import {
  actionRowText,
  branchText,
  moreRowText,
  type RowText,
  skillRowText,
} from "../../core/skillList/skillRowText";
import type { Language } from "../../core/text/language";
import { commandIds } from "../ids";
import { actionCommand } from "../messages/showNotice";

/** Draws a row of the Skills view. Selecting a skill opens its page, selecting the last row loads more. */
export function skillTreeItem(row: SkillRow, language: Language): vscode.TreeItem {
  switch (row.kind) {
    case "skill": {
      const item = treeItem(skillRowText(row, language));
      item.command = {
        command: commandIds.openSkill,
        title: vscode.l10n.t("Open Skill"),
        arguments: [row.skill.slug, { preserveFocus: true }],
      };
      return item;
    }
    case "branch": {
      const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
      return treeItem(branchText(row, language), row.isOpen ? Expanded : Collapsed);
    }
    case "more": {
      const item = treeItem(moreRowText(row, language));
      item.command = { command: commandIds.loadMore, title: vscode.l10n.t("Load More Skills") };
      return item;
    }
    case "action": {
      const item = treeItem(actionRowText(row));
      const command = actionCommand(row.action);
      if (command !== undefined) item.command = command;
      return item;
    }
  }
}

/** Makes an icon of the editor's, colored by its theme. */
export function themeIcon({ id, color }: VerificationIcon): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}

function treeItem(words: RowText, state?: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(words.label, state);
  item.id = words.id;
  item.description = words.description;
  item.contextValue = words.context;
  item.accessibilityInformation = { label: words.sentence };
  if (words.icon !== undefined) item.iconPath = themeIcon(words.icon);
  return item;
}
